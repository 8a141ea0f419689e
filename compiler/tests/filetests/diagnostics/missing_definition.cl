// A function without a body cannot be called: there is no linking on Vulkan.
int missing(int n); // error: function 'missing' is called but has no definition // clang: accepts, and leaves it to the linker
kernel void k(global int *out) { out[0] = missing(3); }
// ---
// error: function 'missing' is called but has no definition
//  --> test.cl:2:5
//   |
// 2 | int missing(int n);
//   |     ^^^^^^^
//   |
// note: 'missing' is called here
//  --> test.cl:3:43
//   |
// 3 | kernel void k(global int *out) { out[0] = missing(3); }
//   |                                           ----------
