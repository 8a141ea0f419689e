// ?: (6.5.9).
struct S { int a; };
struct T { int a; };
kernel void k(global int *out, float f, float4 f4, int4 i4, int2 i2, short4 s4, uint4 u4, int i, struct S s, struct T t,
              global int *g, local int *l, global float *gf) {
  f4 = f4 ? f4 : f4; // error: used type 'float4' (vector of 4 'float' values) where floating point type is not allowed
  i = f ? 1 : 2; // error: used type 'float' where floating point type is not allowed
  f4 = i2 ? f4 : f4; // error: vector condition type and result type do not have the same number of elements ('int2' (vector of 2 'int' values) and 'float4' (vector of 4 'float' values))
  f4 = s4 ? f4 : f4; // error: vector condition type and result type do not have elements of the same size ('short4' (vector of 4 'short' values) and 'float4' (vector of 4 'float' values))
  i4 = i4 ? i4 : u4; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'uint4' (vector of 4 'unsigned int' values)) are not permitted
  i4 = i ? i4 : f4; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)) are not permitted
  i = i ? s : i; // error: incompatible operand types ('struct S' and 'int')
  s = i ? s : t; // error: incompatible operand types ('struct S' and 'struct T')
  s = s ? s : s; // error: used type 'struct S' where arithmetic or pointer type is required
  g = i ? g : l; // error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
  (i ? i : i) = 3; // error: expression is not assignable
  i4 = i4 ? i4 : s; // error: incompatible operand types ('int4' (vector of 4 'int' values) and 'struct S')
  g = i ? g : gf; // warning: pointer type mismatch ('__global int *' and '__global float *')
}
// ---
// error: used type 'float4' (vector of 4 'float' values) where floating point type is not allowed
//  --> test.cl:6:8
//   |
// 6 |   f4 = f4 ? f4 : f4;
//   |        ^^
//
// error: used type 'float' where floating point type is not allowed
//  --> test.cl:7:7
//   |
// 7 |   i = f ? 1 : 2;
//   |       ^
//   |
// help: compare it with zero: 'x != 0'
//
// error: vector condition type and result type do not have the same number of elements ('int2' (vector of 2 'int' values) and 'float4' (vector of 4 'float' values))
//  --> test.cl:8:8
//   |
// 8 |   f4 = i2 ? f4 : f4;
//   |        ^^^^^^^^^^^^
//
// error: vector condition type and result type do not have elements of the same size ('short4' (vector of 4 'short' values) and 'float4' (vector of 4 'float' values))
//  --> test.cl:9:8
//   |
// 9 |   f4 = s4 ? f4 : f4;
//   |        ^^^^^^^^^^^^
//
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'uint4' (vector of 4 'unsigned int' values)) are not permitted
//   --> test.cl:10:8
//    |
// 10 |   i4 = i4 ? i4 : u4;
//    |        ^^^^^^^^^^^^
//
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)) are not permitted
//   --> test.cl:11:8
//    |
// 11 |   i4 = i ? i4 : f4;
//    |        ^^^^^^^^^^^
//
// error: incompatible operand types ('struct S' and 'int')
//   --> test.cl:12:7
//    |
// 12 |   i = i ? s : i;
//    |       ^^^^^^^^^
//
// error: incompatible operand types ('struct S' and 'struct T')
//   --> test.cl:13:7
//    |
// 13 |   s = i ? s : t;
//    |       ^^^^^^^^^
//
// error: used type 'struct S' where arithmetic or pointer type is required
//   --> test.cl:14:7
//    |
// 14 |   s = s ? s : s;
//    |       ^
//
// error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
//   --> test.cl:15:7
//    |
// 15 |   g = i ? g : l;
//    |       ^^^^^^^^^
//
// error: expression is not assignable
//   --> test.cl:16:15
//    |
// 16 |   (i ? i : i) = 3;
//    |               ^
//
// error: incompatible operand types ('int4' (vector of 4 'int' values) and 'struct S')
//   --> test.cl:17:8
//    |
// 17 |   i4 = i4 ? i4 : s;
//    |        ^^^^^^^^^^^
//
// warning: pointer type mismatch ('__global int *' and '__global float *') [-Wpointer-type-mismatch]
//   --> test.cl:18:7
//    |
// 18 |   g = i ? g : gf;
//    |       ^^^^^^^^^^
