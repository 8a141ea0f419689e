// Vectors of 16 need the capability, and are loaded whole.
// CHECK: OpCapability Vector16
// CHECK: OpTypeVector ... 16$
// CHECK: OpLoad ... Aligned ... 16$
// CHECK: OpIAdd
// CHECK: OpStore ... Aligned ... 16$
kernel void k(global char16 *p) { p[0] += p[1]; }
