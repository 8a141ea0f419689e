// Calls that no overload takes: what was passed, and what keeps the nearest candidates from being called.
int __attribute__((overloadable)) area(float2 a);
int __attribute__((overloadable)) area(global int *a, int b);
kernel void k(global float4 *p, local int *l, write_only image2d_t image, constant int *c, int n) {
  p[0].x = dot(p[0], p[1].xyz); // error: no matching function for call to 'dot'
  p[0].x = length(); // error: no matching function for call to 'length'
  p[1] = read_imagef(image, (int2)(0)); // error: no matching function for call to 'read_imagef'
  atomic_add(c, 1); // error: no matching function for call to 'atomic_add'
  n = max((int2)(1), (uint2)(2)).x; // error: no matching function for call to 'max'
  n = area(p[0]); // error: no matching function for call to 'area'
  n = area(l, 1); // error: no matching function for call to 'area'
}
kernel void other(global float4 *v, global float *p) {
  v[0] = float4(1, 2, 3, 4); // error: unexpected type name 'float4': expected expression
}
kernel void another(global float *p) {
  p[1] = int(p[2]) + 1; // error: expected expression
}
int third(int a) { return a * undefined; } // error: use of undeclared identifier 'undefined'
kernel void last(global float *p) { p[0] = missing; } // error: use of undeclared identifier 'missing'
// ---
// error: unexpected type name 'float4': expected expression
//   --> test.cl:14:10
//    |
// 14 |   v[0] = float4(1, 2, 3, 4);
//    |          ^^^^^^
//    |
// help: write '(float4)(1, 2, 3, 4)'
//
// error: expected expression
//   --> test.cl:17:10
//    |
// 17 |   p[1] = int(p[2]) + 1;
//    |          ^^^
//    |
// help: write '(int)(p[2])'
//
// error: no matching function for call to 'dot'
//  --> test.cl:5:12
//   |
// 5 |   p[0].x = dot(p[0], p[1].xyz);
//   |            ^^^ argument types: (float4, float3)
//   |
// note: candidate function 'float dot(float3, float3)' not viable: no known conversion from 'float4' (vector of 4 'float' values) to 'float3' (vector of 3 'float' values) for 1st argument: the numbers of components differ
//
// error: no matching function for call to 'length'
//  --> test.cl:6:12
//   |
// 6 |   p[0].x = length();
//   |            ^^^^^^
//   |
// note: candidate function 'float length(float)' not viable: requires 1 argument, but 0 were provided
//
// error: no matching function for call to 'read_imagef'
//  --> test.cl:7:10
//   |
// 7 |   p[1] = read_imagef(image, (int2)(0));
//   |          ^^^^^^^^^^^ argument types: (__write_only image2d_t, int2)
//   |
// note: candidate function 'float4 read_imagef(__read_only image2d_t, int2)' not viable: no known conversion from '__write_only image2d_t' to '__read_only image2d_t' for 1st argument: the access qualifiers differ
// note: candidate function 'float read_imagef(__read_only image2d_depth_t, int2)' not viable: no known conversion from '__write_only image2d_t' to '__read_only image2d_depth_t' for 1st argument
//
// error: no matching function for call to 'atomic_add'
//  --> test.cl:8:3
//   |
// 8 |   atomic_add(c, 1);
//   |   ^^^^^^^^^^ argument types: (__constant int *, int)
//   |
// note: candidate function 'int atomic_add(volatile __global int *, int)' not viable: no known conversion from '__constant int *' to 'volatile __global int *' for 1st argument: the address spaces differ
//
// error: no matching function for call to 'max'
//  --> test.cl:9:7
//   |
// 9 |   n = max((int2)(1), (uint2)(2)).x;
//   |       ^^^ argument types: (int2, uint2)
//   |
// note: candidate function 'int2 max(int2, int2)' not viable: no known conversion from 'uint2' (vector of 2 'unsigned int' values) to 'int2' (vector of 2 'int' values) for 2nd argument: there are no implicit conversions between vector types
// note: candidate function 'int2 max(int2, int)' not viable: no known conversion from 'uint2' (vector of 2 'unsigned int' values) to 'int' for 2nd argument
//
// error: no matching function for call to 'area'
//   --> test.cl:10:7
//    |
// 10 |   n = area(p[0]);
//    |       ^^^^ argument types: (float4)
//    |
// note: candidate function not viable: no known conversion from 'float4' (vector of 4 'float' values) to 'float2' (vector of 2 'float' values) for 1st argument: the numbers of components differ
//   --> test.cl:2:35
//    |
//  2 | int __attribute__((overloadable)) area(float2 a);
//    |                                   ----
// note: candidate function not viable: requires 2 arguments, but 1 was provided
//   --> test.cl:3:35
//    |
//  3 | int __attribute__((overloadable)) area(global int *a, int b);
//    |                                   ----
//
// error: no matching function for call to 'area'
//   --> test.cl:11:7
//    |
// 11 |   n = area(l, 1);
//    |       ^^^^ argument types: (__local int *, int)
//    |
// note: candidate function not viable: no known conversion from '__local int *' to '__global int *' for 1st argument: the address spaces differ
//   --> test.cl:3:35
//    |
//  3 | int __attribute__((overloadable)) area(global int *a, int b);
//    |                                   ----
// note: candidate function not viable: requires 1 argument, but 2 were provided
//   --> test.cl:2:35
//    |
//  2 | int __attribute__((overloadable)) area(float2 a);
//    |                                   ----
//
// error: use of undeclared identifier 'undefined'
//   --> test.cl:19:31
//    |
// 19 | int third(int a) { return a * undefined; }
//    |                               ^^^^^^^^^
//
// error: use of undeclared identifier 'missing'
//   --> test.cl:20:44
//    |
// 20 | kernel void last(global float *p) { p[0] = missing; }
//    |                                            ^^^^^^^
