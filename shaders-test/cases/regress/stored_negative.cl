// The negative of the least char is stored to a private object and widened when it is loaded.
// RUN: kernel=k global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:char=0,0,-128,0,0,0,127,0,0,0,1,0,0,0,0,0
// EXPECT 0: uint=4129952828,2140740550,2538114917,0
// EXPECT: pocl
union bytes {
    char values[16];
    uint4 words;
};
uint mix(uint h, uint v)
{
    h = (h ^ v) * 0x9e3779b1u;
    return h ^ (h >> 15);
}
kernel void k(global uint *out, global const char4 *in)
{
    uint i = (uint)get_global_id(0), h = 0;
    union bytes all[2] = {{{0, 0, 0, 0, (char)-(uint)in[i].z, 0, 0, 0}}, {{0}}};
    for (int k = 0; k < 16; k++)
        h = mix(h, (uint)all[0].values[k]);
    out[i] = h;
}
