// Constants of 64 bits in one half of a vector are bit-cast to lanes of 16 bits.
// RUN: kernel=k global=1 local=1
// ARG: buffer:uint=43981
// ARG: buffer:ushort=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: ushort=43981,0,0,0,22136,4660,57072,39612,43981,0,0,0,0,0,65535,65535,43981,0,13124,4386,43981,0,57072,39612,43981,0,13124,37154,65535,65535,1,0
// EXPECT: pocl
kernel void k(global const uint *in, global ushort8 *out) {
  int x = (int)in[0];
  out[0] = as_ushort8((int4)(x, 0, 0x12345678, (int)0x9abcdef0u));
  out[1] = as_ushort8((int4)(x, 0, 0, (int)0xffffffffu));
  out[2] = as_ushort8((int4)(x, 0x11223344, x, (int)0x9abcdef0u));
  out[3] = as_ushort8((int4)(x, (int)0x91223344u, (int)0xffffffffu, 1));
}
