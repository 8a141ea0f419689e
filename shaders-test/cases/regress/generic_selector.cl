// A state machine whose selector is one of its own values, beside a generic pointer that can only be private.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=enter global=8 local=8
// ARG: buffer:uint=0,0,0,0,0,0,0,0
// ARG: buffer:uint=1,2,3,4,5,6,7,8
// ARG: uint=4
// EXPECT 0: uint=1004,1114,1004,14,1004,1114,1004,14
// EXPECT: pocl
__kernel void enter(__global uint *out, __global const uint *in, uint q) {
  size_t i = get_global_id(0);
  uint h = 0, counts[3] = {0, 0, 0};
  const uint *p = &q;
  if (in[i] & 1)
    goto middle;
  h += 10;
  if (in[i] & 2) {
    h += 100;
  middle:
    h += 1000;
  }
  out[i] = h + *p + counts[in[i] % 3];
}
