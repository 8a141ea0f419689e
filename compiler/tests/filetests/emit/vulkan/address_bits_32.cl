// options: --addressing=logical --address-bits=32
// Neither ids, nor indices, nor pointers in memory need integers of 64 bits.
// CHECK: OpMemoryModel Logical Vulkan
// CHECK-NOT: OpCapability Int64
// CHECK-NOT: OpTypeInt 64
struct row { global const float *values; uint length; };
kernel void sums(global struct row *rows, global const float *x, global float *y, uint n) {
  size_t i = get_global_id(0), stride = get_global_size(0);
  struct row row = { x + i, (uint)sizeof(struct row) };
  rows[i] = row;
  barrier(CLK_GLOBAL_MEM_FENCE);
  float sum = 0;
  for (size_t j = 0; j < n; j += stride) sum += rows[i].values[j];
  y[i] = sum + (float)((uintptr_t)rows[i].values == (uintptr_t)(x + i)) + (float)(rows[i].values - x);
}
