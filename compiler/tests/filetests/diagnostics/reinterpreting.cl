// as_T (6.4.4): the sizes must match.
struct S { int a; };
kernel void k(global int *out, float4 f4, float f, int i, short2 s2, struct S s, int4 i4) {
  bool b = i > 1;
  uint a = as_uint(f);
  short2 c = as_short2(i);
  float3 d = as_float3(f4);
  double4 e = as_double4(f4); // error: invalid reinterpretation: sizes of 'double4' (vector of 4 'double' values) and 'float4' (vector of 4 'float' values) must match
  int g = as_int(s2.x); // error: invalid reinterpretation: sizes of 'int' and 'short' must match
  long h = as_long(f); // error: invalid reinterpretation: sizes of 'long' and 'float' must match
  bool j = as_bool(i); // error: implicit declaration of function 'as_bool' is invalid in OpenCL
  int l = as_int(s); // as clang, beyond 6.4.4.2, which is for scalars and vectors
  int m = as_int(out); // error: invalid reinterpretation: sizes of 'int' and '__global int *' must match
  char n = as_char(b); // as clang
  size_t o = as_size_t(1ul);
  float3 p = as_float3(f); // error: invalid reinterpretation: sizes of 'float3' (vector of 3 'float' values) and 'float' must match
  long r = as_long(s); // error: invalid reinterpretation: sizes of 'long' and 'struct S' must match
  int q = as_int(1, 2); // error: too many arguments to function call, expected 1, have 2
  out[0] = a + c.x + d.x;
}
// ---
// error: invalid reinterpretation: sizes of 'double4' (vector of 4 'double' values) and 'float4' (vector of 4 'float' values) must match
//  --> test.cl:8:15
//   |
// 8 |   double4 e = as_double4(f4);
//   |               ^^^^^^^^^^^^^^
//
// error: invalid reinterpretation: sizes of 'int' and 'short' must match
//  --> test.cl:9:11
//   |
// 9 |   int g = as_int(s2.x);
//   |           ^^^^^^^^^^^^
//
// error: invalid reinterpretation: sizes of 'long' and 'float' must match
//   --> test.cl:10:12
//    |
// 10 |   long h = as_long(f);
//    |            ^^^^^^^^^^
//
// error: implicit declaration of function 'as_bool' is invalid in OpenCL
//   --> test.cl:11:12
//    |
// 11 |   bool j = as_bool(i);
//    |            ^^^^^^^
//
// error: invalid reinterpretation: sizes of 'int' and '__global int *' must match
//   --> test.cl:13:11
//    |
// 13 |   int m = as_int(out);
//    |           ^^^^^^^^^^^
//
// error: invalid reinterpretation: sizes of 'float3' (vector of 3 'float' values) and 'float' must match
//   --> test.cl:16:14
//    |
// 16 |   float3 p = as_float3(f);
//    |              ^^^^^^^^^^^^
//
// error: invalid reinterpretation: sizes of 'long' and 'struct S' must match
//   --> test.cl:17:12
//    |
// 17 |   long r = as_long(s);
//    |            ^^^^^^^^^^
//
// error: too many arguments to function call, expected 1, have 2
//   --> test.cl:18:11
//    |
// 18 |   int q = as_int(1, 2);
//    |           ^^^^^^
