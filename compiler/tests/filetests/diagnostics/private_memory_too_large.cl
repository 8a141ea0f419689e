// Objects whose addresses are values lie in one pool on Vulkan, after its first 16 bytes, with offsets of 32 bits.
kernel void k(global ulong *where) { // error: the objects in private memory take 6442450960 bytes, and the limit is 4294967280 // clang: accepts what no device has room for
  char a[3221225472u], b[3221225472u];
  where[0] = (ulong)a;
  where[1] = (ulong)b;
}
// ---
// error: the objects in private memory take 6442450960 bytes, and the limit is 4294967280
//  --> test.cl:2:13
//   |
// 2 | kernel void k(global ulong *where) {
//   |             ^
