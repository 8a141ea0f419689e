// Arithmetic with a literal zero, whose results IEEE 754 defines for every other operand: lavapipe leaves out quotients by
// zero, and takes 0 / x and 0 * x for 0 and x + 0 for x. Expected values by hand.
// RUN: kernel=quotients global=1
// ARG: buffer:float=0,0,0,0,0,0,0
// ARG: int=5
// EXPECT 0: uint=0x7f800000,0x3f800000,0,0x7f800000,0xff800000,0x7f800000,0x80000000
// RUN: kernel=signs global=1
// ARG: buffer:float=0,0,0,0,0
// ARG: float=0
// EXPECT 0: uint=0,0,0x80000000,0x3f800000,0x7f800000
// RUN: kernel=doubles global=1
// ARG: buffer:double=0,0,0
// ARG: double=-2
// EXPECT 0: ulong=0xfff0000000000000,0x8000000000000000,0
// RUN: kernel=unrolled global=1
// ARG: buffer:float=0,0,0,0
// ARG: float=-3
// EXPECT 0: uint=0xff800000,0xc0400000,0xbfc00000,0xbf800000
kernel void quotients(global float *out, int n)
{
    float f = (float)n;
    out[0] = f / 0.0f;
    out[1] = isnan(0.0f / (f - 5.0f));
    out[2] = -0.0f + 0.0f * f;
    float x[4] = {0, 1, 2, 3};
    x[n & 3] = f / 0.0f;
    out[3] = x[1];
    out[4] = f / -0.0f;
    out[5] = sqrt(f) / 0.0f;
    out[6] = 0.0f / -f;
}

kernel void signs(global float *out, float z)
{
    out[0] = -z + 0.0f;
    out[1] = 0.0f - z;
    out[2] = 0.0f / (z - 5);
    out[3] = isnan(0.0f * (5 / z));
    float4 v = (float4)(1, 2, 3, 4) / (float4)(1, z, 0, 2);
    out[4] = v.z;
}

kernel void doubles(global double *out, double x)
{
    out[0] = x / 0.0;
    out[1] = 0.0 / x;
    out[2] = -(x + 2) + 0.0;
}

// The driver unrolls the loop, and then knows the counter.
kernel void unrolled(global float *out, float x)
{
    for (int i = 0; i < 4; i++)
        out[i] = x / (float)i;
}
