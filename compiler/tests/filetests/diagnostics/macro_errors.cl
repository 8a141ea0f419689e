// Macros used wrongly (C99 6.10.3).
#define ADD(a, b) ((a) + (b))
#define JOIN(a, b) a ## b
kernel void k(global int *out) {
  out[0] = ADD(1); // error: too few arguments provided to function-like macro invocation // error: use of undeclared identifier 'ADD'
  out[1] = ADD(1, 2, 3); // error: too many arguments provided to function-like macro invocation
  out[2] = JOIN(+, /) 3; // error: pasting formed '+/', an invalid preprocessing token // error: expected expression
}
// ---
// error: too few arguments provided to function-like macro invocation
//  --> test.cl:5:12
//   |
// 5 |   out[0] = ADD(1);
//   |            ^^^ 1 given, 2 expected
//   |
// note: macro 'ADD' defined here
//  --> test.cl:2:9
//   |
// 2 | #define ADD(a, b) ((a) + (b))
//   |         ---
//
// error: too many arguments provided to function-like macro invocation
//  --> test.cl:6:12
//   |
// 6 |   out[1] = ADD(1, 2, 3);
//   |            ^^^ 3 given, 2 expected
//   |
// note: macro 'ADD' defined here
//  --> test.cl:2:9
//   |
// 2 | #define ADD(a, b) ((a) + (b))
//   |         ---
//
// error: pasting formed '+/', an invalid preprocessing token
//  --> test.cl:7:12
//   |
// 7 |   out[2] = JOIN(+, /) 3;
//   |            ^^^^
//   |
// note: in expansion of macro 'JOIN'
//  --> test.cl:3:25
//   |
// 3 | #define JOIN(a, b) a ## b
//   |                         -
//
// error: expected expression
//  --> test.cl:7:20
//   |
// 7 |   out[2] = JOIN(+, /) 3;
//   |                    ^
//
// error: use of undeclared identifier 'ADD'
//  --> test.cl:5:12
//   |
// 5 |   out[0] = ADD(1);
//   |            ^^^
