// A difference of two products with different factors is a subtraction that drivers may contract: without NoContraction, as
// is its first product. Where the products share a factor, of whatever sign, drivers could factor it out.
// CHECK: OpDecorate ... NoContraction
// CHECK: OpDecorate ... NoContraction
// CHECK: OpDecorate ... NoContraction
// CHECK-NOT: OpDecorate ... NoContraction
kernel void k(global float *o, float x, float y, float z, float w) {
    // CHECK: OpFMul
    // CHECK-NOT: OpExtInst
    // CHECK: OpFMul
    // CHECK: OpFSub
    o[0] = x * x - y * y;
    // CHECK-NOT: OpFSub
    // CHECK: OpFNegate
    // CHECK: OpExtInst ... Fma
    o[1] = x * y - y * z;
    // CHECK-NOT: OpFSub
    // CHECK: OpFNegate
    // CHECK: OpExtInst ... Fma
    o[2] = x * w - z;
    // CHECK-NOT: OpFSub
    // CHECK: OpExtInst ... Fma
    o[3] = (-x) * w - x * z;
}
