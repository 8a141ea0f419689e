// < > <= >= == != (6.5.4, 6.5.5).
struct S { int a; };
kernel void k(global int *out, int4 i4, float4 f4, int2 i2, uint u, struct S s, struct S t, local int *l, float f, global float *g) {
  out[0] = i4 < i2; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values)) are not permitted
  int4 a = f4 < i4; // error: implicit conversions between vector types ('float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)) are not permitted
  out[1] = i4 == 1; // error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
  float4 b = f4 == f4; // error: initializing 'float4' (vector of 4 'float' values) with an expression of incompatible type 'int4' (vector of 4 'int' values)
  a = i4 >= u; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'unsigned int')
  out[2] = s == t; // error: invalid operands to binary expression ('struct S' and 'struct S')
  out[3] = s < t; // error: invalid operands to binary expression ('struct S' and 'struct S')
  out[4] = out == l; // error: comparison or difference of '__global int *' and '__local int *', which are pointers to non-overlapping address spaces
  out[5] = out == f; // error: invalid operands to binary expression ('__global int *' and 'float')
  out[6] = out == 1; // warning: comparison between pointer and integer ('__global int *' and 'int')
  out[7] = out < g; // warning: comparison of distinct pointer types ('__global int *' and '__global float *')
}
// ---
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values)) are not permitted
//  --> test.cl:4:15
//   |
// 4 |   out[0] = i4 < i2;
//   |               ^
//
// error: implicit conversions between vector types ('float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)) are not permitted
//  --> test.cl:5:15
//   |
// 5 |   int4 a = f4 < i4;
//   |               ^
//
// error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
//  --> test.cl:6:12
//   |
// 6 |   out[1] = i4 == 1;
//   |            ^^^^^^^
//
// error: initializing 'float4' (vector of 4 'float' values) with an expression of incompatible type 'int4' (vector of 4 'int' values)
//  --> test.cl:7:14
//   |
// 7 |   float4 b = f4 == f4;
//   |              ^^^^^^^^
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'unsigned int')
//  --> test.cl:8:10
//   |
// 8 |   a = i4 >= u;
//   |          ^^
//
// error: invalid operands to binary expression ('struct S' and 'struct S')
//  --> test.cl:9:14
//   |
// 9 |   out[2] = s == t;
//   |              ^^
//
// error: invalid operands to binary expression ('struct S' and 'struct S')
//   --> test.cl:10:14
//    |
// 10 |   out[3] = s < t;
//    |              ^
//
// error: comparison or difference of '__global int *' and '__local int *', which are pointers to non-overlapping address spaces
//   --> test.cl:11:16
//    |
// 11 |   out[4] = out == l;
//    |                ^^
//
// error: invalid operands to binary expression ('__global int *' and 'float')
//   --> test.cl:12:16
//    |
// 12 |   out[5] = out == f;
//    |                ^^
//
// warning: comparison between pointer and integer ('__global int *' and 'int') [-Wpointer-integer-compare]
//   --> test.cl:13:16
//    |
// 13 |   out[6] = out == 1;
//    |                ^^
//
// warning: comparison of distinct pointer types ('__global int *' and '__global float *') [-Wcompare-distinct-pointer-types]
//   --> test.cl:14:16
//    |
// 14 |   out[7] = out < g;
//    |                ^
