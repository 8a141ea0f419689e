// Signed comparisons of a widened int with what only the driver knows to be constant.
// RUN: kernel=k global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// ARG: buffer:int=0,-1,8,7,-3,9,-2147483648,-4
// EXPECT: pocl
__kernel void k(__global uint *out, __global const int *in) {
  uint id = get_global_id(0);
  int x = in[id];
  long size = get_local_size(0);
  uint bits = (x < size) | (x <= size) << 1 | (size < x) << 2 | (size <= x) << 3;
  // Through private memory, which the driver makes values of.
  int copies[4] = {x, -x, x + 1, x - 1};
  int *chosen = copies + (id & 1);
  long4 wide = (long4)(chosen[0], chosen[1], chosen[2], 0);
  long4 less = wide <= (long4)0;
  bits |= (less.x & 1) << 4 | (less.y & 1) << 5 | (less.z & 1) << 6 | (less.w & 1) << 7;
  // A counter that the driver's unrolling makes constant.
  for (long i = -2; i < 2; i++) bits += (x < i) << 8;
  out[id] = bits;
}
