// Reserved type names that a program takes for itself (6.3.4): drivers let it.
typedef float float3x2; // warning: 'float3x2' is a reserved type name in OpenCL C
typedef struct { float2 m[2]; } float2x2; // warning: 'float2x2' is a reserved type name in OpenCL C
typedef int bool2; // warning: 'bool2' is a reserved type name in OpenCL C
typedef int float5; // warning: 'float5' is a reserved type name in OpenCL C
typedef char quad; // warning: 'quad' is a reserved type name in OpenCL C
kernel void k(global int *out, float3x2 f) {
  long double i = 1; // warning: 'long double' is a reserved type in OpenCL C; it is taken for 'double', of 8 bytes, where clang has 16
  long long j = 2; // warning: 'long long' is a reserved type in OpenCL C; it is taken for 'long', of 8 bytes, where clang has 16
  unsigned long long l = 3; // warning: 'long long' is a reserved type in OpenCL C; it is taken for 'long', of 8 bytes, where clang has 16
  ulong long n = 3; // error: cannot combine with previous 'long' declaration specifier
}
struct quad4 { int x; };
// ---
// warning: 'float3x2' is a reserved type name in OpenCL C [-Wreserved-types]
//  --> test.cl:2:15
//   |
// 2 | typedef float float3x2;
//   |               ^^^^^^^^
//
// warning: 'float2x2' is a reserved type name in OpenCL C [-Wreserved-types]
//  --> test.cl:3:33
//   |
// 3 | typedef struct { float2 m[2]; } float2x2;
//   |                                 ^^^^^^^^
//
// warning: 'bool2' is a reserved type name in OpenCL C [-Wreserved-types]
//  --> test.cl:4:13
//   |
// 4 | typedef int bool2;
//   |             ^^^^^
//
// warning: 'float5' is a reserved type name in OpenCL C [-Wreserved-types]
//  --> test.cl:5:13
//   |
// 5 | typedef int float5;
//   |             ^^^^^^
//
// warning: 'quad' is a reserved type name in OpenCL C [-Wreserved-types]
//  --> test.cl:6:14
//   |
// 6 | typedef char quad;
//   |              ^^^^
//
// warning: 'long double' is a reserved type in OpenCL C; it is taken for 'double', of 8 bytes, where clang has 16 [-Wreserved-types]
//  --> test.cl:8:3
//   |
// 8 |   long double i = 1;
//   |   ^^^^^^^^^^^
//
// warning: 'long long' is a reserved type in OpenCL C; it is taken for 'long', of 8 bytes, where clang has 16 [-Wreserved-types]
//  --> test.cl:9:3
//   |
// 9 |   long long j = 2;
//   |   ^^^^^^^^^
//
// warning: 'long long' is a reserved type in OpenCL C; it is taken for 'long', of 8 bytes, where clang has 16 [-Wreserved-types]
//   --> test.cl:10:3
//    |
// 10 |   unsigned long long l = 3;
//    |   ^^^^^^^^^^^^^^^^^^
//
// error: cannot combine with previous 'long' declaration specifier
//   --> test.cl:11:3
//    |
// 11 |   ulong long n = 3;
//    |   ^^^^^^^^^^
