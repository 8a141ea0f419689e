// A half that is chosen is more than stored. A denormal constant is stored by its bits, because a conversion may flush it.
// CHECK: OpCapability Float16
// CHECK: OpTypeFloat 16
kernel void k(global half *a, global float *f) { vstore_half(0x1p-24f, get_global_id(0), a); f[0] = vload_half(9, a); }
