// Notes point at what was written before.
typedef int T;
typedef float T; // error: typedef redefinition with different types ('float' vs 'int')
int f(int a);
float f(int a) { return a; } // error: conflicting types for 'f'
struct S { int a; int a; }; // error: duplicate member 'a'
struct S { int b; }; // error: redefinition of 'S'
struct Later;
enum E { A };
enum F { A }; // error: redefinition of enumerator 'A'
constant int c = 1;
constant int c = 2; // error: redefinition of 'c'
void takes(local int *p) {}
kernel void k(global int *out, int n) {
  int n; // error: redefinition of 'n'
  struct Later l; // error: variable has incomplete type 'struct Later'
  takes(out); // error: passing '__global int *' to parameter of type '__local int *' changes address space of pointer
  takes(); // error: too few arguments to function call, expected 1, have 0
  switch (n) { case 1: break; case 1: break; } // error: duplicate case value '1'
label:
  n = 1;
label: // error: redefinition of label 'label'
  out[0] = 1;
}
// ---
// error: typedef redefinition with different types ('float' vs 'int')
//  --> test.cl:3:15
//   |
// 3 | typedef float T;
//   |               ^
//   |
// note: previous definition is here
//  --> test.cl:2:13
//   |
// 2 | typedef int T;
//   |             -
//
// error: conflicting types for 'f'
//  --> test.cl:5:7
//   |
// 5 | float f(int a) { return a; }
//   |       ^
//   |
// note: previous declaration is here
//  --> test.cl:4:5
//   |
// 4 | int f(int a);
//   |     -
//
// error: duplicate member 'a'
//  --> test.cl:6:23
//   |
// 6 | struct S { int a; int a; };
//   |                       ^
//   |
// note: previous declaration is here
//  --> test.cl:6:16
//   |
// 6 | struct S { int a; int a; };
//   |                -
//
// error: redefinition of 'S'
//  --> test.cl:7:8
//   |
// 7 | struct S { int b; };
//   |        ^
//   |
// note: previous definition is here
//  --> test.cl:6:8
//   |
// 6 | struct S { int a; int a; };
//   |        -
//
// error: redefinition of enumerator 'A'
//   --> test.cl:10:10
//    |
// 10 | enum F { A };
//    |          ^
//    |
// note: previous definition is here
//   --> test.cl:9:10
//    |
//  9 | enum E { A };
//    |          -
//
// error: redefinition of 'c'
//   --> test.cl:12:14
//    |
// 12 | constant int c = 2;
//    |              ^
//    |
// note: previous definition is here
//   --> test.cl:11:14
//    |
// 11 | constant int c = 1;
//    |              -
//
// error: redefinition of 'n'
//   --> test.cl:15:7
//    |
// 15 |   int n;
//    |       ^
//    |
// note: previous definition is here
//   --> test.cl:14:36
//    |
// 14 | kernel void k(global int *out, int n) {
//    |                                    -
//
// error: variable has incomplete type 'struct Later'
//   --> test.cl:16:16
//    |
// 16 |   struct Later l;
//    |                ^
//    |
// note: forward declaration of 'struct Later'
//   --> test.cl:8:8
//    |
//  8 | struct Later;
//    |        -----
//
// error: passing '__global int *' to parameter of type '__local int *' changes address space of pointer
//   --> test.cl:17:9
//    |
// 17 |   takes(out);
//    |         ^^^
//    |
// note: passing argument to parameter here
//   --> test.cl:13:23
//    |
// 13 | void takes(local int *p) {}
//    |                       -
//
// error: too few arguments to function call, expected 1, have 0
//   --> test.cl:18:3
//    |
// 18 |   takes();
//    |   ^^^^^^^
//    |
// note: 'takes' declared here
//   --> test.cl:13:6
//    |
// 13 | void takes(local int *p) {}
//    |      -----
//
// error: duplicate case value '1'
//   --> test.cl:19:36
//    |
// 19 |   switch (n) { case 1: break; case 1: break; }
//    |                                    ^
//    |
// note: previous case defined here
//   --> test.cl:19:21
//    |
// 19 |   switch (n) { case 1: break; case 1: break; }
//    |                     -
//
// error: redefinition of label 'label'
//   --> test.cl:22:1
//    |
// 22 | label:
//    | ^^^^^
//    |
// note: previous definition is here
//   --> test.cl:20:1
//    |
// 20 | label:
//    | -----
