// Counters that are past their bounds from the start, and get back by wrapping around, in loops that are too large for the compiler
// to unroll them.
// RUN: kernel=k global=1 local=1
// ARG: buffer:uint=0,0,0,0,0
// ARG: buffer:ulong=0,0,0,0,0,0,0,0
// EXPECT 0: uint=9,9,8,4,10
// EXPECT: pocl
#define BODY(n) \
  ulong t = work[i & 7]; \
  if (t & 1) t = t * 77 + i; \
  else if (t & 2) t ^= i * 5; \
  else if (t % 7 == 3) t += out[n]; \
  else t = rotate(t, (ulong)i); \
  work[i & 7] = t; \
  out[n]++;
__kernel void k(__global uint *out, __global ulong *work) {
  for (uint i = -9; i > 3; i++) { BODY(0) }
  for (ulong i = -9; i > 3; i++) { BODY(1) }
  for (uint i = 0x80000001; i > 0x7fffffff; i += 0x10000000u) { BODY(2) }
  for (uint i = 3; i < 0xfffffff0u; i--) { BODY(3) }
  for (uint i = 9; i < 10; i--) { BODY(4) }
}
