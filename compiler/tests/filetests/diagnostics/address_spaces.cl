// Address space qualifiers (6.7).
// options: -cl-std=CL1.2
private int value(void) { return 1; } // error: return type cannot be qualified with address space
local int *pointer(local int *p) { return p; }
void parameter(local int p) {} // error: parameter may not be qualified with an address space
typedef global int on_heap;
kernel void k(global int *out, global int *local *nested) { // error: kernel parameter cannot be declared as a pointer to a pointer
  private int i;
  private local int j; // error: multiple address spaces specified for type
  private int *local ptr;
  global int g; // error: function scope variable cannot be declared in global address space
  local on_heap both; // error: multiple address spaces specified for type
  private float x[4] = { 0 };
  constant int c = 3;
  constant int late; // error: variable in constant address space must be initialized
  ptr = &i;
  out[0] = x[0] + c;
  global int *a = ptr; // error: initializing '__global int *' with an expression of type 'int *' changes address space of pointer
  local int *b = out; // error: initializing '__local int *' with an expression of type '__global int *' changes address space of pointer
  int *d = out; // error: initializing 'int *' with an expression of type '__global int *' changes address space of pointer
  constant int *e = out; // error: initializing '__constant int *' with an expression of type '__global int *' changes address space of pointer
  pointer(out); // error: passing '__global int *' to parameter of type '__local int *' changes address space of pointer
  a = (global int *)b; // error: casting '__local int *' to type '__global int *' changes address space of pointer
  global int *global *f = nested; // error: initializing '__global int *__global *' with an expression of type '__global int *__local *' changes address space of pointer
}
struct S { global int member; }; // error: field may not be qualified with an address space
// ---
// error: return type cannot be qualified with address space
//  --> test.cl:3:13
//   |
// 3 | private int value(void) { return 1; }
//   |             ^^^^^^^^^^^
//
// error: parameter may not be qualified with an address space
//  --> test.cl:5:16
//   |
// 5 | void parameter(local int p) {}
//   |                ^^^^^^^^^^^
//
// error: kernel parameter cannot be declared as a pointer to a pointer
//  --> test.cl:7:51
//   |
// 7 | kernel void k(global int *out, global int *local *nested) {
//   |                                                   ^^^^^^
//
// error: multiple address spaces specified for type
//  --> test.cl:9:11
//   |
// 9 |   private local int j;
//   |           ^^^^^
//
// error: function scope variable cannot be declared in global address space
//   --> test.cl:11:14
//    |
// 11 |   global int g;
//    |              ^
//
// error: multiple address spaces specified for type
//   --> test.cl:12:3
//    |
// 12 |   local on_heap both;
//    |   ^^^^^
//
// error: variable in constant address space must be initialized
//   --> test.cl:15:16
//    |
// 15 |   constant int late;
//    |                ^^^^
//
// error: initializing '__global int *' with an expression of type 'int *' changes address space of pointer
//   --> test.cl:18:19
//    |
// 18 |   global int *a = ptr;
//    |                   ^^^
//
// error: initializing '__local int *' with an expression of type '__global int *' changes address space of pointer
//   --> test.cl:19:18
//    |
// 19 |   local int *b = out;
//    |                  ^^^
//
// error: initializing 'int *' with an expression of type '__global int *' changes address space of pointer
//   --> test.cl:20:12
//    |
// 20 |   int *d = out;
//    |            ^^^
//
// error: initializing '__constant int *' with an expression of type '__global int *' changes address space of pointer
//   --> test.cl:21:21
//    |
// 21 |   constant int *e = out;
//    |                     ^^^
//
// error: passing '__global int *' to parameter of type '__local int *' changes address space of pointer
//   --> test.cl:22:11
//    |
// 22 |   pointer(out);
//    |           ^^^
//    |
// note: passing argument to parameter here
//   --> test.cl:4:31
//    |
//  4 | local int *pointer(local int *p) { return p; }
//    |                               -
//
// error: casting '__local int *' to type '__global int *' changes address space of pointer
//   --> test.cl:23:7
//    |
// 23 |   a = (global int *)b;
//    |       ^^^^^^^^^^^^^^^
//
// error: initializing '__global int *__global *' with an expression of type '__global int *__local *' changes address space of pointer
//   --> test.cl:24:27
//    |
// 24 |   global int *global *f = nested;
//    |                           ^^^^^^
//
// error: field may not be qualified with an address space
//   --> test.cl:26:23
//    |
// 26 | struct S { global int member; };
//    |                       ^^^^^^
