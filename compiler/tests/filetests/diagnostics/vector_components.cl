// Components of vectors (6.3.7).
// options: -cl-std=CL3.0
kernel void k(global float4 *out, float2 coord, float3 pos, float4 f, float8 f8, float16 f16, float s) {
  coord.x = 1.0f;
  coord.r = 1.0f;
  coord.z = 1.0f; // error: vector component access exceeds type 'float2' (vector of 2 'float' values): no component 'z'
  coord.b = 1.0f; // error: vector component access exceeds type 'float2' (vector of 2 'float' values): no component 'b'
  pos.w = 1.0f; // error: vector component access exceeds type 'float3' (vector of 3 'float' values): no component 'w'
  pos.a = 1.0f; // error: vector component access exceeds type 'float3' (vector of 3 'float' values): no component 'a'
  pos.s3 = 1.0f; // error: vector component access exceeds type 'float3' (vector of 3 'float' values): no component '3'
  f8.x = 1.0f;
  f8.s8 = 1.0f; // error: vector component access exceeds type 'float8' (vector of 8 'float' values): no component '8'
  f16.sG = 1.0f; // error: illegal vector component name 'G'
  f.xx = (float2)(3.0f, 4.0f); // error: vector is not assignable (contains duplicate components)
  f.xy = (float4)(1.0f, 2.0f, 3.0f, 4.0f); // error: assigning to 'float2' (vector of 2 'float' values) from incompatible type 'float4' (vector of 4 'float' values)
  f16 = (float16)(f.xxxxxxx, f.xyz, f.xyz, f.xyz); // error: vector component access has invalid length 7; supported: 1,2,3,4,8,16
  out[0] = f.x12w; // error: illegal vector component name '1'
  out[1] = f.s01zw; // error: illegal vector component name 'z'
  out[2] = f.xgba; // error: illegal vector component name 'g'
  out[3] = f.low; // error: illegal vector component name 'l'
  out[4] = f.s; // error: illegal vector component name 's'
  out[5] = s.x; // error: member reference base type 'float' is not a structure or union
  out[6] = f.xyzwxyzw; // error: assigning to 'float4' (vector of 4 'float' values) from incompatible type 'float8' (vector of 8 'float' values)
  f.even.xx = (float2)(1.0f); // error: vector is not assignable (contains duplicate components)
  out[7] = f + coord.lo.lo; // error: member reference base type 'float' is not a structure or union
}
// ---
// error: vector component access exceeds type 'float2' (vector of 2 'float' values): no component 'z'
//  --> test.cl:6:9
//   |
// 6 |   coord.z = 1.0f;
//   |         ^
//
// error: vector component access exceeds type 'float2' (vector of 2 'float' values): no component 'b'
//  --> test.cl:7:9
//   |
// 7 |   coord.b = 1.0f;
//   |         ^
//
// error: vector component access exceeds type 'float3' (vector of 3 'float' values): no component 'w'
//  --> test.cl:8:7
//   |
// 8 |   pos.w = 1.0f;
//   |       ^
//
// error: vector component access exceeds type 'float3' (vector of 3 'float' values): no component 'a'
//  --> test.cl:9:7
//   |
// 9 |   pos.a = 1.0f;
//   |       ^
//
// error: vector component access exceeds type 'float3' (vector of 3 'float' values): no component '3'
//   --> test.cl:10:7
//    |
// 10 |   pos.s3 = 1.0f;
//    |       ^^
//
// error: vector component access exceeds type 'float8' (vector of 8 'float' values): no component '8'
//   --> test.cl:12:6
//    |
// 12 |   f8.s8 = 1.0f;
//    |      ^^
//
// error: illegal vector component name 'G'
//   --> test.cl:13:7
//    |
// 13 |   f16.sG = 1.0f;
//    |       ^^
//
// error: vector is not assignable (contains duplicate components)
//   --> test.cl:14:8
//    |
// 14 |   f.xx = (float2)(3.0f, 4.0f);
//    |        ^
//
// error: assigning to 'float2' (vector of 2 'float' values) from incompatible type 'float4' (vector of 4 'float' values)
//   --> test.cl:15:10
//    |
// 15 |   f.xy = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
//    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: vector component access has invalid length 7; supported: 1,2,3,4,8,16
//   --> test.cl:16:21
//    |
// 16 |   f16 = (float16)(f.xxxxxxx, f.xyz, f.xyz, f.xyz);
//    |                     ^^^^^^^
//
// error: illegal vector component name '1'
//   --> test.cl:17:14
//    |
// 17 |   out[0] = f.x12w;
//    |              ^^^^
//
// error: illegal vector component name 'z'
//   --> test.cl:18:14
//    |
// 18 |   out[1] = f.s01zw;
//    |              ^^^^^
//
// error: illegal vector component name 'g'
//   --> test.cl:19:14
//    |
// 19 |   out[2] = f.xgba;
//    |              ^^^^
//
// error: illegal vector component name 'l'
//   --> test.cl:20:14
//    |
// 20 |   out[3] = f.low;
//    |              ^^^
//
// error: illegal vector component name 's'
//   --> test.cl:21:14
//    |
// 21 |   out[4] = f.s;
//    |              ^
//
// error: member reference base type 'float' is not a structure or union
//   --> test.cl:22:12
//    |
// 22 |   out[5] = s.x;
//    |            ^^^
//
// error: assigning to 'float4' (vector of 4 'float' values) from incompatible type 'float8' (vector of 8 'float' values)
//   --> test.cl:23:12
//    |
// 23 |   out[6] = f.xyzwxyzw;
//    |            ^^^^^^^^^^
//
// error: vector is not assignable (contains duplicate components)
//   --> test.cl:24:13
//    |
// 24 |   f.even.xx = (float2)(1.0f);
//    |             ^
//
// error: member reference base type 'float' is not a structure or union
//   --> test.cl:25:16
//    |
// 25 |   out[7] = f + coord.lo.lo;
//    |                ^^^^^^^^^^^
