// A call of a macro without its end (C99 6.10.3).
#define TWICE(a) a a
kernel void k(global int *out) {
  out[0] = TWICE(; // error: unterminated function-like macro invocation // error: expected ';' after expression
} // error: expected '}' // clang: rejects, a consequence
// ---
// error: unterminated function-like macro invocation
//  --> test.cl:4:12
//   |
// 4 |   out[0] = TWICE(;
//   |            ^^^^^
//   |
// note: macro 'TWICE' defined here
//  --> test.cl:2:9
//   |
// 2 | #define TWICE(a) a a
//   |         -----
//
// error: expected ';' after expression
//  --> test.cl:4:17
//   |
// 4 |   out[0] = TWICE(;
//   |                 ^
//
// error: expected '}'
//  --> test.cl:6:1
//   |
// 6 |
//   | ^
//   |
// note: to match this '{'
//  --> test.cl:3:32
//   |
// 3 | kernel void k(global int *out) {
//   |                                -
