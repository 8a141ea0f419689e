// Typed pointers as parameters; work-item functions are inputs; the alignment of each access is named.
// CHECK: OpCapability Addresses
// CHECK: OpCapability Kernel
// CHECK: OpMemoryModel Physical64 OpenCL
// CHECK: OpEntryPoint Kernel ... "add"
// CHECK: OpDecorate ... BuiltIn GlobalInvocationId
// CHECK: OpTypePointer CrossWorkgroup
// CHECK: OpFunctionParameter
// CHECK: OpLoad ... Aligned ... 4$
// CHECK: OpFAdd
// CHECK: OpStore ... Aligned ... 4$
kernel void add(global const float *a, global const float *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
