// A unit without kernels: what returns a vector of eight is copied to its calls. There is no linking on Vulkan, so that nothing
// else could call it. The second function is the empty entry point.
// CHECK: OpFunction
// CHECK: OpFAdd
// CHECK: OpFunctionEnd
// CHECK: OpFunction
// CHECK: OpFunctionEnd
// CHECK-NOT: OpFunction
// CHECK: OpExtInst
float8 wide(float8 a) { return a + 1; }
float narrow(global const float8 *a) { return wide(*a).s3; }
