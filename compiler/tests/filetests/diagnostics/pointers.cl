// * and & (6.5.13, 6.5.14).
struct Unknown;
int f(int a) { return a; }
kernel void k(global int *out, global struct Unknown *u, float x, constant int *c) {
  out[0] = *out[1]; // error: indirection requires pointer operand ('int' invalid)
  out[1] = *x; // error: indirection requires pointer operand ('float' invalid)
  int *a = &5; // error: cannot take the address of an rvalue of type 'int'
  int *b = &(x + 1); // error: cannot take the address of an rvalue of type 'float'
  int *d = &out; // warning: incompatible pointer types initializing 'int *' with an expression of type '__global int **'
  out[2] = f == f; // error: taking address of function is not allowed // error: taking address of function is not allowed
  int *g = &f; // error: taking address of function is not allowed
  u++; // error: arithmetic on a pointer to an incomplete type 'struct Unknown'
  out[3] = u[1]; // error: subscript of pointer to incomplete type 'struct Unknown'
  void *v = 0;
  out[4] = *v; // error: expression of type 'void' cannot be used as a value
  *c = 3; // error: read-only variable is not assignable
}
// ---
// error: indirection requires pointer operand ('int' invalid)
//  --> test.cl:5:12
//   |
// 5 |   out[0] = *out[1];
//   |            ^^^^^^^
//
// error: indirection requires pointer operand ('float' invalid)
//  --> test.cl:6:12
//   |
// 6 |   out[1] = *x;
//   |            ^^
//
// error: cannot take the address of an rvalue of type 'int'
//  --> test.cl:7:12
//   |
// 7 |   int *a = &5;
//   |            ^^
//
// error: cannot take the address of an rvalue of type 'float'
//  --> test.cl:8:12
//   |
// 8 |   int *b = &(x + 1);
//   |            ^^^^^^^^
//
// warning: incompatible pointer types initializing 'int *' with an expression of type '__global int **' [-Wincompatible-pointer-types]
//  --> test.cl:9:12
//   |
// 9 |   int *d = &out;
//   |            ^^^^
//
// error: taking address of function is not allowed
//   --> test.cl:10:12
//    |
// 10 |   out[2] = f == f;
//    |            ^
//
// error: taking address of function is not allowed
//   --> test.cl:10:17
//    |
// 10 |   out[2] = f == f;
//    |                 ^
//
// error: taking address of function is not allowed
//   --> test.cl:11:13
//    |
// 11 |   int *g = &f;
//    |             ^
//
// error: arithmetic on a pointer to an incomplete type 'struct Unknown'
//   --> test.cl:12:3
//    |
// 12 |   u++;
//    |   ^^^
//    |
// note: forward declaration of 'struct Unknown'
//   --> test.cl:2:8
//    |
//  2 | struct Unknown;
//    |        -------
//
// error: subscript of pointer to incomplete type 'struct Unknown'
//   --> test.cl:13:12
//    |
// 13 |   out[3] = u[1];
//    |            ^^^^
//    |
// note: forward declaration of 'struct Unknown'
//   --> test.cl:2:8
//    |
//  2 | struct Unknown;
//    |        -------
//
// error: expression of type 'void' cannot be used as a value
//   --> test.cl:15:12
//    |
// 15 |   out[4] = *v;
//    |            ^^
//
// error: read-only variable is not assignable
//   --> test.cl:16:6
//    |
// 16 |   *c = 3;
//    |      ^
