// Math functions on ordinary arguments.
// RUN: kernel=k global=8
// ARG: buffer:float=0.5,-0.9,0.01,0.99,-0.3,0.7,0.123,1
// ARG: buffer:float=1.5,20,3.25,0.1,100,7,2.5,9
// ARG: buffer:bytes=1280
// TOLERANCE: float 2e-6
// EXPECT: pocl
kernel void k(global const float *a, global const float *b, global float *out)
{
    const int i = get_global_id(0);
    const float x = a[i], y = b[i];
    global float *o = out + i * 40;
    o[0] = sin(y); o[1] = cos(y); o[2] = tan(x); o[3] = asin(x); o[4] = acos(x); o[5] = atan(y); o[6] = atan2(x, y);
    o[7] = exp(x); o[8] = exp2(x); o[9] = exp10(x); o[10] = expm1(x); o[11] = log(y); o[12] = log2(y); o[13] = log10(y);
    o[14] = log1p(x); o[15] = pow(y, x); o[16] = pown(x, 3); o[17] = powr(y, x); o[18] = rootn(y, 3);
    o[19] = sqrt(y); o[20] = rsqrt(y); o[21] = cbrt(y); o[22] = hypot(x, y); o[23] = sinh(x); o[24] = cosh(x); o[25] = tanh(y);
    o[26] = asinh(y); o[27] = acosh(y + 1); o[28] = atanh(x * 0.9f); o[29] = sinpi(x); o[30] = cospi(x); o[31] = tanpi(x * 0.3f);
    o[32] = atanpi(y); o[33] = erf(x); o[34] = erfc(x); o[35] = tgamma(y * 0.05f + 1); o[36] = lgamma(y);
    float c; o[37] = sincos(x, &c); o[38] = c; o[39] = mad(x, y, 1.0f);
}
