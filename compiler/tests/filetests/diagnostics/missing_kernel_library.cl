// A module that only declares a kernel is a library: what its functions call must be there.
kernel void elsewhere(global int *a);
int missing(int n); // error: function 'missing' is called but has no definition // clang: accepts, and leaves it to the linker
int outer(int n) { return missing(n); }
// ---
// error: function 'missing' is called but has no definition
//  --> test.cl:3:5
//   |
// 3 | int missing(int n);
//   |     ^^^^^^^
//   |
// note: 'missing' is called here
//  --> test.cl:4:27
//   |
// 4 | int outer(int n) { return missing(n); }
//   |                           ----------
