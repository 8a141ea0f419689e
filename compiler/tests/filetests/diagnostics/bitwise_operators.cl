// & | ^ ~ and the shifts: not on floating point (6.5.6, 6.5.10).
kernel void k(global int *out, float f, float4 f4, int4 i4, int2 i2, int i, uint4 u4) {
  out[0] = f & 1; // error: invalid operands to binary expression ('float' and 'int')
  out[1] = i | f; // error: invalid operands to binary expression ('int' and 'float')
  f4 = f4 ^ f4; // error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'float4' (vector of 4 'float' values))
  f = ~f; // error: invalid argument type 'float' to unary expression
  f4 = ~f4; // error: invalid argument type 'float4' (vector of 4 'float' values) to unary expression
  f &= 1; // error: invalid operands to binary expression ('float' and 'int')
  out[2] = f << 1; // error: invalid operands to binary expression ('float' and 'int')
  out[3] = i >> f; // error: invalid operands to binary expression ('int' and 'float')
  f4 = f4 << 1; // error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'int')
  out[4] = i << i4; // error: requested shift is a vector of type 'int4' (vector of 4 'int' values) but the first operand is not a vector ('int')
  i4 = i4 << i2; // error: vector operands do not have the same number of elements ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values))
  i4 = i4 << u4;
  i4 = i4 << i;
  i4 <<= f; // error: invalid operands to binary expression ('int4' (vector of 4 'int' values) and 'float')
  i <<= i4; // error: requested shift is a vector of type 'int4' (vector of 4 'int' values) but the first operand is not a vector ('int')
  i4 = i4 & u4; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'uint4' (vector of 4 'unsigned int' values)) are not permitted
}
// ---
// error: invalid operands to binary expression ('float' and 'int')
//  --> test.cl:3:14
//   |
// 3 |   out[0] = f & 1;
//   |              ^
//
// error: invalid operands to binary expression ('int' and 'float')
//  --> test.cl:4:14
//   |
// 4 |   out[1] = i | f;
//   |              ^
//
// error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'float4' (vector of 4 'float' values))
//  --> test.cl:5:11
//   |
// 5 |   f4 = f4 ^ f4;
//   |           ^
//
// error: invalid argument type 'float' to unary expression
//  --> test.cl:6:7
//   |
// 6 |   f = ~f;
//   |       ^^
//
// error: invalid argument type 'float4' (vector of 4 'float' values) to unary expression
//  --> test.cl:7:8
//   |
// 7 |   f4 = ~f4;
//   |        ^^^
//
// error: invalid operands to binary expression ('float' and 'int')
//  --> test.cl:8:5
//   |
// 8 |   f &= 1;
//   |     ^^
//
// error: invalid operands to binary expression ('float' and 'int')
//  --> test.cl:9:14
//   |
// 9 |   out[2] = f << 1;
//   |              ^^
//
// error: invalid operands to binary expression ('int' and 'float')
//   --> test.cl:10:14
//    |
// 10 |   out[3] = i >> f;
//    |              ^^
//
// error: invalid operands to binary expression ('float4' (vector of 4 'float' values) and 'int')
//   --> test.cl:11:11
//    |
// 11 |   f4 = f4 << 1;
//    |           ^^
//
// error: requested shift is a vector of type 'int4' (vector of 4 'int' values) but the first operand is not a vector ('int')
//   --> test.cl:12:14
//    |
// 12 |   out[4] = i << i4;
//    |              ^^
//
// error: vector operands do not have the same number of elements ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values))
//   --> test.cl:13:11
//    |
// 13 |   i4 = i4 << i2;
//    |           ^^
//
// error: invalid operands to binary expression ('int4' (vector of 4 'int' values) and 'float')
//   --> test.cl:16:6
//    |
// 16 |   i4 <<= f;
//    |      ^^^
//
// error: requested shift is a vector of type 'int4' (vector of 4 'int' values) but the first operand is not a vector ('int')
//   --> test.cl:17:5
//    |
// 17 |   i <<= i4;
//    |     ^^^
//
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'uint4' (vector of 4 'unsigned int' values)) are not permitted
//   --> test.cl:18:11
//    |
// 18 |   i4 = i4 & u4;
//    |           ^
