// Implicit conversions (6.4.1): between scalars and from a scalar to a vector, never between vectors.
struct S { int a; };
void nothing(void) {}
int takes4(int4 v) { return v.x; }
float4 gives4(int4 v) {
  return v; // error: returning 'int4' (vector of 4 'int' values) from a function with incompatible result type 'float4' (vector of 4 'float' values)
}
kernel void k(global int *out, float f, float4 f4, int4 i4, uint4 u4, int2 i2, struct S s) {
  float4 a = f;
  int b = f;
  i4 = u4; // error: assigning to 'int4' (vector of 4 'int' values) from incompatible type 'uint4' (vector of 4 'unsigned int' values)
  i4 = i2; // error: assigning to 'int4' (vector of 4 'int' values) from incompatible type 'int2' (vector of 2 'int' values)
  float c = f4; // error: initializing 'float' with an expression of incompatible type 'float4' (vector of 4 'float' values)
  out[0] = takes4(f4); // error: passing 'float4' (vector of 4 'float' values) to parameter of incompatible type 'int4' (vector of 4 'int' values)
  out[1] = nothing(); // error: assigning to 'int' from incompatible type 'void'
  out[2] = s; // error: assigning to 'int' from incompatible type 'struct S'
  s = out[2]; // error: assigning to 'struct S' from incompatible type 'int'
  out[3] = out; // error: incompatible pointer to integer conversion assigning '__global int *' to 'int'
  global int *p = 7; // error: incompatible integer to pointer conversion initializing '__global int *' with an expression of type 'int'
  global int *q = f; // error: initializing '__global int *' with an expression of incompatible type 'float'
}
// ---
// error: returning 'int4' (vector of 4 'int' values) from a function with incompatible result type 'float4' (vector of 4 'float' values)
//  --> test.cl:6:10
//   |
// 6 |   return v;
//   |          ^
//
// error: assigning to 'int4' (vector of 4 'int' values) from incompatible type 'uint4' (vector of 4 'unsigned int' values)
//   --> test.cl:11:8
//    |
// 11 |   i4 = u4;
//    |        ^^
//
// error: assigning to 'int4' (vector of 4 'int' values) from incompatible type 'int2' (vector of 2 'int' values)
//   --> test.cl:12:8
//    |
// 12 |   i4 = i2;
//    |        ^^
//
// error: initializing 'float' with an expression of incompatible type 'float4' (vector of 4 'float' values)
//   --> test.cl:13:13
//    |
// 13 |   float c = f4;
//    |             ^^
//
// error: passing 'float4' (vector of 4 'float' values) to parameter of incompatible type 'int4' (vector of 4 'int' values)
//   --> test.cl:14:19
//    |
// 14 |   out[0] = takes4(f4);
//    |                   ^^
//    |
// note: passing argument to parameter here
//   --> test.cl:4:17
//    |
//  4 | int takes4(int4 v) { return v.x; }
//    |                 -
//
// error: assigning to 'int' from incompatible type 'void'
//   --> test.cl:15:12
//    |
// 15 |   out[1] = nothing();
//    |            ^^^^^^^^^
//
// error: assigning to 'int' from incompatible type 'struct S'
//   --> test.cl:16:12
//    |
// 16 |   out[2] = s;
//    |            ^
//
// error: assigning to 'struct S' from incompatible type 'int'
//   --> test.cl:17:7
//    |
// 17 |   s = out[2];
//    |       ^^^^^^
//
// error: incompatible pointer to integer conversion assigning '__global int *' to 'int'
//   --> test.cl:18:12
//    |
// 18 |   out[3] = out;
//    |            ^^^
//
// error: incompatible integer to pointer conversion initializing '__global int *' with an expression of type 'int'
//   --> test.cl:19:19
//    |
// 19 |   global int *p = 7;
//    |                   ^
//
// error: initializing '__global int *' with an expression of incompatible type 'float'
//   --> test.cl:20:19
//    |
// 20 |   global int *q = f;
//    |                   ^
