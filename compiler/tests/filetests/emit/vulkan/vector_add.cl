// Sums are not contracted. Pointers are addresses in the push constants; each access names its alignment.
// The scaled index is computed once for the three accesses.
// CHECK: OpCapability Shader
// CHECK: OpCapability PhysicalStorageBufferAddresses
// CHECK: OpMemoryModel PhysicalStorageBuffer64 GLSL450
// CHECK: OpEntryPoint GLCompute ... "add"
// CHECK: OpDecorate ... BuiltIn GlobalInvocationId
// CHECK: OpDecorate ... NoContraction
// CHECK: OpTypePointer PhysicalStorageBuffer
// CHECK: OpFunction
// CHECK-NOT: OpVariable ... Function
// CHECK: OpConvertUToPtr
// CHECK: OpLoad ... Aligned ... 4$
// CHECK-NOT: OpIMul
// CHECK: OpLoad ... Aligned ... 4$
// CHECK-NOT: OpIMul
// CHECK: OpFAdd
// CHECK: OpStore ... Aligned ... 4$
// CHECK: OpReturn
kernel void add(global const float *a, global const float *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
