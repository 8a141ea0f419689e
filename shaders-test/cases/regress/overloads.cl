// Overloaded functions that are not static: modules are linked by name, and these share one.
// RUN: kernel=k global=1
// ARG: buffer:float=2.5,3
// ARG: buffer:bytes=12
// EXPECT 1: int=1,2,12
int __attribute__((overloadable, noinline)) f(int x) { return x > 2 ? 1 : 3; }
int __attribute__((overloadable, noinline)) f(float x) { return x > 2.5f ? 2 : 4; }
int __attribute__((overloadable)) f(int x, float y) { return x * (int)y; }
kernel void k(global const float *in, global int *out)
{
    out[0] = f((int)in[1]);
    out[1] = f(in[1]);
    out[2] = f(4, in[1]);
}
