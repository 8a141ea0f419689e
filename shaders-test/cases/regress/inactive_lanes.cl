// Loops that end by what is in memory, or by equality, in work-groups smaller than the vectors of a driver on a processor.
// RUN: kernel=search global=6 local=3
// ARG: buffer:int=0,0,0,0,0,0
// ARG: buffer:int=1,2,3,7,4,7,5,6,1,7
// EXPECT 0: int=7,5,3,1,3,1
// EXPECT: pocl
// RUN: kernel=nested global=1 local=1
// ARG: buffer:int=0,0,0
// ARG: int=2
// EXPECT 0: int=3,7,2
// EXPECT: pocl
// RUN: kernel=equal global=5 local=5
// ARG: buffer:int=0,0,0,0,0
// ARG: int=4
// EXPECT 0: int=10,10,9,7,4
// EXPECT: pocl
__kernel void search(__global int *steps, __global const int *text) {
  int id = get_global_id(0), n = 0, p = id;
  while (text[p] != 7) { n++; p++; }
  p = id;
  while (text[p] != 7) { n++; p++; }
  for (int i = 0; i < 2; i++) n += i;
  steps[id] = n;
}
__kernel void nested(__global int *out, int n) {
  for (int i = 0;; i++) {
    if (i >= n) {
      out[1] = 7;
      break;
    }
    while (out[0] < 3) out[0] += 1;
    out[2] += 1;
  }
}
__kernel void equal(__global int *out, int last) {
  int sum = 0;
  for (int i = get_local_id(0); i != last + 1; i++) sum += i;
  for (int i = 0; i < 4; i++) sum += i == 4;
  out[get_global_id(0)] = sum;
}
