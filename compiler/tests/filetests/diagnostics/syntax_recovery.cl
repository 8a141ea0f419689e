// What is wrong with the other statements of a function is said beside its syntax errors, and nothing that follows from those.
typedef struct { int a; float b; } S;
kernel void k(global int *out, global float *f, int n) {
  int x = 3 // error: expected ';' at end of declaration
  int y = undeclared1; // error: use of undeclared identifier 'undeclared1'
  float z = f[0] + ; // error: expected expression
  z = nosuch(1); // error: implicit declaration of function 'nosuch' is invalid in OpenCL
  S s;
  s.c = 1; // error: no member named 'c' in 'S'
  for (int i = 0; i < n i++) { out[i] = undeclared2; } // error: expected ';' in 'for' statement specifier // error: use of undeclared identifier 'undeclared2'
  if (n == 3 { out[0] = undeclared3; } // error: expected ')' // error: use of undeclared identifier 'undeclared3'
  out[1] = x + y + z;
  int w v = 3; // error: expected ';' at end of declaration
  out[2] = w + v;
  out[3] = n > ? 1 : undeclared4; // error: expected expression // error: use of undeclared identifier 'undeclared4'
}
kernel void k2(global int *out, int n) {
  int a[3] = {1, 2 3}; // error: expected '}'
  out[0] = a[1; // error: expected ']'
  out[1] = a[] + undeclared1; // error: expected expression // error: use of undeclared identifier 'undeclared1'
  switch (n) {
  case 1 out[0] = undeclared2; break; // error: expected ':' // error: use of undeclared identifier 'undeclared2'
  default: break;
  }
  while (n > ) { out[0] = undeclared3; break; } // error: expected expression // error: use of undeclared identifier 'undeclared3'
  do { out[1] = undeclared4; } while (n) // error: use of undeclared identifier 'undeclared4' // error: expected ';' after do/while statement
  int3 v = (int3)(1, 2, 3; // error: expected ')'
  v.q = 1; // error: illegal vector component name 'q'
  out[3] = v.x // error: expected ';' after expression
}
int g(int n) {
  goto end;
  int q = (3 + 4; // error: expected ')'
  end: n = 1 2; // error: expected ';' after expression // warning: expression result unused
  undeclared7(); // error: implicit declaration of function 'undeclared7' is invalid in OpenCL
  return q // error: expected ';' after return statement
}
kernel void skipped(global int *out) {
  struct { int a b; } s; // error: expected ';' at end of declaration list
  s.a = undeclared1; // error: use of undeclared identifier 'undeclared1'
  out[0] = s.b;
}
// ---
// error: expected ';' at end of declaration
//  --> test.cl:4:12
//   |
// 4 |   int x = 3
//   |            ^
//
// error: expected expression
//  --> test.cl:6:20
//   |
// 6 |   float z = f[0] + ;
//   |                    ^
//
// error: expected ';' in 'for' statement specifier
//   --> test.cl:10:24
//    |
// 10 |   for (int i = 0; i < n i++) { out[i] = undeclared2; }
//    |                        ^
//
// error: expected ')'
//   --> test.cl:11:14
//    |
// 11 |   if (n == 3 { out[0] = undeclared3; }
//    |              ^
//    |
// note: to match this '('
//   --> test.cl:11:6
//    |
// 11 |   if (n == 3 { out[0] = undeclared3; }
//    |      -
//
// error: expected ';' at end of declaration
//   --> test.cl:13:8
//    |
// 13 |   int w v = 3;
//    |        ^
//
// error: expected expression
//   --> test.cl:15:16
//    |
// 15 |   out[3] = n > ? 1 : undeclared4;
//    |                ^
//
// error: expected '}'
//   --> test.cl:18:20
//    |
// 18 |   int a[3] = {1, 2 3};
//    |                    ^
//    |
// note: to match this '{'
//   --> test.cl:18:14
//    |
// 18 |   int a[3] = {1, 2 3};
//    |              -
//
// error: expected ']'
//   --> test.cl:19:15
//    |
// 19 |   out[0] = a[1;
//    |               ^
//    |
// note: to match this '['
//   --> test.cl:19:13
//    |
// 19 |   out[0] = a[1;
//    |             -
//
// error: expected expression
//   --> test.cl:20:14
//    |
// 20 |   out[1] = a[] + undeclared1;
//    |              ^
//
// error: expected ':'
//   --> test.cl:22:9
//    |
// 22 |   case 1 out[0] = undeclared2; break;
//    |         ^
//
// error: expected expression
//   --> test.cl:25:14
//    |
// 25 |   while (n > ) { out[0] = undeclared3; break; }
//    |              ^
//
// error: expected ';' after do/while statement
//   --> test.cl:26:41
//    |
// 26 |   do { out[1] = undeclared4; } while (n)
//    |                                         ^
//
// error: expected ')'
//   --> test.cl:27:26
//    |
// 27 |   int3 v = (int3)(1, 2, 3;
//    |                          ^
//    |
// note: to match this '('
//   --> test.cl:27:18
//    |
// 27 |   int3 v = (int3)(1, 2, 3;
//    |                  -
//
// error: expected ';' after expression
//   --> test.cl:29:15
//    |
// 29 |   out[3] = v.x
//    |               ^
//
// error: expected ')'
//   --> test.cl:33:17
//    |
// 33 |   int q = (3 + 4;
//    |                 ^
//    |
// note: to match this '('
//   --> test.cl:33:11
//    |
// 33 |   int q = (3 + 4;
//    |           -
//
// error: expected ';' after expression
//   --> test.cl:34:13
//    |
// 34 |   end: n = 1 2;
//    |             ^
//
// error: expected ';' after return statement
//   --> test.cl:36:11
//    |
// 36 |   return q
//    |           ^
//
// error: expected ';' at end of declaration list
//   --> test.cl:39:17
//    |
// 39 |   struct { int a b; } s;
//    |                 ^
//
// error: use of undeclared identifier 'undeclared1'
//  --> test.cl:5:11
//   |
// 5 |   int y = undeclared1;
//   |           ^^^^^^^^^^^
//
// error: implicit declaration of function 'nosuch' is invalid in OpenCL
//  --> test.cl:7:7
//   |
// 7 |   z = nosuch(1);
//   |       ^^^^^^
//
// error: no member named 'c' in 'S'
//  --> test.cl:9:5
//   |
// 9 |   s.c = 1;
//   |     ^
//
// error: use of undeclared identifier 'undeclared2'
//   --> test.cl:10:41
//    |
// 10 |   for (int i = 0; i < n i++) { out[i] = undeclared2; }
//    |                                         ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared3'
//   --> test.cl:11:25
//    |
// 11 |   if (n == 3 { out[0] = undeclared3; }
//    |                         ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared4'
//   --> test.cl:15:22
//    |
// 15 |   out[3] = n > ? 1 : undeclared4;
//    |                      ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared1'
//   --> test.cl:20:18
//    |
// 20 |   out[1] = a[] + undeclared1;
//    |                  ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared2'
//   --> test.cl:22:19
//    |
// 22 |   case 1 out[0] = undeclared2; break;
//    |                   ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared3'
//   --> test.cl:25:27
//    |
// 25 |   while (n > ) { out[0] = undeclared3; break; }
//    |                           ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared4'
//   --> test.cl:26:17
//    |
// 26 |   do { out[1] = undeclared4; } while (n)
//    |                 ^^^^^^^^^^^
//
// error: illegal vector component name 'q'
//   --> test.cl:28:5
//    |
// 28 |   v.q = 1;
//    |     ^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:34:14
//    |
// 34 |   end: n = 1 2;
//    |              ^
//
// error: implicit declaration of function 'undeclared7' is invalid in OpenCL
//   --> test.cl:35:3
//    |
// 35 |   undeclared7();
//    |   ^^^^^^^^^^^
//
// error: use of undeclared identifier 'undeclared1'
//   --> test.cl:40:9
//    |
// 40 |   s.a = undeclared1;
//    |         ^^^^^^^^^^^
