// Built-in functions are instructions of OpenCL.std on whole vectors.
// CHECK: OpExtInstImport "OpenCL.std"
// CHECK: OpTypeVector ... 8$
// CHECK: OpExtInst ... sin
// CHECK: OpExtInst ... pow
kernel void k(global float8 *p) { p[0] = pow(sin(p[0]), p[1]); }
