// What can stand left of = (6.5.15).
struct S { int a; const int b; };
int f(int a) { return a; }
constant int table[2] = { 1, 2 };
kernel void k(global int *out, const global int *in, constant float *c, float4 v, int i, int4 i4, struct S s) {
  int array[2] = { 1, 2 };
  const int fixed = 3;
  3 = i; // error: expression is not assignable
  i + 1 = 3; // error: expression is not assignable
  f(i) = 3; // error: expression is not assignable
  f = 3; // error: taking address of function is not allowed
  array = 0; // error: array type 'int[2]' is not assignable
  fixed = 4; // error: cannot assign to variable 'fixed' with const-qualified type 'const int'
  in[0] = 1; // error: read-only variable is not assignable
  c[0] = 1; // error: read-only variable is not assignable
  table[0] = 2; // error: read-only variable is not assignable
  v.xyxy = v; // error: vector is not assignable (contains duplicate components)
  s.b = 2; // error: cannot assign to member 'b' with const-qualified type 'const int'
  s = s; // error: cannot assign to variable 's' with const-qualified data member 'b'
  i4 += 1.0f; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
  i += i4; // error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
  out += out; // error: invalid operands to binary expression ('__global int *' and '__global int *')
  out *= 2; // error: invalid operands to binary expression ('__global int *' and 'int')
  -i = 3; // error: expression is not assignable
  (float)i = 3; // error: assignment to cast is illegal, lvalue casts are not supported
}
// ---
// error: expression is not assignable
//  --> test.cl:8:5
//   |
// 8 |   3 = i;
//   |     ^
//
// error: expression is not assignable
//  --> test.cl:9:9
//   |
// 9 |   i + 1 = 3;
//   |         ^
//
// error: expression is not assignable
//   --> test.cl:10:8
//    |
// 10 |   f(i) = 3;
//    |        ^
//
// error: taking address of function is not allowed
//   --> test.cl:11:3
//    |
// 11 |   f = 3;
//    |   ^
//
// error: array type 'int[2]' is not assignable
//   --> test.cl:12:9
//    |
// 12 |   array = 0;
//    |         ^
//
// error: cannot assign to variable 'fixed' with const-qualified type 'const int'
//   --> test.cl:13:9
//    |
// 13 |   fixed = 4;
//    |         ^
//
// error: read-only variable is not assignable
//   --> test.cl:14:9
//    |
// 14 |   in[0] = 1;
//    |         ^
//
// error: read-only variable is not assignable
//   --> test.cl:15:8
//    |
// 15 |   c[0] = 1;
//    |        ^
//
// error: read-only variable is not assignable
//   --> test.cl:16:12
//    |
// 16 |   table[0] = 2;
//    |            ^
//
// error: vector is not assignable (contains duplicate components)
//   --> test.cl:17:10
//    |
// 17 |   v.xyxy = v;
//    |          ^
//
// error: cannot assign to member 'b' with const-qualified type 'const int'
//   --> test.cl:18:7
//    |
// 18 |   s.b = 2;
//    |       ^
//
// error: cannot assign to variable 's' with const-qualified data member 'b'
//   --> test.cl:19:5
//    |
// 19 |   s = s;
//    |     ^
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
//   --> test.cl:20:6
//    |
// 20 |   i4 += 1.0f;
//    |      ^^
//
// error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
//   --> test.cl:21:5
//    |
// 21 |   i += i4;
//    |     ^^
//
// error: invalid operands to binary expression ('__global int *' and '__global int *')
//   --> test.cl:22:7
//    |
// 22 |   out += out;
//    |       ^^
//
// error: invalid operands to binary expression ('__global int *' and 'int')
//   --> test.cl:23:7
//    |
// 23 |   out *= 2;
//    |       ^^
//
// error: expression is not assignable
//   --> test.cl:24:6
//    |
// 24 |   -i = 3;
//    |      ^
//
// error: assignment to cast is illegal, lvalue casts are not supported
//   --> test.cl:25:12
//    |
// 25 |   (float)i = 3;
//    |            ^
