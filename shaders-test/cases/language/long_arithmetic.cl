// 64-bit arithmetic: carries, products, division, shifts, comparisons.
// RUN: kernel=k global=4
// ARG: buffer:ulong=0xffffffffffffffff,0x123456789abcdef,1,0x8000000000000000
// ARG: buffer:ulong=2,0xfedcba987654321,0xffffffff00000001,3
// ARG: buffer:bytes=384
// EXPECT: pocl
kernel void k(global const ulong *a, global const ulong *b, global ulong *out)
{
    const int i = get_global_id(0);
    const ulong x = a[i], y = b[i];
    const long s = x, t = y;
    global ulong *o = out + i * 12;
    o[0] = x + y; o[1] = x * y; o[2] = x / y; o[3] = x % y; o[4] = x >> (y & 63); o[5] = x << (y & 63);
    o[6] = s >> (y & 63); o[7] = s / t; o[8] = s % t; o[9] = (s < t) + (x < y) * 2; o[10] = mul_hi(x, y);
    o[11] = (ulong)(uint)x * (uint)y;
}
