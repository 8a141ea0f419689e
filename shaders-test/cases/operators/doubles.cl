// Operators on double and its conversions.
// RUN: kernel=k global=3
// ARG: buffer:double=1.5,-2.25,1e100
// ARG: buffer:double=0.5,4,-2
// ARG: buffer:bytes=192
// EXPECT: pocl
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global const double *a, global const double *b, global double *out)
{
    const int i = get_global_id(0);
    const double x = a[i], y = b[i];
    global double *o = out + i * 8;
    o[0] = x + y;
    o[1] = x * y - 1.0;
    o[2] = x / y;
    o[3] = x < y;
    o[4] = (float)y;
    o[5] = (long)y;
    o[6] = x == x ? -x : y;
    o[7] = (double)(uint)(i + 5) / 4;
}
