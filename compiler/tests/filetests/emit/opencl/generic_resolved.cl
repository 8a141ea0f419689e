// OpenCL 1.2 has no generic pointers: where each one's space can be told, even through calls, the module has none.
// target: opencl1.2
// options: -cl-std=CL2.0
// CHECK-NOT: GenericPointer
// CHECK: OpEntryPoint Kernel
// CHECK-NOT: OpTypePointer Generic
// CHECK: OpFunctionEnd
__attribute__((noinline)) int get(int *p) { return *p; }
int *after(int *p) { return p + 1; }
kernel void k(global int *out, local int *scratch, int n)
{
    int own[4] = {n, 2, 3, 4};
    scratch[0] = n;
    out[0] = get(out + 1) + get(scratch) + get(own + (n & 3)) + *after(out);
}
