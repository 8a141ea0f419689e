// A block that is only called is a function; the variables it uses are in an object that the literal makes.
// target: opencl2.0
// options: -cl-std=CL2.0
// CHECK-NOT: DeviceEnqueue
// CHECK: OpEntryPoint Kernel ... "k"
// CHECK-NOT: _kernel"
// CHECK: OpPtrCastToGeneric
// CHECK: OpFunctionCall
// CHECK: OpFunctionEnd
kernel void k(global int *out, int n) {
    int (^twice)(int) = ^(int x) { return x * n; };
    out[0] = twice(out[1]);
}
