// Mistakes of grammar: one message each, and the functions around are checked all the same.
kernel void k1(global int *out) { out[0] = 1 } // error: expected ';' after expression
kernel void k2(global int *out) { if out[0] return; } // error: expected '(' after 'if'
kernel void k3(global int *out) { out[0 = 1; } // error: expected ']' // error: expression is not assignable
kernel void k4(global int *out) { for (int i = 0; i < 3) out[i] = 1; } // error: expected ';' in 'for' statement specifier
kernel void k5(global int *out) { do out[0]++; while (1) } // error: expected ';' after do/while statement
kernel void k6(global int *out) { else out[0] = 1; } // error: expected expression
kernel void k7(global int *out) { int float x; } // error: cannot combine these type specifiers
kernel void k8(global int *out) { uint4x v; } // error: unknown type name 'uint4x'; did you mean 'uint4'?
kernel void k9(global int *out) { switch (1) { case : break; } } // error: expected expression
kernel void k10(global int *out) { goto ; } // error: expected identifier
kernel void k11(global int *out) { return return; } // error: expected expression
kernel void k12(global int *out) { out[0] = (1 + ; } // error: expected expression
kernel void k13(global int *out) { x y z; } // error: unknown type name 'x' // error: expected ';' at end of declaration
kernel void k14(global int *out) { int a = 1, ; } // error: expected identifier or '('
kernel void k15(global int *out) { out[0] = 3 3; } // error: expected ';' after expression // warning: expression result unused
kernel void k16(global int *out) { try { } } // error: expected ';' after expression // error: use of undeclared identifier 'try'
struct S { int a }; // warning: expected ';' at end of declaration list
enum E { A B }; // error: expected '}'
class Thing { }; // error: unknown type name 'class' // error: expected ';' after top level declarator
using namespace std; // error: unknown type name 'using' // error: expected ';' after top level declarator
kernel void parameters(global int *out { } // error: expected ')'
kernel void last(global int *out) { out[0] = undeclared; } // error: use of undeclared identifier 'undeclared'
// ---
// error: expected ';' after expression
//  --> test.cl:2:45
//   |
// 2 | kernel void k1(global int *out) { out[0] = 1 }
//   |                                             ^
//
// error: expected '(' after 'if'
//  --> test.cl:3:38
//   |
// 3 | kernel void k2(global int *out) { if out[0] return; }
//   |                                      ^^^
//
// error: expected ']'
//  --> test.cl:4:44
//   |
// 4 | kernel void k3(global int *out) { out[0 = 1; }
//   |                                            ^
//   |
// note: to match this '['
//  --> test.cl:4:38
//   |
// 4 | kernel void k3(global int *out) { out[0 = 1; }
//   |                                      -
//
// error: expected ';' in 'for' statement specifier
//  --> test.cl:5:56
//   |
// 5 | kernel void k4(global int *out) { for (int i = 0; i < 3) out[i] = 1; }
//   |                                                        ^
//
// error: expected ';' after do/while statement
//  --> test.cl:6:57
//   |
// 6 | kernel void k5(global int *out) { do out[0]++; while (1) }
//   |                                                         ^
//
// error: expected expression
//  --> test.cl:7:35
//   |
// 7 | kernel void k6(global int *out) { else out[0] = 1; }
//   |                                   ^^^^
//
// error: unknown type name 'uint4x'; did you mean 'uint4'?
//  --> test.cl:9:35
//   |
// 9 | kernel void k8(global int *out) { uint4x v; }
//   |                                   ^^^^^^
//
// error: expected expression
//   --> test.cl:10:53
//    |
// 10 | kernel void k9(global int *out) { switch (1) { case : break; } }
//    |                                                     ^
//
// error: expected identifier
//   --> test.cl:11:41
//    |
// 11 | kernel void k10(global int *out) { goto ; }
//    |                                         ^
//
// error: expected expression
//   --> test.cl:12:43
//    |
// 12 | kernel void k11(global int *out) { return return; }
//    |                                           ^^^^^^
//
// error: expected expression
//   --> test.cl:13:50
//    |
// 13 | kernel void k12(global int *out) { out[0] = (1 + ; }
//    |                                                  ^
//
// error: unknown type name 'x'
//   --> test.cl:14:36
//    |
// 14 | kernel void k13(global int *out) { x y z; }
//    |                                    ^
//
// error: expected ';' at end of declaration
//   --> test.cl:14:39
//    |
// 14 | kernel void k13(global int *out) { x y z; }
//    |                                       ^
//
// error: expected identifier or '('
//   --> test.cl:15:47
//    |
// 15 | kernel void k14(global int *out) { int a = 1, ; }
//    |                                               ^
//
// error: expected ';' after expression
//   --> test.cl:16:46
//    |
// 16 | kernel void k15(global int *out) { out[0] = 3 3; }
//    |                                              ^
//
// error: expected ';' after expression
//   --> test.cl:17:39
//    |
// 17 | kernel void k16(global int *out) { try { } }
//    |                                       ^
//
// warning: expected ';' at end of declaration list [-Wmissing-semicolon]
//   --> test.cl:18:17
//    |
// 18 | struct S { int a };
//    |                 ^
//
// error: expected '}'
//   --> test.cl:19:12
//    |
// 19 | enum E { A B };
//    |            ^
//    |
// note: to match this '{'
//   --> test.cl:19:8
//    |
// 19 | enum E { A B };
//    |        -
//
// error: unknown type name 'class'
//   --> test.cl:20:1
//    |
// 20 | class Thing { };
//    | ^^^^^
//
// error: expected ';' after top level declarator
//   --> test.cl:20:12
//    |
// 20 | class Thing { };
//    |            ^
//
// error: unknown type name 'using'
//   --> test.cl:21:1
//    |
// 21 | using namespace std;
//    | ^^^^^
//
// error: expected ';' after top level declarator
//   --> test.cl:21:16
//    |
// 21 | using namespace std;
//    |                ^
//
// error: expected ')'
//   --> test.cl:22:40
//    |
// 22 | kernel void parameters(global int *out { }
//    |                                        ^
//    |
// note: to match this '('
//   --> test.cl:22:23
//    |
// 22 | kernel void parameters(global int *out { }
//    |                       -
//
// error: expression is not assignable
//  --> test.cl:4:41
//   |
// 4 | kernel void k3(global int *out) { out[0 = 1; }
//   |                                         ^
//
// error: cannot combine these type specifiers
//  --> test.cl:8:35
//   |
// 8 | kernel void k7(global int *out) { int float x; }
//   |                                   ^^^^^^^^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:16:47
//    |
// 16 | kernel void k15(global int *out) { out[0] = 3 3; }
//    |                                               ^
//
// error: use of undeclared identifier 'try'
//   --> test.cl:17:36
//    |
// 17 | kernel void k16(global int *out) { try { } }
//    |                                    ^^^
//
// error: use of undeclared identifier 'undeclared'
//   --> test.cl:23:46
//    |
// 23 | kernel void last(global int *out) { out[0] = undeclared; }
//    |                                              ^^^^^^^^^^
