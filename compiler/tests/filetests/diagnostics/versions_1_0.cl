// What OpenCL C 1.0 lacks is refused by the version that has it (6.1).
// options: -cl-std=CL1.0
kernel void three(global float *p) {
  float3 v = 0; // error: use of 'float3' requires OpenCL C 1.1 or newer // clang: accepts, whatever the version
  p[0] = v.x;
}
kernel void functions(global int *p, global float *f) {
  p[0] = popcount(p[1]); // error: use of 'popcount' requires OpenCL C 1.2 or newer
}
kernel void image(read_only image1d_t i) {} // error: use of 'image1d_t' requires OpenCL C 1.2 or newer // clang: accepts, whatever the version
// ---
// error: use of 'float3' requires OpenCL C 1.1 or newer
//  --> test.cl:4:3
//   |
// 4 |   float3 v = 0;
//   |   ^^^^^^
//
// error: use of 'popcount' requires OpenCL C 1.2 or newer
//  --> test.cl:8:10
//   |
// 8 |   p[0] = popcount(p[1]);
//   |          ^^^^^^^^
//
// error: use of 'image1d_t' requires OpenCL C 1.2 or newer
//   --> test.cl:10:29
//    |
// 10 | kernel void image(read_only image1d_t i) {}
//    |                             ^^^^^^^^^
