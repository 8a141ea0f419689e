// Images that are read and written came with OpenCL 2.0.
// target: opencl1.2
// options: -cl-std=CL2.0
// clang: not asked, since it knows no such target
kernel void k(global int *out, read_write image2d_t i) { // error: 'read_write' images need OpenCL 2.0: compile with '--target opencl2.0' or later
    write_imagei(i, (int2)(1, 2), (int4)(out[0]));
}
// ---
// error: 'read_write' images need OpenCL 2.0: compile with '--target opencl2.0' or later
//  --> test.cl:5:13
//   |
// 5 | kernel void k(global int *out, read_write image2d_t i) {
//   |             ^
