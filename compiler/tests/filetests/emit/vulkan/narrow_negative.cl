// NVIDIA's driver (580.159) widens the negative of the least narrow integer wrongly unless its bits are taken as a field.
// CHECK: OpSNegate
// CHECK: OpBitFieldSExtract
// CHECK: OpUConvert
// CHECK: OpSNegate
// CHECK: OpBitFieldSExtract
// CHECK: OpUConvert
kernel void k(global char *scalar, global short2 *vector) {
  scalar[0] = -scalar[1];
  vector[0] = -vector[1];
}
