// Conversions without a cast: assignments, arguments, results, initialisers, scalars widened to vectors.
// RUN: kernel=k global=1
// ARG: buffer:int=65,-3
// ARG: buffer:bytes=48
// EXPECT 1: int=65,253,1,-1,130,13,6,1,4,2,-3,9
float half_of(float x) { return x / 2; }
uchar low(int x) { return x; }
bool truth(int x) { return x; }
kernel void k(global const int *in, global int *out)
{
    float f = in[0];
    out[0] = f;
    out[1] = low(in[1]);
    out[2] = truth(in[1]);
    out[3] = half_of(in[1]);
    long l = in[0] * 2;
    out[4] = l;
    out[5] = half_of('A') * 0.4;
    int4 v = 6;
    out[6] = v.w;
    bool b = 0.25f;
    out[7] = b;
    float4 w = 2;
    w += 2;
    out[8] = w.z;
    uint u = 2.9f;
    out[9] = u;
    short s[2] = { in[1], 9.9f };
    out[10] = s[0];
    out[11] = s[1];
}
