// Vector literals: the elements must come out even (6.3.6).
kernel void k(global float4 *out, float2 two, float3 three, int2 i2, float f, int4 i4) {
  out[0] = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  out[1] = (float4)(1.0f, 2.0f); // error: too few elements in vector initialization (expected 4 elements, have 2)
  out[2] = (float4)(two, 1.0f); // error: too few elements in vector initialization (expected 4 elements, have 3)
  out[3] = (float4)(two, three); // error: excess elements in vector initializer
  out[4] = (float4)(two, i2); // error: initializing 'float2' (vector of 2 'float' values) with an expression of incompatible type 'int2' (vector of 2 'int' values)
  out[5] = (float4)(i4); // error: invalid conversion between ext-vector type 'float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)
  out[6] = (float4)(out, f, f, f); // error: initializing 'float' with an expression of incompatible type '__global float4 *'
  out[7] = (float4){ 1, 2, 3, 4, 5 }; // error: excess elements in vector initializer
  float4 v = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f }; // error: excess elements in vector initializer
  (float4)(1, 2, 3, 4) = out[0]; // error: expression is not assignable // clang: accepts, implementation-defined in 6.3.6
  out[9] = v;
}
// ---
// error: too few elements in vector initialization (expected 4 elements, have 2)
//  --> test.cl:4:12
//   |
// 4 |   out[1] = (float4)(1.0f, 2.0f);
//   |            ^^^^^^^^^^^^^^^^^^^^
//
// error: too few elements in vector initialization (expected 4 elements, have 3)
//  --> test.cl:5:12
//   |
// 5 |   out[2] = (float4)(two, 1.0f);
//   |            ^^^^^^^^^^^^^^^^^^^
//
// error: excess elements in vector initializer
//  --> test.cl:6:12
//   |
// 6 |   out[3] = (float4)(two, three);
//   |            ^^^^^^^^^^^^^^^^^^^^
//
// error: initializing 'float2' (vector of 2 'float' values) with an expression of incompatible type 'int2' (vector of 2 'int' values)
//  --> test.cl:7:26
//   |
// 7 |   out[4] = (float4)(two, i2);
//   |                          ^^
//
// error: invalid conversion between ext-vector type 'float4' (vector of 4 'float' values) and 'int4' (vector of 4 'int' values)
//  --> test.cl:8:12
//   |
// 8 |   out[5] = (float4)(i4);
//   |            ^^^^^^^^^^^^
//   |
// help: use 'convert_float4' to convert values or 'as_float4' to keep the bits
//
// error: initializing 'float' with an expression of incompatible type '__global float4 *'
//  --> test.cl:9:21
//   |
// 9 |   out[6] = (float4)(out, f, f, f);
//   |                     ^^^
//
// error: excess elements in vector initializer
//   --> test.cl:10:20
//    |
// 10 |   out[7] = (float4){ 1, 2, 3, 4, 5 };
//    |                    ^^^^^^^^^^^^^^^^^
//
// error: excess elements in vector initializer
//   --> test.cl:11:14
//    |
// 11 |   float4 v = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f };
//    |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: expression is not assignable
//   --> test.cl:12:24
//    |
// 12 |   (float4)(1, 2, 3, 4) = out[0];
//    |                        ^
