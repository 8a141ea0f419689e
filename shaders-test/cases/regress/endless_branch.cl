// A loop without an exit in a branch that is not taken: a driver ended the process while it compiled the kernel.
// RUN: kernel=k global=1 local=1
// ARG: buffer:uint=0,2,7,3,4,5,6,7,8,0
// EXPECT 0: uint=0,2,1,3,4,5,6,7,8,1123348765
// EXPECT: pocl
__kernel void k(__global uint *o) {
  if (o[0] <= 5) {
    if (o[1]) o[2] &= o[3] / o[1];
  } else {
    for (;;) o[4]++;
  }
  uint c = 1;
  for (int i = 0; i < 8; i++) c = (c ^ o[i]) * 77;
  o[9] = c;
}
