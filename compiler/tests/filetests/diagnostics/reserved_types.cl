// Reserved type names (6.3.4).
// options: -cl-std=CL3.0
kernel void k(global int *out) {
  bool4 a; // error: 'bool4' is a reserved type name: OpenCL C has no such type
  float5 b; // error: 'float5' is a reserved type name: OpenCL C has no such type
  quad c; // error: 'quad' is a reserved type name: OpenCL C has no such type
  quad4 d; // error: 'quad4' is a reserved type name: OpenCL C has no such type
  float4x4 e; // error: 'float4x4' is a reserved type name: OpenCL C has no such type
  double2x16 f; // error: 'double2x16' is a reserved type name: OpenCL C has no such type
  ulong5 n; // error: 'ulong5' is a reserved type name: OpenCL C has no such type
  char1 o; // error: 'char1' is a reserved type name: OpenCL C has no such type
}
struct quad { int x; };
// ---
// error: 'bool4' is a reserved type name: OpenCL C has no such type
//  --> test.cl:4:3
//   |
// 4 |   bool4 a;
//   |   ^^^^^
//
// error: 'float5' is a reserved type name: OpenCL C has no such type
//  --> test.cl:5:3
//   |
// 5 |   float5 b;
//   |   ^^^^^^
//
// error: 'quad' is a reserved type name: OpenCL C has no such type
//  --> test.cl:6:3
//   |
// 6 |   quad c;
//   |   ^^^^
//
// error: 'quad4' is a reserved type name: OpenCL C has no such type
//  --> test.cl:7:3
//   |
// 7 |   quad4 d;
//   |   ^^^^^
//
// error: 'float4x4' is a reserved type name: OpenCL C has no such type
//  --> test.cl:8:3
//   |
// 8 |   float4x4 e;
//   |   ^^^^^^^^
//
// error: 'double2x16' is a reserved type name: OpenCL C has no such type
//  --> test.cl:9:3
//   |
// 9 |   double2x16 f;
//   |   ^^^^^^^^^^
//
// error: 'ulong5' is a reserved type name: OpenCL C has no such type
//   --> test.cl:10:3
//    |
// 10 |   ulong5 n;
//    |   ^^^^^^
//
// error: 'char1' is a reserved type name: OpenCL C has no such type
//   --> test.cl:11:3
//    |
// 11 |   char1 o;
//    |   ^^^^^
