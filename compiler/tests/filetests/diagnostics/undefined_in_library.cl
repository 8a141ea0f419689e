// A module for Vulkan cannot be linked to others, not even one without kernels; recursion there is nobody's yet.
int twice(int x); // error: function 'twice' is called but has no definition // clang: accepts, and leaves it to the linker
int unused(int x);
int recursive(int x) { return x > 0 ? recursive(x - 1) + 2 : 0; }
static int inner(int x) { return twice(x); }
int outer(int x) { return inner(x) + 1; }
// ---
// error: function 'twice' is called but has no definition
//  --> test.cl:2:5
//   |
// 2 | int twice(int x);
//   |     ^^^^^
