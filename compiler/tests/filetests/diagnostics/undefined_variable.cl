// Variables that another module would have to define cannot be used: there is no linking on Vulkan.
extern constant int missing[4]; // error: variable 'missing' is used but has no definition // clang: accepts, and leaves it to the linker
extern constant int unused[4];
extern global int counter; // error: variable 'counter' is used but has no definition // clang: accepts, and leaves it to the linker
kernel void k(global int *out) { out[0] = missing[1]; }
kernel void count(global int *out) { out[0] = missing[2] + counter++; }
// ---
// error: variable 'missing' is used but has no definition
//  --> test.cl:2:21
//   |
// 2 | extern constant int missing[4];
//   |                     ^^^^^^^
//
// error: variable 'counter' is used but has no definition
//  --> test.cl:4:19
//   |
// 4 | extern global int counter;
//   |                   ^^^^^^^
