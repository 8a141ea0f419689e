// Prototypes of built-in functions, as headers for other compilers have them: calls are of the built-in functions.
// RUN: kernel=k global=1
// ARG: buffer:float=1,5,2,8
// ARG: buffer:float=4,-3
// ARG: buffer:bytes=32
// PRINTS: 7 of 1
// EXPECT 2: float=2,3,2,3,1,-3,4,10
float __attribute__((overloadable)) sqrt(float x);
float4 __attribute__((overloadable, const)) min(float4 a, float4 b);
float __attribute__((overloadable)) fmin(float, float);
size_t __attribute__((overloadable)) get_global_size(uint dimension);
int printf(constant const char *format, ...) __attribute__((format(printf, 1, 2)));
// A function of the program's own, which is declared before it is defined, stays one.
float __attribute__((overloadable)) max(float a, float b);
kernel void k(global const float4 *v, global const float *x, global float *out)
{
    out[0] = sqrt(x[0]);
    vstore4(min(v[0], (float4)(3.0f, 3.0f, 3.0f, 3.0f)).yzyx, 0, out + 1);
    out[5] = fmin(x[0], x[1]);
    out[6] = fmin(x[0], 100.0f);
    out[7] = max(x[0], x[1]);
    printf("%d of %d\n", 7, (int)get_global_size(0));
}
float __attribute__((overloadable)) max(float a, float b) { return 10.0f; }
