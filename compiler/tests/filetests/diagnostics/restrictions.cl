// The restrictions of 6.11 of OpenCL C 1.2 (6.12 of 3.0).
// options: -cl-std=CL1.2
struct Bits { int a : 3; }; // error: bit-fields are not supported in OpenCL
struct Flexible { int n; int a[]; };
void function_pointer(int (*f)(int)) {} // error: pointers to functions are not allowed
int variable(int n, ...) { return n; } // error: invalid prototype, variadic arguments are not allowed in OpenCL
int helper(int n) { return n; }
typedef int (*callback)(int); // error: pointers to functions are not allowed
kernel void k(global int *out, int n) {
  int vla[n]; // error: variable length arrays are not supported in OpenCL
  int (*p)(int) = helper; // error: pointers to functions are not allowed
  out[0] = helper; // error: taking address of function is not allowed
  asm("nop"); // error: inline assembly is not allowed in OpenCL C
}
void local_helper(void) {
  local int shared; // error: non-kernel function variable cannot be declared in local address space
  constant int c = 1; // error: non-kernel function variable cannot be declared in constant address space
}
kernel void scopes(int n) {
  local int given = 1; // error: '__local' variable cannot have an initializer
  if (n) {
    local int nested; // error: variables in the local address space can only be declared in the outermost scope of a kernel function
    constant int c = 1; // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
  }
  for (local int i;;) break; // error: variables in the local address space can only be declared in the outermost scope of a kernel function
}
// ---
// error: bit-fields are not supported in OpenCL
//  --> test.cl:3:23
//   |
// 3 | struct Bits { int a : 3; };
//   |                       ^
//
// error: pointers to functions are not allowed
//  --> test.cl:5:28
//   |
// 5 | void function_pointer(int (*f)(int)) {}
//   |                            ^
//
// error: invalid prototype, variadic arguments are not allowed in OpenCL
//  --> test.cl:6:5
//   |
// 6 | int variable(int n, ...) { return n; }
//   |     ^^^^^^^^^^^^^^^^^^^^
//
// error: pointers to functions are not allowed
//  --> test.cl:8:14
//   |
// 8 | typedef int (*callback)(int);
//   |              ^
//
// error: variable length arrays are not supported in OpenCL
//   --> test.cl:10:11
//    |
// 10 |   int vla[n];
//    |           ^
//
// error: pointers to functions are not allowed
//   --> test.cl:11:8
//    |
// 11 |   int (*p)(int) = helper;
//    |        ^
//
// error: taking address of function is not allowed
//   --> test.cl:12:12
//    |
// 12 |   out[0] = helper;
//    |            ^^^^^^
//
// error: inline assembly is not allowed in OpenCL C
//   --> test.cl:13:3
//    |
// 13 |   asm("nop");
//    |   ^^^^^^^^^^^
//
// error: non-kernel function variable cannot be declared in local address space
//   --> test.cl:16:13
//    |
// 16 |   local int shared;
//    |             ^^^^^^
//
// error: non-kernel function variable cannot be declared in constant address space
//   --> test.cl:17:16
//    |
// 17 |   constant int c = 1;
//    |                ^
//
// error: '__local' variable cannot have an initializer
//   --> test.cl:20:13
//    |
// 20 |   local int given = 1;
//    |             ^^^^^
//
// error: variables in the local address space can only be declared in the outermost scope of a kernel function
//   --> test.cl:22:15
//    |
// 22 |     local int nested;
//    |               ^^^^^^
//
// error: variables in the constant address space can only be declared in the outermost scope of a kernel function
//   --> test.cl:23:18
//    |
// 23 |     constant int c = 1;
//    |                  ^
//
// error: variables in the local address space can only be declared in the outermost scope of a kernel function
//   --> test.cl:25:18
//    |
// 25 |   for (local int i;;) break;
//    |                  ^
