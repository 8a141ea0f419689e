// target: opencl3.0
// options: --address-bits=32
// Built-in variables of 'size_t', offsets and integers of pointers have 32 bits.
// CHECK: OpMemoryModel Physical32 OpenCL
// CHECK-NOT: OpTypeInt 64
// CHECK: OpTypeVector
// CHECK: OpPtrAccessChain
// CHECK: OpConvertPtrToU
constant int numbers[4] = { 1, 2, 3, 4 };
struct row { global const float *values; uint length; };
kernel void k(global struct row *rows, global const half *x, global float *y) {
  size_t i = get_global_id(0), stride = get_global_size(0);
  y[i] = rows[i].values[i * stride] + numbers[get_local_id(0)] + vload_half(i, x);
  rows[i].length = (uint)((uintptr_t)rows[i].values & 15) + sizeof(struct row);
}
