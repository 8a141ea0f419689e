// Pragmas (6.2.2, 6.11, C99 6.10.6).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_nothing : enable // warning: unknown OpenCL extension 'cl_khr_nothing' - ignoring
#pragma OPENCL EXTENSION cl_khr_fp64 : perhaps // warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring
#pragma OPENCL EXTENSION cl_khr_fp64 // warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring
#pragma OPENCL EXTENSION all : disable
#pragma OPENCL SOMETHING // warning: unknown pragma ignored
#pragma nonsense // warning: unknown pragma ignored
#pragma OPENCL FP_CONTRACT MAYBE // warning: expected 'ON', 'OFF' or 'DEFAULT' in '#pragma FP_CONTRACT'
kernel void k(global int *out) { out[0] = 1; }
// ---
// warning: unknown pragma ignored [-Wunknown-pragmas]
//  --> test.cl:7:9
//   |
// 7 | #pragma OPENCL SOMETHING
//   |         ^^^^^^
//
// warning: unknown pragma ignored [-Wunknown-pragmas]
//  --> test.cl:8:9
//   |
// 8 | #pragma nonsense
//   |         ^^^^^^^^
//
// warning: unknown OpenCL extension 'cl_khr_nothing' - ignoring [-Wignored-pragmas]
//  --> test.cl:3:2
//   |
// 3 | #pragma OPENCL EXTENSION cl_khr_nothing : enable
//   |  ^
//
// warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring [-Wignored-pragmas]
//  --> test.cl:4:2
//   |
// 4 | #pragma OPENCL EXTENSION cl_khr_fp64 : perhaps
//   |  ^
//
// warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring [-Wignored-pragmas]
//  --> test.cl:5:2
//   |
// 5 | #pragma OPENCL EXTENSION cl_khr_fp64
//   |  ^
//
// warning: expected 'ON', 'OFF' or 'DEFAULT' in '#pragma FP_CONTRACT' [-Wunknown-pragmas]
//  --> test.cl:9:2
//   |
// 9 | #pragma OPENCL FP_CONTRACT MAYBE
//   |  ^
