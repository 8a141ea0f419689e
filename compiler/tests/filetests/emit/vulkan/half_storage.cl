// Halves that are only loaded, converted and stored take the capability of 16-bit storage alone, also constants.
// CHECK: OpCapability StorageBuffer16BitAccess
// CHECK-NOT: OpCapability Float16
// CHECK: OpMemoryModel
// CHECK: OpTypeFloat 16
// CHECK-NOT: OpTypeInt 16
kernel void k(global half *a, global float *f, global half *b) {
    // CHECK: OpLoad
    // CHECK: OpFConvert
    f[0] = vload_half(0, a);
    // CHECK: OpFConvert
    // CHECK: OpStore
    vstore_half4(vload4(0, f), 0, a);
    // CHECK: OpFConvert
    // CHECK: OpStore
    vstore_half(1.0f, 0, b);
}
