// A mistake inside macros shows the way to it.
#define ADD(a, b) ((a) + (b))
#define ADD_TO(v, n) v = ADD(v, n)
kernel void k(global int *out, int4 i4, float4 f4, float f) {
  ADD_TO(i4, f4); // error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)) are not permitted
  out[0] = ADD(f, i4).x; // error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
  ADD_TO(out[1], undeclared); // error: use of undeclared identifier 'undeclared'
}
// ---
// error: implicit conversions between vector types ('int4' (vector of 4 'int' values) and 'float4' (vector of 4 'float' values)) are not permitted
//  --> test.cl:5:3
//   |
// 5 |   ADD_TO(i4, f4);
//   |   ^^^^^^
//   |
// note: in expansion of macro 'ADD_TO'
//  --> test.cl:3:26
//   |
// 3 | #define ADD_TO(v, n) v = ADD(v, n)
//   |                          ---
// note: in expansion of macro 'ADD'
//  --> test.cl:2:24
//   |
// 2 | #define ADD(a, b) ((a) + (b))
//   |                        -
//
// error: scalar operand type has greater rank than the type of the vector element ('int4' (vector of 4 'int' values) and 'float')
//  --> test.cl:6:12
//   |
// 6 |   out[0] = ADD(f, i4).x;
//   |            ^^^
//   |
// note: in expansion of macro 'ADD'
//  --> test.cl:2:24
//   |
// 2 | #define ADD(a, b) ((a) + (b))
//   |                        -
//
// error: use of undeclared identifier 'undeclared'
//  --> test.cl:7:18
//   |
// 7 |   ADD_TO(out[1], undeclared);
//   |                  ^^^^^^^^^^
