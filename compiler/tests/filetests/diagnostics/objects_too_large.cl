// Sizes have 64 bits: no array length is truncated, and objects beyond the targets' limits are errors.
// options: -cl-std=CL2.0
global char zeros[1 << 30]; // error: variable 'zeros' is too large: 1073741824 bytes, and the limit is 268435456 // clang: accepts what no device has room for
global char beyond[6ul << 30]; // error: variable 'beyond' is too large: 6442450944 bytes, and the limit is 268435456 // clang: accepts
struct Large { int data[4294967301ul]; };
struct Nested { char first[1ul << 40], second; }; // error: structure is too large: 1099511627777 bytes, and the limit is 1099511627776 // clang: accepts
void parameter(struct Large by_value); // only definitions have objects
void defined(struct Large by_value) {} // error: variable 'by_value' is too large: 17179869204 bytes, and the limit is 4294967295 // clang: accepts
kernel void k(global int *out, global struct Large *p) {
  int a[4294967301ul]; // error: variable 'a' is too large: 17179869204 bytes, and the limit is 4294967295 // clang: accepts
  local int b[4294967296ul]; // error: variable 'b' is too large: 17179869184 bytes, and the limit is 4294967295 // clang: accepts
  struct Large c; // error: variable 'c' is too large: 17179869204 bytes, and the limit is 4294967295 // clang: accepts
  char d[1099511627777ul]; // error: array is too large (1099511627777 elements) // clang: accepts
  char e[4294967295ul];
  out[0] = sizeof(struct Large) == 17179869204ul;
  out[1] = p[1].data[4294967300ul];
}
// ---
// error: structure is too large: 1099511627777 bytes, and the limit is 1099511627776
//  --> test.cl:6:1
//   |
// 6 | struct Nested { char first[1ul << 40], second; };
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: variable 'by_value' is too large: 17179869204 bytes, and the limit is 4294967295
//  --> test.cl:8:27
//   |
// 8 | void defined(struct Large by_value) {}
//   |                           ^^^^^^^^
//
// error: variable 'a' is too large: 17179869204 bytes, and the limit is 4294967295
//   --> test.cl:10:7
//    |
// 10 |   int a[4294967301ul];
//    |       ^
//
// error: variable 'b' is too large: 17179869184 bytes, and the limit is 4294967295
//   --> test.cl:11:13
//    |
// 11 |   local int b[4294967296ul];
//    |             ^
//
// error: variable 'c' is too large: 17179869204 bytes, and the limit is 4294967295
//   --> test.cl:12:16
//    |
// 12 |   struct Large c;
//    |                ^
//
// error: array is too large (1099511627777 elements)
//   --> test.cl:13:10
//    |
// 13 |   char d[1099511627777ul];
//    |          ^^^^^^^^^^^^^^^
//
// error: variable 'zeros' is too large: 1073741824 bytes, and the limit is 268435456
//  --> test.cl:3:13
//   |
// 3 | global char zeros[1 << 30];
//   |             ^^^^^
//
// error: variable 'beyond' is too large: 6442450944 bytes, and the limit is 268435456
//  --> test.cl:4:13
//   |
// 4 | global char beyond[6ul << 30];
//   |             ^^^^^^
