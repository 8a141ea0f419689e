// Casts (6.4.2): never between vector types.
struct S { int a; };
void nothing(void) {}
kernel void k(global int *out, int4 i, float4 f, float s, struct S r) {
  bool b = s > 1;
  uchar4 t = (uchar4)b;
  uint4 u = (uint4)i; // error: invalid conversion between ext-vector type 'uint4' (vector of 4 'unsigned int' values) and 'int4' (vector of 4 'int' values)
  int4 i4 = (int4)f; // error: invalid conversion between ext-vector type 'int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)
  int8 i8 = (int8)f; // error: invalid conversion between ext-vector type 'int8' (vector of 8 'int' values) and 'float4' (vector of 4 'float' values)
  int n = (int)f; // error: invalid conversion between vector type 'float4' (vector of 4 'float' values) and 'int'
  out[0] = (int)r; // error: operand of type 'struct S' where arithmetic or pointer type is required
  r = (struct S)s; // error: used type 'struct S' where arithmetic or pointer type is required
  out[1] = (int)nothing(); // error: operand of type 'void' where arithmetic or pointer type is required
  out[2] = *(global int *)s; // error: operand of type 'float' cannot be cast to a pointer type
  s = (float)out; // error: pointer cannot be cast to type 'float'
  out[3] = (int[2])s; // error: used type 'int[2]' where arithmetic or pointer type is required
}
// ---
// error: invalid conversion between ext-vector type 'uint4' (vector of 4 'unsigned int' values) and 'int4' (vector of 4 'int' values)
//  --> test.cl:7:13
//   |
// 7 |   uint4 u = (uint4)i;
//   |             ^^^^^^^^
//   |
// help: use 'convert_uint4' to convert values or 'as_uint4' to keep the bits
//
// error: invalid conversion between ext-vector type 'int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)
//  --> test.cl:8:13
//   |
// 8 |   int4 i4 = (int4)f;
//   |             ^^^^^^^
//   |
// help: use 'convert_int4' to convert values or 'as_int4' to keep the bits
//
// error: invalid conversion between ext-vector type 'int8' (vector of 8 'int' values) and 'float4' (vector of 4 'float' values)
//  --> test.cl:9:13
//   |
// 9 |   int8 i8 = (int8)f;
//   |             ^^^^^^^
//
// error: invalid conversion between vector type 'float4' (vector of 4 'float' values) and 'int'
//   --> test.cl:10:11
//    |
// 10 |   int n = (int)f;
//    |           ^^^^^^
//
// error: operand of type 'struct S' where arithmetic or pointer type is required
//   --> test.cl:11:12
//    |
// 11 |   out[0] = (int)r;
//    |            ^^^^^^
//
// error: used type 'struct S' where arithmetic or pointer type is required
//   --> test.cl:12:7
//    |
// 12 |   r = (struct S)s;
//    |       ^^^^^^^^^^^
//
// error: operand of type 'void' where arithmetic or pointer type is required
//   --> test.cl:13:12
//    |
// 13 |   out[1] = (int)nothing();
//    |            ^^^^^^^^^^^^^^
//
// error: operand of type 'float' cannot be cast to a pointer type
//   --> test.cl:14:13
//    |
// 14 |   out[2] = *(global int *)s;
//    |             ^^^^^^^^^^^^^^^
//
// error: pointer cannot be cast to type 'float'
//   --> test.cl:15:7
//    |
// 15 |   s = (float)out;
//    |       ^^^^^^^^^^
//
// error: used type 'int[2]' where arithmetic or pointer type is required
//   --> test.cl:16:12
//    |
// 16 |   out[3] = (int[2])s;
//    |            ^^^^^^^^^
