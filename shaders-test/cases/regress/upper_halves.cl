// The upper half of narrow integers that are loaded, extended with their sign, and reinterpreted as vectors.
// RUN: kernel=halves global=4 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:short=-2,5,-32768,32767
// ARG: buffer:char=-1,-128,127,3
// EXPECT 0: uint=65535,255,2,65535,65536,1,65535,3212836864,0,255,74565,0,1,1,0,0,65535,0,2,65535,65536,1,4,3212836864,0,0,74565,0,1,1,4,0
kernel void halves(global uint *out, global const short *shorts, global const char *chars)
{
    uint i = get_global_id(0);
    out += i * 8;
    out[0] = as_ushort2((int)shorts[i]).y;
    out[1] = as_uchar4((int)chars[i]).w;
    out[2] = 0x12345 >> (as_ushort4((int2)(7, shorts[i])).w & 15);
    out[3] = as_ushort4((long)shorts[i]).z;
    // Used without its sign too, before that is found to be dead.
    ushort bits = shorts[i];
    uint low = bits & 1;
    out[4] = low > 2 ? low : as_ushort2((int)shorts[i]).y + 1u;
    // What is extended again.
    out[5] = as_short4((int2)(chars[i])).y < (short)i;
    // By way of an array of two, whose lanes are made by shifts.
    int m[2] = {shorts[i], 7};
    m[out[6] & 1] ^= out[7];
    int v = m[out[7] & 1];
    ushort2 pairs[2] = {(ushort2)((ushort)v, (ushort)(v >> 16)), (ushort2)(3, 4)};
    out[6] = pairs[i >> 1].y;
    out[7] = as_uint((float)as_short2((int)shorts[i]).y);
}
