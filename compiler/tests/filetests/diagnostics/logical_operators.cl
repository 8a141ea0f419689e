// && || ! (6.5.7, 6.5.8); '^^' is reserved.
struct S { int a; };
kernel void k(global int *out, int i, int4 i4, float4 f4, int2 i2, struct S s) {
  out[0] = s && i; // error: invalid operands to binary expression ('struct S' and 'int')
  out[1] = !s; // error: invalid argument type 'struct S' to unary expression
  out[2] = i4 && i2; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values)) are not permitted
  out[3] = i4 || i4; // error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
  i4 = f4 && f4;
  i4 = !f4;
  if (i4 && i4) out[4] = 1; // error: statement requires expression of scalar type ('int4' (vector of 4 'int' values) invalid)
}
// ---
// error: invalid operands to binary expression ('struct S' and 'int')
//  --> test.cl:4:14
//   |
// 4 |   out[0] = s && i;
//   |              ^^
//
// error: invalid argument type 'struct S' to unary expression
//  --> test.cl:5:12
//   |
// 5 |   out[1] = !s;
//   |            ^^
//
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values)) are not permitted
//  --> test.cl:6:15
//   |
// 6 |   out[2] = i4 && i2;
//   |               ^^
//
// error: assigning to 'int' from incompatible type 'int4' (vector of 4 'int' values)
//  --> test.cl:7:12
//   |
// 7 |   out[3] = i4 || i4;
//   |            ^^^^^^^^
//
// error: statement requires expression of scalar type ('int4' (vector of 4 'int' values) invalid)
//   --> test.cl:10:7
//    |
// 10 |   if (i4 && i4) out[4] = 1;
//    |       ^^^^^^^^
