// The address of an element of a vector cannot be taken (6.3.7).
kernel void k(global float4 *g, float8 vf) {
  float *f = &vf.x; // error: address of vector element requested
  float2 *f2 = &vf.s07; // error: address of vector element requested
  float4 *odd = &vf.odd; // error: address of vector element requested
  float4 *even = &vf.even; // error: address of vector element requested
  float2 *high = &vf.even.hi; // error: address of vector element requested
  float2 *low = &vf.odd.lo; // error: address of vector element requested
  global float *deep = &g->y; // error: address of vector element requested
  global float *index = &g[2].s1; // error: address of vector element requested
  float *sub = &vf[3]; // error: address of vector element requested
  global float4 *whole = &g[2];
}
// ---
// error: address of vector element requested
//  --> test.cl:3:14
//   |
// 3 |   float *f = &vf.x;
//   |              ^^^^^
//
// error: address of vector element requested
//  --> test.cl:4:16
//   |
// 4 |   float2 *f2 = &vf.s07;
//   |                ^^^^^^^
//
// error: address of vector element requested
//  --> test.cl:5:17
//   |
// 5 |   float4 *odd = &vf.odd;
//   |                 ^^^^^^^
//
// error: address of vector element requested
//  --> test.cl:6:18
//   |
// 6 |   float4 *even = &vf.even;
//   |                  ^^^^^^^^
//
// error: address of vector element requested
//  --> test.cl:7:18
//   |
// 7 |   float2 *high = &vf.even.hi;
//   |                  ^^^^^^^^^^^
//
// error: address of vector element requested
//  --> test.cl:8:17
//   |
// 8 |   float2 *low = &vf.odd.lo;
//   |                 ^^^^^^^^^^
//
// error: address of vector element requested
//  --> test.cl:9:24
//   |
// 9 |   global float *deep = &g->y;
//   |                        ^^^^^
//
// error: address of vector element requested
//   --> test.cl:10:25
//    |
// 10 |   global float *index = &g[2].s1;
//    |                         ^^^^^^^^
//
// error: address of vector element requested
//   --> test.cl:11:16
//    |
// 11 |   float *sub = &vf[3];
//    |                ^^^^^^
