// Differences of which the minuend is zero once a loop is unrolled, and the least numbers of narrow types.
// RUN: kernel=k global=8 local=8
// ARG: buffer:short=-32768,32767,-128,128,0,1,-1,-32767
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: uint=4294934528,0,0,4294934529,1,31,128,4294967168,1933,4294967168,4294967168,89297,0,0,4,4294967295,4294967295,153,1,1,5771,32767,4294967295,209519
// EXPECT: pocl
__attribute__((noinline)) uint mixed(uint h, uint t) {
  for (uint i = 0; i < (t & 7); i++) h = h * 31 ^ h >> t;
  return h;
}

kernel void k(global const short *xs, global uint *out) {
  uint id = (uint)get_global_id(0);
  short x = xs[id];
  for (int i = 0, n = 1; i < n; i++) {
    short difference = (short)((uchar)i - x);
    char narrow = (char)(i - (char)x);
    out[3 * id] = (uint)(int)difference;
    out[3 * id + 1] = (uint)(int)narrow;
    out[3 * id + 2] = mixed(id, id & 3);
  }
}
