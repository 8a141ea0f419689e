// Attributes (6.11 of OpenCL C 1.2, 6.13 of 3.0).
kernel __attribute__((reqd_work_group_size(1, 2))) void two(int n) {} // error: 'reqd_work_group_size' attribute requires exactly 3 arguments
kernel __attribute__((reqd_work_group_size(0, 1, 1))) void zero(int n) {} // error: 'reqd_work_group_size' attribute must be greater than 0
kernel __attribute__((work_group_size_hint(1))) void hint(int n) {} // error: 'work_group_size_hint' attribute requires exactly 3 arguments
kernel __attribute__((vec_type_hint(void))) void no_vector(int n) {} // error: 'vec_type_hint' attribute requires a scalar or vector type, not 'void'
kernel __attribute__((vec_type_hint(float4))) void vector(int n) {}
__attribute__((reqd_work_group_size(1, 1, 1))) void helper(int n) {} // error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function
kernel __attribute__((reqd_work_group_size(1, 2, 3))) __attribute__((reqd_work_group_size(3, 2, 1))) void twice(int n) {} // warning: attribute 'reqd_work_group_size' is already applied with different arguments
kernel void k(global int *out, int n) {
  int a __attribute__((aligned(3))) = 1; // error: requested alignment is not a power of 2
  int b __attribute__((aligned(n))) = 1; // error: 'aligned' attribute requires an integer constant
  int c __attribute__((nonsense)) = 1; // warning: unknown attribute 'nonsense' ignored
  __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < n; i++) out[i] = i;
  __attribute__((opencl_unroll_hint(-1))) for (int i = 0; i < n; i++) out[i] = i; // error: 'opencl_unroll_hint' attribute requires a positive 32-bit integer constant
  __attribute__((opencl_unroll_hint(n))) for (int i = 0; i < n; i++) out[i] = i; // error: 'opencl_unroll_hint' attribute requires an integer constant
  __attribute__((opencl_unroll_hint)) out[0] = 1; // error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
  out[1] = a + b + c;
}
struct __attribute__((packed)) Packed { char c; int i; };
struct Aligned { char c; } __attribute__((aligned(5))); // error: requested alignment is not a power of 2
kernel __attribute__((reqd_work_group_size(4294967296, 1, 1))) void large(int n) {} // error: 'reqd_work_group_size' attribute must be less than 2^32
// ---
// error: 'reqd_work_group_size' attribute requires exactly 3 arguments
//  --> test.cl:2:23
//   |
// 2 | kernel __attribute__((reqd_work_group_size(1, 2))) void two(int n) {}
//   |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: 'reqd_work_group_size' attribute must be greater than 0
//  --> test.cl:3:23
//   |
// 3 | kernel __attribute__((reqd_work_group_size(0, 1, 1))) void zero(int n) {}
//   |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: 'work_group_size_hint' attribute requires exactly 3 arguments
//  --> test.cl:4:23
//   |
// 4 | kernel __attribute__((work_group_size_hint(1))) void hint(int n) {}
//   |                       ^^^^^^^^^^^^^^^^^^^^^^^
//
// error: 'vec_type_hint' attribute requires a scalar or vector type, not 'void'
//  --> test.cl:5:37
//   |
// 5 | kernel __attribute__((vec_type_hint(void))) void no_vector(int n) {}
//   |                                     ^^^^
//
// error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function
//  --> test.cl:7:16
//   |
// 7 | __attribute__((reqd_work_group_size(1, 1, 1))) void helper(int n) {}
//   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// warning: attribute 'reqd_work_group_size' is already applied with different arguments [-Wignored-attributes]
//  --> test.cl:8:70
//   |
// 8 | kernel __attribute__((reqd_work_group_size(1, 2, 3))) __attribute__((reqd_work_group_size(3, 2, 1))) void twice(int n) {}
//   |                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error: requested alignment is not a power of 2
//   --> test.cl:10:24
//    |
// 10 |   int a __attribute__((aligned(3))) = 1;
//    |                        ^^^^^^^^^^
//
// error: 'aligned' attribute requires an integer constant
//   --> test.cl:11:32
//    |
// 11 |   int b __attribute__((aligned(n))) = 1;
//    |                                ^
//
// warning: unknown attribute 'nonsense' ignored [-Wunknown-attributes]
//   --> test.cl:12:24
//    |
// 12 |   int c __attribute__((nonsense)) = 1;
//    |                        ^^^^^^^^
//
// error: 'opencl_unroll_hint' attribute requires a positive 32-bit integer constant
//   --> test.cl:14:18
//    |
// 14 |   __attribute__((opencl_unroll_hint(-1))) for (int i = 0; i < n; i++) out[i] = i;
//    |                  ^^^^^^^^^^^^^^^^^^^^^^
//
// error: 'opencl_unroll_hint' attribute requires an integer constant
//   --> test.cl:15:37
//    |
// 15 |   __attribute__((opencl_unroll_hint(n))) for (int i = 0; i < n; i++) out[i] = i;
//    |                                     ^
//
// error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
//   --> test.cl:16:18
//    |
// 16 |   __attribute__((opencl_unroll_hint)) out[0] = 1;
//    |                  ^^^^^^^^^^^^^^^^^^
//
// error: requested alignment is not a power of 2
//   --> test.cl:20:43
//    |
// 20 | struct Aligned { char c; } __attribute__((aligned(5)));
//    |                                           ^^^^^^^^^^
//
// error: 'reqd_work_group_size' attribute must be less than 2^32
//   --> test.cl:21:23
//    |
// 21 | kernel __attribute__((reqd_work_group_size(4294967296, 1, 1))) void large(int n) {}
//    |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
