// A module for Vulkan cannot be linked to others, not even one without kernels, and has no recursion.
int twice(int x); // error: function 'twice' is called but has no definition // clang: accepts, and leaves it to the linker
int unused(int x);
int recursive(int x) { return x > 0 ? recursive(x - 1) + 2 : 0; } // error: recursion is not allowed in OpenCL: 'recursive' calls itself // clang: accepts, and leaves it to later stages
static int inner(int x) { return twice(x); }
int outer(int x) { return inner(x) + 1; }
// ---
// error: recursion is not allowed in OpenCL: 'recursive' calls itself
//  --> test.cl:4:5
//   |
// 4 | int recursive(int x) { return x > 0 ? recursive(x - 1) + 2 : 0; }
//   |     ^^^^^^^^^
//   |
// help: the calls are 'recursive' -> 'recursive'
//
// error: function 'twice' is called but has no definition
//  --> test.cl:2:5
//   |
// 2 | int twice(int x);
//   |     ^^^^^
//   |
// note: 'twice' is called here
//  --> test.cl:5:34
//   |
// 5 | static int inner(int x) { return twice(x); }
//   |                                  --------
