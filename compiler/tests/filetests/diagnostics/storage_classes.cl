// Storage classes and what is kept (6.8 of OpenCL C 1.2).
// options: -cl-std=CL1.2
static constant int hidden = 1;
extern constant int elsewhere;
static int nothing; // error: program scope variable must reside in constant address space
auto constant int a = 1; // error: illegal storage class on file-scoped variable 'auto'
register constant int r = 1; // error: illegal storage class on file-scoped variable 'register'
static extern constant int both = 2; // error: cannot combine with previous storage class specifier
typedef int named = 3; // error: illegal initializer (only variables can be initialized)
extern constant int given = 3; // warning: 'extern' variable has an initializer
constant int now; // error: variable in constant address space must be initialized
kernel void k(global int *out) {
  static int kept = 1; // error: variables in function scope cannot be declared static
  auto int b = 1; // error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
  register int c = 1; // error: OpenCL C version 1.2 does not support the 'register' storage class specifier
  extern int d; // error: extern variable must reside in constant address space
  static constant int e = 2; // clang: rejects what 6.10 of the unified text allows
  out[0] = hidden + elsewhere + e;
}
int parameter(static int n) { return n; } // error: invalid storage class specifier in function declarator
_Thread_local int t; // error: '_Thread_local' is not supported
// ---
// error: '_Thread_local' is not supported
//   --> test.cl:21:1
//    |
// 21 | _Thread_local int t;
//    | ^^^^^^^^^^^^^
//
// error: program scope variable must reside in constant address space
//  --> test.cl:5:12
//   |
// 5 | static int nothing;
//   |            ^^^^^^^
//   |
// help: declare it '__constant' with an initializer, or pass it as a kernel argument
//
// error: illegal storage class on file-scoped variable 'auto'
//  --> test.cl:6:1
//   |
// 6 | auto constant int a = 1;
//   | ^^^^
//
// error: illegal storage class on file-scoped variable 'register'
//  --> test.cl:7:1
//   |
// 7 | register constant int r = 1;
//   | ^^^^^^^^
//
// error: cannot combine with previous storage class specifier
//  --> test.cl:8:8
//   |
// 8 | static extern constant int both = 2;
//   |        ^^^^^^
//
// error: illegal initializer (only variables can be initialized)
//  --> test.cl:9:13
//   |
// 9 | typedef int named = 3;
//   |             ^^^^^
//
// warning: 'extern' variable has an initializer [-Wextern-initializer]
//   --> test.cl:10:21
//    |
// 10 | extern constant int given = 3;
//    |                     ^^^^^
//
// error: variable in constant address space must be initialized
//   --> test.cl:11:14
//    |
// 11 | constant int now;
//    |              ^^^
//
// error: variables in function scope cannot be declared static
//   --> test.cl:13:14
//    |
// 13 |   static int kept = 1;
//    |              ^^^^
//
// error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
//   --> test.cl:14:3
//    |
// 14 |   auto int b = 1;
//    |   ^^^^
//
// error: OpenCL C version 1.2 does not support the 'register' storage class specifier
//   --> test.cl:15:3
//    |
// 15 |   register int c = 1;
//    |   ^^^^^^^^
//
// error: extern variable must reside in constant address space
//   --> test.cl:16:14
//    |
// 16 |   extern int d;
//    |              ^
//
// error: invalid storage class specifier in function declarator
//   --> test.cl:20:15
//    |
// 20 | int parameter(static int n) { return n; }
//    |               ^^^^^^
