// Constant indices outside of arrays.
struct S { int inside[2]; int tail[1]; };
constant int table[3] = { 1, 2, 3 };
kernel void k(global int *out, global struct S *s) {
  int a[2] = { 1, 2 };
  local int shared[4];
  a[2] = 1; // warning: array index 2 is past the end of the array (which contains 2 elements)
  a[-1] = 1; // warning: array index -1 is before the beginning of the array
  int *end = &a[2];
  int *past = &a[3]; // warning: array index 3 is past the end of the array (which contains 2 elements)
  out[0] = table[3]; // warning: array index 3 is past the end of the array (which contains 3 elements)
  out[1] = s->inside[2]; // warning: array index 2 is past the end of the array (which contains 2 elements)
  out[2] = s->tail[5];
  shared[4] = 1; // warning: array index 4 is past the end of the array (which contains 4 elements)
  out[-1] = *end + *past;
  out[3] = sizeof(a[7]);
}
// ---
// warning: array index 2 is past the end of the array (which contains 2 elements) [-Warray-bounds]
//  --> test.cl:7:5
//   |
// 7 |   a[2] = 1;
//   |     ^
//   |
// note: array 'a' declared here
//  --> test.cl:5:7
//   |
// 5 |   int a[2] = { 1, 2 };
//   |       -
//
// warning: array index -1 is before the beginning of the array [-Warray-bounds]
//  --> test.cl:8:5
//   |
// 8 |   a[-1] = 1;
//   |     ^^
//   |
// note: array 'a' declared here
//  --> test.cl:5:7
//   |
// 5 |   int a[2] = { 1, 2 };
//   |       -
//
// warning: array index 3 is past the end of the array (which contains 2 elements) [-Warray-bounds]
//   --> test.cl:10:18
//    |
// 10 |   int *past = &a[3];
//    |                  ^
//    |
// note: array 'a' declared here
//   --> test.cl:5:7
//    |
//  5 |   int a[2] = { 1, 2 };
//    |       -
//
// warning: array index 3 is past the end of the array (which contains 3 elements) [-Warray-bounds]
//   --> test.cl:11:18
//    |
// 11 |   out[0] = table[3];
//    |                  ^
//    |
// note: array 'table' declared here
//   --> test.cl:3:14
//    |
//  3 | constant int table[3] = { 1, 2, 3 };
//    |              -----
//
// warning: array index 2 is past the end of the array (which contains 2 elements) [-Warray-bounds]
//   --> test.cl:12:22
//    |
// 12 |   out[1] = s->inside[2];
//    |                      ^
//
// warning: array index 4 is past the end of the array (which contains 4 elements) [-Warray-bounds]
//   --> test.cl:14:10
//    |
// 14 |   shared[4] = 1;
//    |          ^
//    |
// note: array 'shared' declared here
//   --> test.cl:6:13
//    |
//  6 |   local int shared[4];
//    |             ------
