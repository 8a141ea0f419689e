// Usual arithmetic conversions (6.4.6): one vector type, and no scalar of greater rank than its elements.
kernel void k(global int4 *out, int4 i4, uint4 u4, int2 i2, float4 f4, short8 s8, half4 h4, char16 c16,
              uint u, long l, float f, double d, char c, int i) {
  bool b = i > 1;
  out[0] = i4 + u4; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'uint4' (vector of 4 'unsigned int' values)) are not permitted
  i4 = i4 * i2; // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values)) are not permitted
  i4 = i4 + u; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'unsigned int')
  i4 = 0u + i4; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'unsigned int')
  i4 = i4 + l; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'long')
  i4 = i4 + f; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
  f4 = f4 + d; // error: scalar operand type has greater rank than the type of the vector element ('float4' (vector of 4 'float' values) and 'double')
  h4 = h4 + f; // error: scalar operand type has greater rank than the type of the vector element ('half4' (vector of 4 'half' values) and 'float')
  s8 = s8 + i; // error: scalar operand type has greater rank than the type of the vector element ('short8' (vector of 8 'short' values) and 'int')
  c16 = c16 + s8.x; // error: scalar operand type has greater rank than the type of the vector element ('char16' (vector of 16 'char' values) and 'short')
  s8 = s8 + c;
  i4 = i4 + b;
  f4 = f4 + l;
  u4 = u4 + i;
  f4 = f4 + 1.0; // error: scalar operand type has greater rank than the type of the vector element ('float4' (vector of 4 'float' values) and 'double')
  c16 = c16 + 1; // error: scalar operand type has greater rank than the type of the vector element ('char16' (vector of 16 'char' values) and 'int')
}
// ---
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'uint4' (vector of 4 'unsigned int' values)) are not permitted
//  --> test.cl:5:15
//   |
// 5 |   out[0] = i4 + u4;
//   |               ^
//
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'int2' (vector of 2 'int' values)) are not permitted
//  --> test.cl:6:11
//   |
// 6 |   i4 = i4 * i2;
//   |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'unsigned int')
//  --> test.cl:7:11
//   |
// 7 |   i4 = i4 + u;
//   |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'unsigned int')
//  --> test.cl:8:11
//   |
// 8 |   i4 = 0u + i4;
//   |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'long')
//  --> test.cl:9:11
//   |
// 9 |   i4 = i4 + l;
//   |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
//   --> test.cl:10:11
//    |
// 10 |   i4 = i4 + f;
//    |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('float4' (vector of 4 'float' values) and 'double')
//   --> test.cl:11:11
//    |
// 11 |   f4 = f4 + d;
//    |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('half4' (vector of 4 'half' values) and 'float')
//   --> test.cl:12:11
//    |
// 12 |   h4 = h4 + f;
//    |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('short8' (vector of 8 'short' values) and 'int')
//   --> test.cl:13:11
//    |
// 13 |   s8 = s8 + i;
//    |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('char16' (vector of 16 'char' values) and 'short')
//   --> test.cl:14:13
//    |
// 14 |   c16 = c16 + s8.x;
//    |             ^
//
// error: scalar operand type has greater rank than the type of the vector element ('float4' (vector of 4 'float' values) and 'double')
//   --> test.cl:19:11
//    |
// 19 |   f4 = f4 + 1.0;
//    |           ^
//
// error: scalar operand type has greater rank than the type of the vector element ('char16' (vector of 16 'char' values) and 'int')
//   --> test.cl:20:13
//    |
// 20 |   c16 = c16 + 1;
//    |             ^
