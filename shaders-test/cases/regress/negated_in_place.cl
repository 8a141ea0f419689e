// Products of an integer that is the same for all work-items and a constant whose lower word has all bits set, where only low
// bits count, which are those of the negative. The integer is compared and added too.
// RUN: kernel=shifts global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:uint=99,40503,2654435860,1013904242
// ARG: ushort=62298
// ARG: int=1762001599
// ARG: int=17315209
// EXPECT 0: uint=3269137642,2073354659,1964411154,65211081
// EXPECT: pocl
// RUN: kernel=differences global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:uint=99,40503,2654435860,1013904242
// ARG: ushort=62298
// ARG: int=1762001599
// ARG: int=17315209
// EXPECT 0: uint=391517372,3241543299,1031048314,1797157590
// EXPECT: pocl
// RUN: kernel=elements global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:uint=99,40503,2654435860,1013904242
// ARG: ushort=62298
// ARG: int=1762001599
// ARG: int=17315209
// EXPECT 0: uint=614686440,3713869411,323877492,1705728009
// EXPECT: pocl
// RUN: kernel=indices global=4 local=4
// ARG: buffer:uint=0,0,0,0
// ARG: buffer:uint=99,40503,2654435860,1013904242
// ARG: ushort=62298
// ARG: int=1762001599
// ARG: int=17315209
// EXPECT 0: uint=4269949596,0,1953194773,527634471
// EXPECT: pocl
uint mix(uint h, uint v)
{
    h = (h ^ v) * 0x9e3779b1u;
    return h ^ (h >> 15);
}
uint mix_long(uint h, ulong v)
{
    return mix(mix(h, (uint)v), (uint)(v >> 32));
}
uint in_some(uint h)
{
    if (!(h & 0x8000))
        h = mix(h, (uint)(float)(h & 0xffff));
    return h;
}
kernel void shifts(global uint *out, global const uint *in, ushort a, int x, int v)
{
    size_t i = get_global_id(0);
    uint greater = a > x;
    uint h = mix_long(in_some(in[i]), (ulong)v >> ((ulong)x * 0x7fffffffffffffff & 63));
    out[i] = mix(h, greater);
}
kernel void differences(global uint *out, global const uint *in, ushort a, int x, int v)
{
    size_t i = get_global_id(0);
    uint sum = a + x;
    uint h = mix_long(in_some(in[i]), (ulong)v << ((((ulong)x << 33) - x) & 63));
    out[i] = mix(h, sum);
}
kernel void elements(global uint *out, global const uint *in, ushort a, int x, int v)
{
    size_t i = get_global_id(0);
    uint less = a < x;
    ulong2 counts = (ulong2)(0xf7fffffffful, in[i]) * (ulong)x;
    uint h = mix_long(in_some(in[i]), (ulong)v >> (counts.x & 63));
    out[i] = mix(h, less);
}
kernel void indices(global uint *out, global const uint *in, ushort a, int x, int v)
{
    size_t i = get_global_id(0);
    uint greater = a > x;
    uint h = mix(in_some(in[i]), in[((ulong)x * 0x1ffffffff) & 3]);
    out[i] = mix(h, greater);
}
