// No vector has more than four lanes (Vulkan's SPIR-V has no Vector16): two loads, two sums, two stores.
// CHECK: OpCapability Shader
// CHECK-NOT: OpCapability Vector16
// CHECK: OpMemoryModel
// CHECK-NOT: OpTypeVector ... 8$
// CHECK: OpFunction
// CHECK: OpLoad ... Aligned ... 32$
// CHECK: OpLoad ... Aligned ... 16$
// CHECK: OpFAdd
// CHECK: OpFAdd
// CHECK: OpStore ... Aligned ... 32$
// CHECK: OpStore ... Aligned ... 16$
kernel void twice(global float8 *a) { a[0] = a[0] + a[0]; }
