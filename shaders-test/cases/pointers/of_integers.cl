// A pointer that is made of an integer, and used for no access.
// RUN: kernel=k global=8
// ARG: buffer:ushort=1,2,3,4,5,6,7,8,9,10,11,12
// ARG: int=4
// EXPECT 0: ushort=1,2,3,4,7,7,7,7,7,7,7,7
kernel void k(global ushort *a, int n) {
  int t = get_local_id(1) & 1;
  global ushort *p = (global ushort *)t;
  if (t < 100) p = a + n;
  p[get_global_id(0)] = 7;
}
