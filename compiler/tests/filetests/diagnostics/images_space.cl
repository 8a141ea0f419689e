// Images live in global memory without being told to (6.7.1).
kernel void k(global image2d_t image) {} // error: parameter may not be qualified with an address space
kernel void l(local image2d_t image) {} // error: parameter may not be qualified with an address space
// ---
// error: parameter may not be qualified with an address space
//  --> test.cl:2:15
//   |
// 2 | kernel void k(global image2d_t image) {}
//   |               ^^^^^^^^^^^^^^^^^^^^^^
//
// error: parameter may not be qualified with an address space
//  --> test.cl:3:15
//   |
// 3 | kernel void l(local image2d_t image) {}
//   |               ^^^^^^^^^^^^^^^^^^^^^
