// Widened integers against constants: lavapipe 22.3 gets 64-bit comparisons of such values wrong if it sees them.
// RUN: kernel=compare global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// ARG: buffer:int=1,-1,0,-2147483648,5,-7,2,2147483647
// EXPECT 0: uint=1644,939,1656,939,1644,939,1644,1644
// EXPECT: pocl
__kernel void compare(__global uint *out, __global const int *in) {
  size_t i = get_global_id(0);
  long v = in[i];
  ulong u = (ulong)v, z = (uint)in[i];
  uint bits = 0;
  bits |= (v < 0) << 0;
  bits |= (v <= -1) << 1;
  bits |= (v > 0) << 2;
  bits |= (v < 0x123456789aL) << 3;
  bits |= (v == 0) << 4;
  bits |= (v != -0x100000000L) << 5;
  bits |= (u < 0x100000000UL) << 6;
  bits |= (u >= 0x80000000UL) << 7;
  bits |= (u > 0xffffffff80000000UL || u == 0xffffffff80000000UL) << 8;
  bits |= ((long)z >= 0) << 9;
  bits |= (u <= 0x7fffffffUL) << 10;
  out[i] = bits;
}
