// options: --workarounds=none --tuning=none
// One instruction has both halves of a product of 64 bits, in whichever order they are wanted.
// CHECK-NOT: OpIMul
// CHECK: OpUMulExtended
// CHECK: OpCompositeExtract ... 1
// CHECK-NOT: OpIMul
// CHECK-NOT: OpUMulExtended
// CHECK: OpCompositeExtract ... 0
// CHECK-NOT: OpIMul
// CHECK: OpSMulExtended
// CHECK: OpCompositeExtract ... 0
// CHECK-NOT: OpSMulExtended
// CHECK: OpCompositeExtract ... 1
// CHECK: OpUMulExtended
// CHECK: OpCompositeExtract ... 1
// CHECK: OpIMul
kernel void k(global ulong *a, global long *b, global ulong2 *c) {
    a[0] = mul_hi(a[1], a[2]) ^ a[1] * a[2];
    long x = b[1], y = b[2], low = x * y;
    b[0] = low ^ mul_hi(y, x);
    c[0] = mul_hi(c[1], c[2]);
    a[3] = a[4] * a[5];
}
