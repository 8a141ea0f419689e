// A kernel that is only declared: it may stand there, but not be called, nor by a function that a kernel calls.
kernel void unused(global int *a);
kernel void before(global int *a); // error: function 'before' is called but has no definition // clang: accepts, and leaves it to the linker
extern kernel void through(global int *a); // error: function 'through' is called but has no definition // clang: accepts, and leaves it to the linker
kernel void defined_later(global int *a);
static void helper(global int *a) { through(a); }
kernel void k(global int *a) { before(a); helper(a); defined_later(a); }
kernel void defined_later(global int *a) { *a = 1; }
// ---
// error: function 'before' is called but has no definition
//  --> test.cl:3:13
//   |
// 3 | kernel void before(global int *a);
//   |             ^^^^^^
//   |
// note: 'before' is called here
//  --> test.cl:7:32
//   |
// 7 | kernel void k(global int *a) { before(a); helper(a); defined_later(a); }
//   |                                ---------
//
// error: function 'through' is called but has no definition
//  --> test.cl:4:20
//   |
// 4 | extern kernel void through(global int *a);
//   |                    ^^^^^^^
//   |
// note: 'through' is called here
//  --> test.cl:6:37
//   |
// 6 | static void helper(global int *a) { through(a); }
//   |                                     ----------
