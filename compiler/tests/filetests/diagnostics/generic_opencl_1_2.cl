// Generic pointers that the compiler cannot resolve need an environment that has them.
// target: opencl1.2
// options: -cl-std=CL2.0
// clang: not asked, since it knows no such target
kernel void k(global int *out, local int *scratch, int n)
{
    int *p = out;
    if (n) p = scratch; // error: this pointer may point into more than one address space, which needs the generic address space of OpenCL 2.0: compile with '--target opencl2.0' or later
    p[1] = n;
}
// ---
// error: this pointer may point into more than one address space, which needs the generic address space of OpenCL 2.0: compile with '--target opencl2.0' or later
//  --> test.cl:8:9
//   |
// 8 |     if (n) p = scratch;
//   |         ^
