// Declarations (C99 6.7).
// options: -cl-std=CL2.0
typedef int T;
typedef float T; // error: typedef redefinition with different types ('float' vs 'int')
int T; // error: redefinition of 'T' as different kind of symbol
int f(int a);
float f(int a) { return a; } // error: conflicting types for 'f'
int g(void) { return 1; }
int g(void) { return 2; } // error: redefinition of 'g'
global int v;
global float v; // error: redefinition of 'v' with a different type: '__global float' vs '__global int'
constant int c = 1;
constant int c = 2; // error: redefinition of 'c'
struct Twice { int a; int a; }; // error: duplicate member 'a'
struct Twice { int b; }; // error: redefinition of 'Twice'
union Twice u; // error: use of 'Twice' with tag type that does not match previous declaration
struct Itself { struct Itself s; }; // error: field has incomplete type 'struct Itself'
struct Void { void v; }; // error: field has incomplete type 'void'
struct Function { int f(int); }; // error: field 'f' declared as a function
struct Spaced { global int a; }; // error: field may not be qualified with an address space
struct Stored { static int a; }; // error: type name does not allow storage class to be specified
struct Given { int a = 1; }; // error: expected ';' at end of declaration list
enum E { A, A }; // error: redefinition of enumerator 'A'
enum E { B }; // error: redefinition of 'E'
enum F { Big = 5000000000, C = 1.5 }; // error: expression is not an integer constant expression
int h(int a, float a); // error: redefinition of parameter 'a'
int i()(int); // error: function cannot return function type
int j(void)[3]; // error: function cannot return array type 'int[3]'
void l[3]; // error: array has incomplete element type 'void'
global int m[-1]; // error: 'm' declared as an array with a negative size
global int n[1.5f]; // error: size of array has non-integer type 'float'
global struct Unknown o; // error: variable has incomplete type 'struct Unknown'
global int p[]; // error: definition of variable with array type needs an explicit size or an initializer // clang: accepts it as one element (C99 6.9.2), which nobody means
int q(void) = 3; // error: illegal initializer (only variables can be initialized)
int signed unsigned r; // error: cannot combine these type specifiers
short float s; // error: cannot combine these type specifiers
const int w(void);
inline int x = 3; // error: 'inline' can only appear on functions
constant int y[2] = { 1, 2, 3 }; // warning: excess elements in array initializer
constant int z = get_global_id(0); // error: initializer element is not a compile-time constant
restrict int aa; // error: restrict requires a pointer ('int' is invalid)
int bb(restrict int a); // error: restrict requires a pointer ('int' is invalid)
// ---
// error: expected ';' at end of declaration list
//   --> test.cl:22:21
//    |
// 22 | struct Given { int a = 1; };
//    |                     ^
//
// error: typedef redefinition with different types ('float' vs 'int')
//  --> test.cl:4:15
//   |
// 4 | typedef float T;
//   |               ^
//   |
// note: previous definition is here
//  --> test.cl:3:13
//   |
// 3 | typedef int T;
//   |             -
//
// error: redefinition of 'T' as different kind of symbol
//  --> test.cl:5:5
//   |
// 5 | int T;
//   |     ^
//   |
// note: previous definition is here
//  --> test.cl:3:13
//   |
// 3 | typedef int T;
//   |             -
//
// error: conflicting types for 'f'
//  --> test.cl:7:7
//   |
// 7 | float f(int a) { return a; }
//   |       ^
//   |
// note: previous declaration is here
//  --> test.cl:6:5
//   |
// 6 | int f(int a);
//   |     -
//
// error: redefinition of 'g'
//  --> test.cl:9:5
//   |
// 9 | int g(void) { return 2; }
//   |     ^
//   |
// note: previous definition is here
//  --> test.cl:8:5
//   |
// 8 | int g(void) { return 1; }
//   |     -
//
// error: redefinition of 'v' with a different type: '__global float' vs '__global int'
//   --> test.cl:11:14
//    |
// 11 | global float v;
//    |              ^
//    |
// note: previous definition is here
//   --> test.cl:10:12
//    |
// 10 | global int v;
//    |            -
//
// error: redefinition of 'c'
//   --> test.cl:13:14
//    |
// 13 | constant int c = 2;
//    |              ^
//    |
// note: previous definition is here
//   --> test.cl:12:14
//    |
// 12 | constant int c = 1;
//    |              -
//
// error: duplicate member 'a'
//   --> test.cl:14:27
//    |
// 14 | struct Twice { int a; int a; };
//    |                           ^
//    |
// note: previous declaration is here
//   --> test.cl:14:20
//    |
// 14 | struct Twice { int a; int a; };
//    |                    -
//
// error: redefinition of 'Twice'
//   --> test.cl:15:8
//    |
// 15 | struct Twice { int b; };
//    |        ^^^^^
//    |
// note: previous definition is here
//   --> test.cl:14:8
//    |
// 14 | struct Twice { int a; int a; };
//    |        -----
//
// error: use of 'Twice' with tag type that does not match previous declaration
//   --> test.cl:16:7
//    |
// 16 | union Twice u;
//    |       ^^^^^
//    |
// note: previous use is here
//   --> test.cl:14:8
//    |
// 14 | struct Twice { int a; int a; };
//    |        -----
//
// error: field has incomplete type 'struct Itself'
//   --> test.cl:17:31
//    |
// 17 | struct Itself { struct Itself s; };
//    |                               ^
//
// error: field has incomplete type 'void'
//   --> test.cl:18:20
//    |
// 18 | struct Void { void v; };
//    |                    ^
//
// error: field 'f' declared as a function
//   --> test.cl:19:23
//    |
// 19 | struct Function { int f(int); };
//    |                       ^
//
// error: field may not be qualified with an address space
//   --> test.cl:20:28
//    |
// 20 | struct Spaced { global int a; };
//    |                            ^
//
// error: type name does not allow storage class to be specified
//   --> test.cl:21:17
//    |
// 21 | struct Stored { static int a; };
//    |                 ^^^^^^
//
// error: redefinition of enumerator 'A'
//   --> test.cl:23:13
//    |
// 23 | enum E { A, A };
//    |             ^
//    |
// note: previous definition is here
//   --> test.cl:23:10
//    |
// 23 | enum E { A, A };
//    |          -
//
// error: redefinition of 'E'
//   --> test.cl:24:6
//    |
// 24 | enum E { B };
//    |      ^
//    |
// note: previous definition is here
//   --> test.cl:23:6
//    |
// 23 | enum E { A, A };
//    |      -
//
// error: expression is not an integer constant expression
//   --> test.cl:25:32
//    |
// 25 | enum F { Big = 5000000000, C = 1.5 };
//    |                                ^^^
//
// error: redefinition of parameter 'a'
//   --> test.cl:26:20
//    |
// 26 | int h(int a, float a);
//    |                    ^
//    |
// note: previous declaration is here
//   --> test.cl:26:11
//    |
// 26 | int h(int a, float a);
//    |           -
//
// error: function cannot return function type
//   --> test.cl:27:5
//    |
// 27 | int i()(int);
//    |     ^^^^^^^^
//
// error: function cannot return array type 'int[3]'
//   --> test.cl:28:5
//    |
// 28 | int j(void)[3];
//    |     ^^^^^^^^^^
//
// error: array has incomplete element type 'void'
//   --> test.cl:29:7
//    |
// 29 | void l[3];
//    |       ^^^
//
// error: 'm' declared as an array with a negative size
//   --> test.cl:30:14
//    |
// 30 | global int m[-1];
//    |              ^^
//
// error: size of array has non-integer type 'float'
//   --> test.cl:31:14
//    |
// 31 | global int n[1.5f];
//    |              ^^^^
//
// error: variable has incomplete type 'struct Unknown'
//   --> test.cl:32:23
//    |
// 32 | global struct Unknown o;
//    |                       ^
//    |
// note: forward declaration of 'struct Unknown'
//   --> test.cl:32:15
//    |
// 32 | global struct Unknown o;
//    |               -------
//
// error: definition of variable with array type needs an explicit size or an initializer
//   --> test.cl:33:12
//    |
// 33 | global int p[];
//    |            ^
//
// error: illegal initializer (only variables can be initialized)
//   --> test.cl:34:5
//    |
// 34 | int q(void) = 3;
//    |     ^
//
// error: cannot combine these type specifiers
//   --> test.cl:35:1
//    |
// 35 | int signed unsigned r;
//    | ^^^^^^^^^^^^^^^^^^^
//
// error: cannot combine these type specifiers
//   --> test.cl:36:1
//    |
// 36 | short float s;
//    | ^^^^^^^^^^^
//
// error: 'inline' can only appear on functions
//   --> test.cl:38:12
//    |
// 38 | inline int x = 3;
//    |            ^
//
// warning: excess elements in array initializer [-Wexcess-initializers]
//   --> test.cl:39:29
//    |
// 39 | constant int y[2] = { 1, 2, 3 };
//    |                             ^
//
// error: initializer element is not a compile-time constant
//   --> test.cl:40:18
//    |
// 40 | constant int z = get_global_id(0);
//    |                  ^^^^^^^^^^^^^^^^
//
// error: restrict requires a pointer ('int' is invalid)
//   --> test.cl:41:10
//    |
// 41 | restrict int aa;
//    |          ^^^
//
// error: restrict requires a pointer ('int' is invalid)
//   --> test.cl:42:17
//    |
// 42 | int bb(restrict int a);
//    |                 ^^^
