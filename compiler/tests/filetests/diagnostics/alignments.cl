// The largest alignment that can be requested is said (clang's is larger).
struct __attribute__((aligned(268435456))) largest { int a; };
struct __attribute__((aligned(536870912))) more { int a; }; // error: requested alignment must be 268435456 bytes or smaller // clang: accepts
struct u { int a __attribute__((aligned(24))); }; // error: requested alignment is not a power of 2
kernel void k(global int *p) { p[0] = 1; }
// ---
// error: requested alignment must be 268435456 bytes or smaller
//  --> test.cl:3:23
//   |
// 3 | struct __attribute__((aligned(536870912))) more { int a; };
//   |                       ^^^^^^^^^^^^^^^^^^
//
// error: requested alignment is not a power of 2
//  --> test.cl:4:33
//   |
// 4 | struct u { int a __attribute__((aligned(24))); };
//   |                                 ^^^^^^^^^^^
