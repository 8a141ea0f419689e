// What does not fit Vulkan.
struct Big { int a[20000]; };
kernel void k(global int *out, struct Big b) { // error: the arguments of kernel 'k' take more than 16384 bytes // clang: accepts, the limit is that of Vulkan's uniform buffers
  out[0] = b.a[3];
}
// ---
// error: the arguments of kernel 'k' take more than 16384 bytes
//  --> test.cl:3:13
//   |
// 3 | kernel void k(global int *out, struct Big b) {
//   |             ^
