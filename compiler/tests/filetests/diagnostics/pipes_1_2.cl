// options: -cl-std=CL3.0
// target: opencl1.2
// clang: not asked, since it knows no version of the environment
// Pipes need an environment of OpenCL 2.0.
#if defined(__opencl_c_pipes)
#error not in OpenCL 1.2
#endif
kernel void k(pipe int p) { } // error: the type specifier 'pipe' requires the feature '__opencl_c_pipes', which needs '--target opencl2.0' or later
void reservation(reserve_id_t r) { } // error: type 'reserve_id_t' requires the feature '__opencl_c_pipes', which needs '--target opencl2.0' or later
// ---
// error: the type specifier 'pipe' requires the feature '__opencl_c_pipes', which needs '--target opencl2.0' or later
//  --> test.cl:8:20
//   |
// 8 | kernel void k(pipe int p) { }
//   |                    ^^^
//
// error: type 'reserve_id_t' requires the feature '__opencl_c_pipes', which needs '--target opencl2.0' or later
//  --> test.cl:9:18
//   |
// 9 | void reservation(reserve_id_t r) { }
//   |                  ^^^^^^^^^^^^
