// Address spaces by attributes: clang's names, and its numbers of SPIR targets. Expected values are computed by hand.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=1
// ARG: buffer:int=3,4
// ARG: buffer:int=9,9,9,9,9,9
// EXPECT 1: int=3,4,5,6,7,8

__attribute__((opencl_constant)) int five = 5;
__attribute__((__opencl_global__)) int six = 6;
int read(__attribute__((opencl_generic)) int *p) { return *p; }

kernel void k(__attribute__((opencl_global)) const int *in, __attribute__((address_space(1))) int *out) {
    __attribute__((opencl_local)) int l;
    out[0] = in[0];
    out[1] = read((global int *)in + 1);
    out[2] = five;
    out[3] = six;
    l = 7;
    out[4] = l;
    __attribute__((opencl_private)) int eight = 8;
    int *__attribute__((opencl_private)) p = &eight;
    out[5] = *p;
}
