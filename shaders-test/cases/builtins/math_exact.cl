// Math functions whose results are exact.
// RUN: kernel=k global=6
// ARG: buffer:float=2.5,-2.5,0.5,-0.75,1e10,7
// ARG: buffer:float=1.5,4,-0.25,3,2,-2
// ARG: buffer:bytes=768
// EXPECT: pocl
#pragma OPENCL FP_CONTRACT OFF
kernel void k(global const float *a, global const float *b, global float *out)
{
    const int i = get_global_id(0);
    const float x = a[i], y = b[i];
    global float *o = out + i * 32;
    o[0] = floor(x); o[1] = ceil(x); o[2] = trunc(x); o[3] = rint(x); o[4] = round(x); o[5] = fabs(x);
    o[6] = fmin(x, y); o[7] = fmax(x, y); o[8] = fmod(x, y); o[9] = copysign(x, y); o[10] = fdim(x, y);
    o[11] = sqrt(fabs(y * y)); o[12] = fma(x, y, 1.0f); o[13] = ldexp(x, 3); o[14] = logb(x); o[15] = ilogb(x);
    float whole; o[16] = modf(x, &whole); o[17] = whole;
    int e; o[18] = frexp(x, &e); o[19] = e;
    o[20] = isnan(x) + isinf(x) * 2 + isfinite(x) * 4 + isnormal(x) * 8 + signbit(x) * 16;
    o[21] = remainder(x, y); o[22] = nextafter(x, y); o[23] = maxmag(x, y); o[24] = minmag(x, y);
    float f0; o[25] = fract(x, &f0); o[26] = f0;
    float4 v = floor((float4)(x, y, 0.5f, -0.5f)); o[27] = v.x + v.y + v.z + v.w;
    int q; o[28] = remquo(x, y, &q); o[29] = isgreater(x, y) + islessequal(x, y) * 2 + isunordered(x, y) * 4;
    o[30] = x / 4.0f; o[31] = x * 0.0f == 0.0f;
}
