// Declarations inside functions (C99 6.7).
struct Known { int a; float b; };
struct Unknown;
kernel void k(global int *out, int n) {
  int n; // error: redefinition of 'n'
  int a = a2; // error: use of undeclared identifier 'a2'
  int b; float b; // error: redefinition of 'b'
  struct Unknown s; // error: variable has incomplete type 'struct Unknown'
  void v; // error: variable has incomplete type 'void'
  int unsized[]; // error: definition of variable with array type needs an explicit size or an initializer
  int many[2] = { 1, 2, 3 }; // warning: excess elements in array initializer
  int c = { 1, 2 }; // warning: excess elements in scalar initializer
  int d = {}; // error: scalar initializer cannot be empty
  struct Known e = { .z = 1 }; // error: field designator 'z' does not refer to any field in type 'struct Known'
  int f[2] = { [2] = 1 }; // error: array designator index (2) exceeds array bounds (2)
  int g[2] = { [-1] = 1 }; // error: array designator value '-1' is negative
  int h[2] = { [n] = 1 }; // error: array designator index is not an integer constant expression
  int i[2] = 3; // error: array initializer must be an initializer list
  char j[2] = "abc"; // warning: initializer-string for char array is too long
  int l[3] = { .x = 1 }; // error: field designator cannot initialize a non-struct, non-union type 'int[3]'
  struct Known m = { [0] = 1 }; // error: array designator cannot initialize non-array type 'struct Known'
  struct Known o = 3; // error: initializing 'struct Known' with an expression of incompatible type 'int'
  int p = sizeof(struct Known) + q; // error: use of undeclared identifier 'q'
  int r = r + 1;
  typedef int local_type;
  local_type local_type = 3; // error: redefinition of 'local_type'
  struct Known t = { 1, 2, 3 }; // warning: excess elements in struct initializer
  int u[0];
  const int w; // warning
  int x = (int){ 1 } + (struct Known){ 1, 2 }; // error: invalid operands to binary expression ('int' and 'struct Known')
}
// ---
// error: redefinition of 'n'
//  --> test.cl:5:7
//   |
// 5 |   int n;
//   |       ^
//   |
// note: previous definition is here
//  --> test.cl:4:36
//   |
// 4 | kernel void k(global int *out, int n) {
//   |                                    -
//
// error: use of undeclared identifier 'a2'
//  --> test.cl:6:11
//   |
// 6 |   int a = a2;
//   |           ^^
//
// error: redefinition of 'b'
//  --> test.cl:7:16
//   |
// 7 |   int b; float b;
//   |                ^
//   |
// note: previous definition is here
//  --> test.cl:7:7
//   |
// 7 |   int b; float b;
//   |       -
//
// error: variable has incomplete type 'struct Unknown'
//  --> test.cl:8:18
//   |
// 8 |   struct Unknown s;
//   |                  ^
//   |
// note: forward declaration of 'struct Unknown'
//  --> test.cl:3:8
//   |
// 3 | struct Unknown;
//   |        -------
//
// error: variable has incomplete type 'void'
//  --> test.cl:9:8
//   |
// 9 |   void v;
//   |        ^
//
// error: definition of variable with array type needs an explicit size or an initializer
//   --> test.cl:10:7
//    |
// 10 |   int unsized[];
//    |       ^^^^^^^
//
// warning: excess elements in array initializer [-Wexcess-initializers]
//   --> test.cl:11:25
//    |
// 11 |   int many[2] = { 1, 2, 3 };
//    |                         ^
//
// warning: excess elements in scalar initializer [-Wexcess-initializers]
//   --> test.cl:12:16
//    |
// 12 |   int c = { 1, 2 };
//    |                ^
//
// error: scalar initializer cannot be empty
//   --> test.cl:13:11
//    |
// 13 |   int d = {};
//    |           ^^
//
// error: field designator 'z' does not refer to any field in type 'struct Known'
//   --> test.cl:14:23
//    |
// 14 |   struct Known e = { .z = 1 };
//    |                       ^
//
// error: array designator index (2) exceeds array bounds (2)
//   --> test.cl:15:17
//    |
// 15 |   int f[2] = { [2] = 1 };
//    |                 ^
//
// error: array designator value '-1' is negative
//   --> test.cl:16:17
//    |
// 16 |   int g[2] = { [-1] = 1 };
//    |                 ^^
//
// error: array designator index is not an integer constant expression
//   --> test.cl:17:17
//    |
// 17 |   int h[2] = { [n] = 1 };
//    |                 ^
//
// error: array initializer must be an initializer list
//   --> test.cl:18:14
//    |
// 18 |   int i[2] = 3;
//    |              ^
//
// warning: initializer-string for char array is too long [-Wexcess-initializers]
//   --> test.cl:19:15
//    |
// 19 |   char j[2] = "abc";
//    |               ^^^^^
//
// error: field designator cannot initialize a non-struct, non-union type 'int[3]'
//   --> test.cl:20:16
//    |
// 20 |   int l[3] = { .x = 1 };
//    |                ^^^^^^
//
// error: array designator cannot initialize non-array type 'struct Known'
//   --> test.cl:21:22
//    |
// 21 |   struct Known m = { [0] = 1 };
//    |                      ^^^^^^^
//
// error: initializing 'struct Known' with an expression of incompatible type 'int'
//   --> test.cl:22:20
//    |
// 22 |   struct Known o = 3;
//    |                    ^
//
// error: use of undeclared identifier 'q'
//   --> test.cl:23:34
//    |
// 23 |   int p = sizeof(struct Known) + q;
//    |                                  ^
//
// error: redefinition of 'local_type'
//   --> test.cl:26:14
//    |
// 26 |   local_type local_type = 3;
//    |              ^^^^^^^^^^
//    |
// note: previous definition is here
//   --> test.cl:25:15
//    |
// 25 |   typedef int local_type;
//    |               ----------
//
// warning: excess elements in struct initializer [-Wexcess-initializers]
//   --> test.cl:27:28
//    |
// 27 |   struct Known t = { 1, 2, 3 };
//    |                            ^
//
// error: invalid operands to binary expression ('int' and 'struct Known')
//   --> test.cl:30:22
//    |
// 30 |   int x = (int){ 1 } + (struct Known){ 1, 2 };
//    |                      ^
