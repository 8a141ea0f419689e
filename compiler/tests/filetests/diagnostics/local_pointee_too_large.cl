// The size of what a local argument points to is a number of 32 bits in the module's reflection.
kernel void k(local char (*p)[8589934592ul]) {} // error: what 'p' points to has 8589934592 bytes, and the limit is 4294967295 // clang: accepts what no device has room for
// ---
// error: what 'p' points to has 8589934592 bytes, and the limit is 4294967295
//  --> test.cl:2:28
//   |
// 2 | kernel void k(local char (*p)[8589934592ul]) {}
//   |                            ^
