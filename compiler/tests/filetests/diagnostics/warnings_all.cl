// What -Wall adds.
// options: -Wall
static int uncalled(int a) { return a; } // warning: unused function 'uncalled'
static int called(int a) { return a; }
int exported(int a) { return a; }
kernel void k(global int *out, int unused_parameter) {
  int unread; // warning: unused variable 'unread'
  int never;
  int set = 1;
  int quiet __attribute__((unused));
  int late;
  int self = self + 1; // warning: variable 'self' is uninitialized when used here
  float4 v;
  int array[2];
  out[0] = late; // warning: variable 'late' is uninitialized when used here
  v.x = 1.0f;
  out[1] = v.x;
  for (int i = 0; i < 2; i++) {
    int inner;
    int carried;
    if (i) out[i] = inner; // warning: variable 'inner' is uninitialized when used here
    carried = i;
    out[i] += carried;
  }
  int outer;
  for (int i = 0; i < 2; i++) {
    if (i) out[i] = outer;
    outer = i;
  }
  int address, *p = &address;
  *p = 1;
  out[2] = address + array[0] + sizeof(never) + called(self);
  out[3] = out[3];
  set = set; // warning: explicitly assigning value of variable of type 'int' to itself
  int square[2][2] = { 1, 2, 3, 4 }; // warning: suggest braces around initialization of subobject // warning: suggest braces around initialization of subobject
  int zero[2][2] = { 0 };
  int braced[2][2] = { { 1, 2 }, { 3, 4 } };
  if (set && self || late) out[6] = 1; // warning: '&&' within '||'
  out[4] = square[0][0] + zero[0][0] + braced[0][0];
forgotten: // warning: unused label 'forgotten'
  out[5] = 1;
}
// ---
// warning: variable 'self' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:12:14
//    |
// 12 |   int self = self + 1;
//    |              ^^^^
//    |
// note: variable 'self' is declared here
//   --> test.cl:12:7
//    |
// 12 |   int self = self + 1;
//    |       ----
//
// warning: variable 'late' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:15:12
//    |
// 15 |   out[0] = late;
//    |            ^^^^
//    |
// note: variable 'late' is declared here
//   --> test.cl:11:7
//    |
// 11 |   int late;
//    |       ----
//
// warning: variable 'inner' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:21:21
//    |
// 21 |     if (i) out[i] = inner;
//    |                     ^^^^^
//    |
// note: variable 'inner' is declared here
//   --> test.cl:19:9
//    |
// 19 |     int inner;
//    |         -----
//
// warning: explicitly assigning value of variable of type 'int' to itself [-Wself-assign]
//   --> test.cl:34:7
//    |
// 34 |   set = set;
//    |       ^
//
// warning: suggest braces around initialization of subobject [-Wmissing-braces]
//   --> test.cl:35:24
//    |
// 35 |   int square[2][2] = { 1, 2, 3, 4 };
//    |                        ^
//
// warning: suggest braces around initialization of subobject [-Wmissing-braces]
//   --> test.cl:35:30
//    |
// 35 |   int square[2][2] = { 1, 2, 3, 4 };
//    |                              ^
//
// warning: '&&' within '||' [-Wlogical-op-parentheses]
//   --> test.cl:38:7
//    |
// 38 |   if (set && self || late) out[6] = 1;
//    |       ^^^^^^^^^^^
//    |
// help: place parentheses around the '&&' expression
//
// warning: unused variable 'unread' [-Wunused-variable]
//  --> test.cl:7:7
//   |
// 7 |   int unread;
//   |       ^^^^^^
//
// warning: unused label 'forgotten' [-Wunused-label]
//   --> test.cl:40:1
//    |
// 40 | forgotten:
//    | ^^^^^^^^^
//
// warning: unused function 'uncalled' [-Wunused-function]
//  --> test.cl:3:12
//   |
// 3 | static int uncalled(int a) { return a; }
//   |            ^^^^^^^^
