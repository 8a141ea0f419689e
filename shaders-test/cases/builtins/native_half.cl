// native_ and half_ functions have little precision to lose; other math is measured elsewhere and only run here.
// TOLERANCE: float 1e-3
// RUN: kernel=k global=3
// ARG: buffer:float=0.5,1.25,3
// ARG: buffer:bytes=96
// EXPECT: pocl
// RUN: kernel=others global=3
// ARG: buffer:float=0.5,1.25,3
// ARG: buffer:bytes=288
// EXPECT: pocl
// RUN: kernel=math global=3
// ARG: buffer:float=0.5,0.75,1
// ARG: buffer:bytes=60
// EXPECT: pocl
kernel void k(global const float *a, global float *out)
{
    const int i = get_global_id(0);
    const float x = a[i];
    global float *o = out + i * 8;
    o[0] = native_sin(x); o[1] = native_exp(x); o[2] = native_recip(x); o[3] = half_sqrt(x);
    o[4] = native_divide(x, 3.0f); o[5] = half_cos(x); o[6] = native_powr(x, 2.0f); o[7] = native_rsqrt(x) + half_divide(x, 4.0f) + fast_length((float2)(x, 1));
}

kernel void others(global const float *a, global float *out) {
    const float x = a[get_global_id(0)];
    global float *o = out + get_global_id(0) * 24;
    o[0] = native_cos(x); o[1] = native_exp2(x); o[2] = native_exp10(x); o[3] = native_log(x); o[4] = native_log2(x);
    o[5] = native_log10(x); o[6] = native_sqrt(x); o[7] = native_tan(x); o[8] = half_exp(x); o[9] = half_exp2(x);
    o[10] = half_exp10(x); o[11] = half_log(x); o[12] = half_log2(x); o[13] = half_log10(x); o[14] = half_powr(x, 1.5f);
    o[15] = half_recip(x); o[16] = half_rsqrt(x); o[17] = half_sin(x); o[18] = half_tan(x);
    o[19] = fast_distance((float3)(x, 2, 3), (float3)(1, x, x)); o[20] = fast_normalize((float4)(x, 1, 2, x)).x;
    o[21] = fast_length((float4)(x, x, 1, 2)); o[22] = fast_normalize(x); o[23] = fast_distance(x, 5.0f);
}

kernel void math(global const float *a, global float *out) {
    const float x = a[get_global_id(0)];
    global float *o = out + get_global_id(0) * 5;
    int sign;
    o[0] = acospi(x); o[1] = asinpi(x); o[2] = atan2pi(x, 2.0f); o[3] = lgamma_r(x + 1.5f, &sign); o[4] = sign;
}
