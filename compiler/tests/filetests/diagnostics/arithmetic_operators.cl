// + - * / % and the unary ones (6.5.1 to 6.5.3).
struct S { int a; };
kernel void k(global int *out, float f, float4 f4, int4 i4, int i, struct S s, read_only image2d_t image) {
  out[0] = f % 2.0f; // error: invalid operands to binary expression ('float' and 'float')
  f4 = f4 % f4; // error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'float4' (vector of 4 'float' values))
  f4 %= 2; // error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'int')
  out[1] = s + 1; // error: invalid operands to binary expression ('struct S' and 'int')
  out[2] = -s; // error: invalid argument type 'struct S' to unary expression
  out[3] = +out; // error: invalid argument type '__global int *' to unary expression
  out[4] = i * out; // error: invalid operands to binary expression ('int' and '__global int *')
  out[5] = i - out; // error: invalid operands to binary expression ('int' and '__global int *')
  out[6] = out + out; // error: invalid operands to binary expression ('__global int *' and '__global int *')
  f4++; // error: cannot increment value of type 'float4' (vector of 4 'float' values)
  --f4; // error: cannot decrement value of type 'float4' (vector of 4 'float' values)
  i4++;
  f++;
  s++; // error: cannot increment value of type 'struct S'
  (i + 1)++; // error: expression is not assignable
  5++; // error: expression is not assignable
  i4.xx++; // error: vector is not assignable (contains duplicate components)
  const int fixed = 1;
  fixed++; // error: cannot assign to variable 'fixed' with const-qualified type 'const int'
  out[7] = image + 1; // error: invalid operands to binary expression ('__read_only image2d_t' and 'int')
}
// ---
// error: invalid operands to binary expression ('float' and 'float')
//  --> test.cl:4:14
//   |
// 4 |   out[0] = f % 2.0f;
//   |              ^
//
// error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'float4' (vector of 4 'float' values))
//  --> test.cl:5:11
//   |
// 5 |   f4 = f4 % f4;
//   |           ^
//
// error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'int')
//  --> test.cl:6:6
//   |
// 6 |   f4 %= 2;
//   |      ^^
//
// error: invalid operands to binary expression ('struct S' and 'int')
//  --> test.cl:7:14
//   |
// 7 |   out[1] = s + 1;
//   |              ^
//
// error: invalid argument type 'struct S' to unary expression
//  --> test.cl:8:12
//   |
// 8 |   out[2] = -s;
//   |            ^^
//
// error: invalid argument type '__global int *' to unary expression
//  --> test.cl:9:12
//   |
// 9 |   out[3] = +out;
//   |            ^^^^
//
// error: invalid operands to binary expression ('int' and '__global int *')
//   --> test.cl:10:14
//    |
// 10 |   out[4] = i * out;
//    |              ^
//
// error: invalid operands to binary expression ('int' and '__global int *')
//   --> test.cl:11:14
//    |
// 11 |   out[5] = i - out;
//    |              ^
//
// error: invalid operands to binary expression ('__global int *' and '__global int *')
//   --> test.cl:12:16
//    |
// 12 |   out[6] = out + out;
//    |                ^
//
// error: cannot increment value of type 'float4' (vector of 4 'float' values)
//   --> test.cl:13:3
//    |
// 13 |   f4++;
//    |   ^^^^
//
// error: cannot decrement value of type 'float4' (vector of 4 'float' values)
//   --> test.cl:14:3
//    |
// 14 |   --f4;
//    |   ^^^^
//
// error: cannot increment value of type 'struct S'
//   --> test.cl:17:3
//    |
// 17 |   s++;
//    |   ^^^
//
// error: expression is not assignable
//   --> test.cl:18:3
//    |
// 18 |   (i + 1)++;
//    |   ^^^^^^^^^
//
// error: expression is not assignable
//   --> test.cl:19:3
//    |
// 19 |   5++;
//    |   ^^^
//
// error: vector is not assignable (contains duplicate components)
//   --> test.cl:20:3
//    |
// 20 |   i4.xx++;
//    |   ^^^^^^^
//
// error: cannot assign to variable 'fixed' with const-qualified type 'const int'
//   --> test.cl:22:3
//    |
// 22 |   fixed++;
//    |   ^^^^^^^
//
// error: invalid operands to binary expression ('__read_only image2d_t' and 'int')
//   --> test.cl:23:18
//    |
// 23 |   out[7] = image + 1;
//    |                  ^
