// convert_T (6.4.3).
kernel void k(global int *out, float4 f4, float f, int2 i2, global int *p) {
  int4 a = convert_int4(f4);
  int2 b = convert_int2(f4); // error: no matching function for call to 'convert_int2' with an argument of type 'float4' (vector of 4 'float' values)
  int c = convert_int(f4); // error: no matching function for call to 'convert_int' with an argument of type 'float4' (vector of 4 'float' values)
  int4 d = convert_int4(f); // error: no matching function for call to 'convert_int4' with an argument of type 'float'
  bool e = convert_bool(f); // error: implicit declaration of function 'convert_bool' is invalid in OpenCL
  size_t g = convert_size_t(f); // error: implicit declaration of function 'convert_size_t' is invalid in OpenCL
  float h = convert_float_sat(f); // error: implicit declaration of function 'convert_float_sat' is invalid in OpenCL
  int i = convert_int_rtx(f); // error: implicit declaration of function 'convert_int_rtx' is invalid in OpenCL
  int j = convert_int_rte_sat(f); // error: implicit declaration of function 'convert_int_rte_sat' is invalid in OpenCL
  int l = convert_int(p); // error: no matching function for call to 'convert_int' with an argument of type '__global int *'
  int m = convert_int(f, f); // error: too many arguments to function call, expected 1, have 2
  int n = convert_int5(f); // error: implicit declaration of function 'convert_int5' is invalid in OpenCL
  out[0] = a.x;
}
// ---
// error: no matching function for call to 'convert_int2' with an argument of type 'float4' (vector of 4 'float' values)
//  --> test.cl:4:12
//   |
// 4 |   int2 b = convert_int2(f4);
//   |            ^^^^^^^^^^^^
//
// error: no matching function for call to 'convert_int' with an argument of type 'float4' (vector of 4 'float' values)
//  --> test.cl:5:11
//   |
// 5 |   int c = convert_int(f4);
//   |           ^^^^^^^^^^^
//
// error: no matching function for call to 'convert_int4' with an argument of type 'float'
//  --> test.cl:6:12
//   |
// 6 |   int4 d = convert_int4(f);
//   |            ^^^^^^^^^^^^
//
// error: implicit declaration of function 'convert_bool' is invalid in OpenCL
//  --> test.cl:7:12
//   |
// 7 |   bool e = convert_bool(f);
//   |            ^^^^^^^^^^^^
//   |
// help: conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; '_sat' is for integer types alone
//
// error: implicit declaration of function 'convert_size_t' is invalid in OpenCL
//  --> test.cl:8:14
//   |
// 8 |   size_t g = convert_size_t(f);
//   |              ^^^^^^^^^^^^^^
//   |
// help: conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; '_sat' is for integer types alone
//
// error: implicit declaration of function 'convert_float_sat' is invalid in OpenCL
//  --> test.cl:9:13
//   |
// 9 |   float h = convert_float_sat(f);
//   |             ^^^^^^^^^^^^^^^^^
//   |
// help: conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; '_sat' is for integer types alone
//
// error: implicit declaration of function 'convert_int_rtx' is invalid in OpenCL
//   --> test.cl:10:11
//    |
// 10 |   int i = convert_int_rtx(f);
//    |           ^^^^^^^^^^^^^^^
//    |
// help: conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; '_sat' is for integer types alone
//
// error: implicit declaration of function 'convert_int_rte_sat' is invalid in OpenCL
//   --> test.cl:11:11
//    |
// 11 |   int j = convert_int_rte_sat(f);
//    |           ^^^^^^^^^^^^^^^^^^^
//    |
// help: conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; '_sat' is for integer types alone
//
// error: no matching function for call to 'convert_int' with an argument of type '__global int *'
//   --> test.cl:12:11
//    |
// 12 |   int l = convert_int(p);
//    |           ^^^^^^^^^^^
//
// error: too many arguments to function call, expected 1, have 2
//   --> test.cl:13:11
//    |
// 13 |   int m = convert_int(f, f);
//    |           ^^^^^^^^^^^
//
// error: implicit declaration of function 'convert_int5' is invalid in OpenCL
//   --> test.cl:14:11
//    |
// 14 |   int n = convert_int5(f);
//    |           ^^^^^^^^^^^^
//    |
// help: conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; '_sat' is for integer types alone
