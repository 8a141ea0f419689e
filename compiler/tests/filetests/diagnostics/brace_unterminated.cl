// A function without its end.
kernel void k(global int *out) {
  if (out[0]) {
    out[0] = 1;
} // error: expected '}'
// ---
// error: expected '}'
//  --> test.cl:6:1
//   |
// 6 |
//   | ^
//   |
// note: to match this '{'
//  --> test.cl:2:32
//   |
// 2 | kernel void k(global int *out) {
//   |                                -
