// Signs, masks and conversions between signed and unsigned as crackers and codecs use them.
// RUN: kernel=k global=4
// ARG: buffer:uint=0,1,0x80000000,0xdeadbeef
// ARG: buffer:bytes=128
// EXPECT: pocl
kernel void k(global const uint *in, global uint *out)
{
    const uint x = in[get_global_id(0)];
    global uint *o = out + get_global_id(0) * 8;
    o[0] = x & -x;
    o[1] = (x ^ (x >> 1)) & 0x55555555;
    o[2] = (int)x >> 31;
    uint v = x;
    int n = 0;
    while (v) { v &= v - 1; n++; }
    o[3] = n;
    o[4] = as_uint(as_uchar4(x).wzyx);
    o[5] = (uchar)(x >> 8) << 4 | (x & 0xf);
    o[6] = ((x + 0x7f) & ~0x7fu) - (x >> 3);
    o[7] = (char)x + (short)x;
}
