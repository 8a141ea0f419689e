// Address space qualifiers with the generic address space (6.7, 6.7.1 of OpenCL C 2.0).
// options: -cl-std=CL2.0
global int counter = 1;
int private_at_program_scope = 1;
local int local_at_program_scope; // error: program scope variable must reside in global or constant address space
private int private_variable; // error: program scope variable must reside in global or constant address space
constant int no_value; // error: variable in constant address space must be initialized
kernel void k(global int *out, constant int *c, int *generic_parameter) { // error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
  int *any = out;
  any = c; // error: assigning '__constant int *' to '__generic int *' changes address space of pointer
  global int *narrow = any; // error: initializing '__global int *' with an expression of type '__generic int *' changes address space of pointer
  narrow = (global int *)any;
  constant int *d = (constant int *)any; // error: casting '__generic int *' to type '__constant int *' changes address space of pointer
  static local int s; // error: static local variable must reside in global or constant address space
  generic int variable; // error: function scope variable cannot be declared in generic address space
  extern local int e; // error: extern variable must reside in global or constant address space
}
// ---
// error: program scope variable must reside in global or constant address space
//  --> test.cl:5:11
//   |
// 5 | local int local_at_program_scope;
//   |           ^^^^^^^^^^^^^^^^^^^^^^
//   |
// help: declare it '__constant' with an initializer, or pass it as a kernel argument
//
// error: program scope variable must reside in global or constant address space
//  --> test.cl:6:13
//   |
// 6 | private int private_variable;
//   |             ^^^^^^^^^^^^^^^^
//   |
// help: declare it '__constant' with an initializer, or pass it as a kernel argument
//
// error: variable in constant address space must be initialized
//  --> test.cl:7:14
//   |
// 7 | constant int no_value;
//   |              ^^^^^^^^
//
// error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
//  --> test.cl:8:54
//   |
// 8 | kernel void k(global int *out, constant int *c, int *generic_parameter) {
//   |                                                      ^^^^^^^^^^^^^^^^^
//
// error: assigning '__constant int *' to '__generic int *' changes address space of pointer
//   --> test.cl:10:9
//    |
// 10 |   any = c;
//    |         ^
//
// error: initializing '__global int *' with an expression of type '__generic int *' changes address space of pointer
//   --> test.cl:11:24
//    |
// 11 |   global int *narrow = any;
//    |                        ^^^
//
// error: casting '__generic int *' to type '__constant int *' changes address space of pointer
//   --> test.cl:13:21
//    |
// 13 |   constant int *d = (constant int *)any;
//    |                     ^^^^^^^^^^^^^^^^^^^
//
// error: static local variable must reside in global or constant address space
//   --> test.cl:14:20
//    |
// 14 |   static local int s;
//    |                    ^
//
// error: function scope variable cannot be declared in generic address space
//   --> test.cl:15:15
//    |
// 15 |   generic int variable;
//    |               ^^^^^^^^
//
// error: extern variable must reside in global or constant address space
//   --> test.cl:16:20
//    |
// 16 |   extern local int e;
//    |                    ^
