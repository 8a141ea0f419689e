// native_ and half_ functions have little precision to lose.
// RUN: kernel=k global=3
// ARG: buffer:float=0.5,1.25,3
// ARG: buffer:bytes=96
// TOLERANCE: float 1e-3
// EXPECT: pocl
kernel void k(global const float *a, global float *out)
{
    const int i = get_global_id(0);
    const float x = a[i];
    global float *o = out + i * 8;
    o[0] = native_sin(x); o[1] = native_exp(x); o[2] = native_recip(x); o[3] = half_sqrt(x);
    o[4] = native_divide(x, 3.0f); o[5] = half_cos(x); o[6] = native_powr(x, 2.0f); o[7] = native_rsqrt(x) + half_divide(x, 4.0f) + fast_length((float2)(x, 1));
}
