// Compound assignment on types narrower than int: computed in int, stored back wrapped.
// RUN: kernel=k global=1
// ARG: buffer:int=200
// ARG: buffer:bytes=48
// EXPECT 1: int=144,-44,4,32,-100,-112,199,200,-56,44,65436,1
kernel void k(global const int *in, global int *out)
{
    uchar u = in[0];
    u += 200;
    out[0] = u;
    char c = (char)in[0];
    c = (char)(c + 12);
    out[1] = c;
    u = 9; u <<= 6; u >>= 4;
    out[2] = u;
    u = in[0]; u /= 6; u -= 1;
    out[3] = u;
    short s = -in[0]; s >>= 1;
    out[4] = s;
    c = in[0]; c *= 2;
    out[5] = c;
    u = in[0]; u--;
    out[6] = u;
    out[7] = ++u;
    c = u;
    out[8] = c++;
    u += 100;
    out[9] = u;
    ushort w = 65535; w -= 99;
    out[10] = w;
    u = 255; u++; u |= 1; u %= 2;
    out[11] = u;
}
