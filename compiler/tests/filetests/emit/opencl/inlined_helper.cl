// A helper that is inlined everywhere is removed; nothing refers to it any more.
// target: opencl1.2
// options: -cl-std=CL2.0
// CHECK: OpFunction ... None
// CHECK: OpFunctionEnd
// CHECK-NOT: OpFunction
static int *after(int *p) { return p + 1; }
kernel void k(global int *out, global int *in) { out[0] = *after(in); }
