// Shift counts are taken modulo the width of the promoted left operand.
// RUN: kernel=k global=1
// ARG: buffer:int=33,-16,64,40,3
// ARG: buffer:bytes=64
// EXPECT 1: long=2,-8,1,256,-2,8,1099511627776,2
kernel void k(global const int *s, global long *out)
{
    int one = 1, m = s[1];
    long wide = 1;
    out[0] = one << s[0];
    out[1] = m >> s[0];
    out[2] = wide << s[2];
    out[3] = one << s[3];
    out[4] = m >> s[4];
    uchar c = 1;
    out[5] = c << s[4];
    out[6] = wide << s[3];
    out[7] = ((uint)m >> 31) << s[0];
}
