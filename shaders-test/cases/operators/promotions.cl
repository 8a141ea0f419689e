// Integer promotions and the usual arithmetic conversions, seen through sizes, signs and results.
// RUN: kernel=k global=1
// ARG: buffer:int=-1
// ARG: buffer:bytes=64
// EXPECT: pocl
kernel void k(global const int *in, global long *out)
{
    const int m = in[0];
    const uint u = 1;
    const uchar c = 255;
    const char s = (char)m;
    out[0] = m < u;
    out[1] = c + c;
    out[2] = (long)m + u;
    out[3] = s == c;
    out[4] = (uchar)s == c;
    out[5] = sizeof(c + s) + sizeof(1 ? c : s) * 10 + sizeof((char)1) * 100 + sizeof(1L + 1) * 1000;
    out[6] = ~c;
    out[7] = -(ushort)1 < 0;
}
