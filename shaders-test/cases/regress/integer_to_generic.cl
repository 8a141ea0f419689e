// Pointers that were integers for a while come back as generic ones.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=back global=4 local=4
// ARG: buffer:int=0,0,0,0
// ARG: buffer:int=1,2,3,4
// EXPECT 0: int=100,110,120,130
// EXPECT 1: int=2,3,4,5
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
__attribute__((noinline)) int increment(ulong bits) {
  int *p = (int *)bits;
  return (*p)++;
}

__kernel void back(__global int *out, __global int *in) {
  __local int shared[4];
  int id = get_local_id(0), own = id * 10;
  shared[id] = 100 - in[id];
  int sum = increment((ulong)&own) + increment((ulong)&shared[id]) + increment((ulong)&in[id]);
  sum += (shared[id] - 100 + in[id]) - 2;
  sum += own - id * 10 - 1;
  sum += (uintptr_t)(__local int *)0 != 0;
  out[id] = sum;
}
