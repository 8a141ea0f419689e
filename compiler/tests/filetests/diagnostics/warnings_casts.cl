// options: -cl-std=CL1.2 -Wcast-align -Wcast-qual -Wshadow
// Casts to pointers to what must be aligned to more, or may be written; names that hide others. The warnings are clang 15's.
constant int table = 3;
struct S { char c[8]; };
kernel void casts(global const int *p, global char *c, const global volatile int *v, global short *s, global int *o) {
  global int *a = (global int *)p; // warning: cast from 'const __global int *' to '__global int *' drops const qualifier
  global int *b = (global int *)c; // warning: cast from '__global char *' to '__global int *' increases required alignment from 1 to 4
  global const int *d = (global const int *)c; // warning: cast from '__global char *' to 'const __global int *' increases required alignment from 1 to 4
  global int *e = (global int *)v; // warning: cast from 'const volatile __global int *' to '__global int *' drops const and volatile qualifiers
  global long *f = (global long *)o; // warning: cast from '__global int *' to '__global long *' increases required alignment from 4 to 8
  global int4 *g = (global int4 *)o; // warning: cast from '__global int *' to '__global int4 *' increases required alignment from 4 to 16
  global char *h = (global char *)o;
  global int *i = (global int *)s; // warning: cast from '__global short *' to '__global int *' increases required alignment from 2 to 4
  global int *j = (global int *)(global void *)c;
  global float *k = (global float *)p; // warning: cast from 'const __global int *' to '__global float *' drops const qualifier
  global uchar *l = (global uchar *)c;
  int array[4];
  long *m = (long *)array; // warning: cast from 'int *' to 'long *' increases required alignment from 4 to 8
  char bytes[8];
  int *n = (int *)bytes; // warning: cast from 'char *' to 'int *' increases required alignment from 1 to 4
  int *q = (int *)&bytes[4]; // warning: cast from 'char *' to 'int *' increases required alignment from 1 to 4
  struct S record;
  int *r = (int *)&record; // warning: cast from 'struct S *' to 'int *' increases required alignment from 1 to 4
  o[0] = a == b || d == p || e == a || (global int *)f == a || (global int *)g == a || h == c || i == j || k == 0 || l == 0;
  o[1] = *m + *n + *q + *r;
}
kernel void hides(global int *o, int n) {
  int i = n;
  { int n = 3; o[0] = n; } // warning: declaration shadows a local variable
  { int table = 4; o[0] = table; } // warning: declaration shadows a variable in the global scope
  for (int i = 0; i < 3; i++) { int i = 5; o[i] = 1; } // warning: declaration shadows a local variable // warning: declaration shadows a local variable
  { int other = 1; o[0] = other; }
  { int other = 2; o[0] = other; }
  local int shared[4];
  { int shared = 1; o[1] = shared; } // warning: declaration shadows a local variable
  shared[0] = i;
}
int parameter(int table) { return table; } // warning: declaration shadows a variable in the global scope
// ---
// warning: cast from 'const __global int *' to '__global int *' drops const qualifier [-Wcast-qual]
//  --> test.cl:6:19
//   |
// 6 |   global int *a = (global int *)p;
//   |                   ^^^^^^^^^^^^^^^
//
// warning: cast from '__global char *' to '__global int *' increases required alignment from 1 to 4 [-Wcast-align]
//  --> test.cl:7:19
//   |
// 7 |   global int *b = (global int *)c;
//   |                   ^^^^^^^^^^^^^^^
//
// warning: cast from '__global char *' to 'const __global int *' increases required alignment from 1 to 4 [-Wcast-align]
//  --> test.cl:8:25
//   |
// 8 |   global const int *d = (global const int *)c;
//   |                         ^^^^^^^^^^^^^^^^^^^^^
//
// warning: cast from 'const volatile __global int *' to '__global int *' drops const and volatile qualifiers [-Wcast-qual]
//  --> test.cl:9:19
//   |
// 9 |   global int *e = (global int *)v;
//   |                   ^^^^^^^^^^^^^^^
//
// warning: cast from '__global int *' to '__global long *' increases required alignment from 4 to 8 [-Wcast-align]
//   --> test.cl:10:20
//    |
// 10 |   global long *f = (global long *)o;
//    |                    ^^^^^^^^^^^^^^^^
//
// warning: cast from '__global int *' to '__global int4 *' increases required alignment from 4 to 16 [-Wcast-align]
//   --> test.cl:11:20
//    |
// 11 |   global int4 *g = (global int4 *)o;
//    |                    ^^^^^^^^^^^^^^^^
//
// warning: cast from '__global short *' to '__global int *' increases required alignment from 2 to 4 [-Wcast-align]
//   --> test.cl:13:19
//    |
// 13 |   global int *i = (global int *)s;
//    |                   ^^^^^^^^^^^^^^^
//
// warning: cast from 'const __global int *' to '__global float *' drops const qualifier [-Wcast-qual]
//   --> test.cl:15:21
//    |
// 15 |   global float *k = (global float *)p;
//    |                     ^^^^^^^^^^^^^^^^^
//
// warning: cast from 'int *' to 'long *' increases required alignment from 4 to 8 [-Wcast-align]
//   --> test.cl:18:13
//    |
// 18 |   long *m = (long *)array;
//    |             ^^^^^^^^^^^^^
//
// warning: cast from 'char *' to 'int *' increases required alignment from 1 to 4 [-Wcast-align]
//   --> test.cl:20:12
//    |
// 20 |   int *n = (int *)bytes;
//    |            ^^^^^^^^^^^^
//
// warning: cast from 'char *' to 'int *' increases required alignment from 1 to 4 [-Wcast-align]
//   --> test.cl:21:12
//    |
// 21 |   int *q = (int *)&bytes[4];
//    |            ^^^^^^^^^^^^^^^^
//
// warning: cast from 'struct S *' to 'int *' increases required alignment from 1 to 4 [-Wcast-align]
//   --> test.cl:23:12
//    |
// 23 |   int *r = (int *)&record;
//    |            ^^^^^^^^^^^^^^
//
// warning: declaration shadows a local variable [-Wshadow]
//   --> test.cl:29:9
//    |
// 29 |   { int n = 3; o[0] = n; }
//    |         ^
//    |
// note: previous declaration is here
//   --> test.cl:27:38
//    |
// 27 | kernel void hides(global int *o, int n) {
//    |                                      -
//
// warning: declaration shadows a variable in the global scope [-Wshadow]
//   --> test.cl:30:9
//    |
// 30 |   { int table = 4; o[0] = table; }
//    |         ^^^^^
//    |
// note: previous declaration is here
//   --> test.cl:3:14
//    |
//  3 | constant int table = 3;
//    |              -----
//
// warning: declaration shadows a local variable [-Wshadow]
//   --> test.cl:31:12
//    |
// 31 |   for (int i = 0; i < 3; i++) { int i = 5; o[i] = 1; }
//    |            ^
//    |
// note: previous declaration is here
//   --> test.cl:28:7
//    |
// 28 |   int i = n;
//    |       -
//
// warning: declaration shadows a local variable [-Wshadow]
//   --> test.cl:31:37
//    |
// 31 |   for (int i = 0; i < 3; i++) { int i = 5; o[i] = 1; }
//    |                                     ^
//    |
// note: previous declaration is here
//   --> test.cl:31:12
//    |
// 31 |   for (int i = 0; i < 3; i++) { int i = 5; o[i] = 1; }
//    |            -
//
// warning: declaration shadows a local variable [-Wshadow]
//   --> test.cl:35:9
//    |
// 35 |   { int shared = 1; o[1] = shared; }
//    |         ^^^^^^
//    |
// note: previous declaration is here
//   --> test.cl:34:13
//    |
// 34 |   local int shared[4];
//    |             ------
//
// warning: declaration shadows a variable in the global scope [-Wshadow]
//   --> test.cl:38:19
//    |
// 38 | int parameter(int table) { return table; }
//    |                   ^^^^^
//    |
// note: previous declaration is here
//   --> test.cl:3:14
//    |
//  3 | constant int table = 3;
//    |              -----
