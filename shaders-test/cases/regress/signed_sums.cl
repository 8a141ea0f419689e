// The sum of an integer and its product with the greatest int, which only a driver can see in local memory.
// RUN: kernel=k global=8 local=8
// ARG: buffer:int=-2147483648,2147483647,-1,0,1,-65536,65536,305419896
// ARG: buffer:ulong=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: ulong=18446744071562067968,13835058055282163712,2147483647,4611686016279904256,18446744071562067968,18446744071562067968,0,0,2147483647,2147483648,18446744071562067968,18446603336221196288,2147483647,140737488355328,2147483647,655884232433860608
// EXPECT: pocl
kernel void k(global const int *xs, global ulong *out) {
  uint id = (uint)get_local_id(0);
  local int greatest[8];
  greatest[id] = max(0x7fffffff, 0);
  int x = xs[id];
  for (uint i = 0, n = (uint)(x != 128) % 3u; i < n; i++) {
    out[2 * id] += (ulong)(long)mad_sat(x, greatest[id], x);
    out[2 * id + 1] += (ulong)((long)x * greatest[id] + x);
  }
}
