// options: -cl-std=CL2.0 -Wuninitialized -Wconditional-uninitialized
// Variables that some ways through a function leave without a value. The warnings are clang 15's.
kernel void branches(global int *o, int n, int m) {
  int a;
  if (n) // warning: variable 'a' is used uninitialized whenever 'if' condition is false
    a = 1;
  o[0] = a;
  int b;
  if (n)
    b = 1;
  else if (m) // warning: variable 'b' is used uninitialized whenever 'if' condition is false
    b = 2;
  o[1] = b;
  int c;
  if (n)
    c = 1;
  if (m)
    o[2] = c; // warning: variable 'c' may be uninitialized when used here
  int p;
  if (n)
    p = 1;
  else
    return;
  o[3] = p;
  int s;
  if (n) s = 1;
  if (m) s = 2;
  o[4] = s; // warning: variable 's' may be uninitialized when used here
  int y;
  if (n || m) // warning: variable 'y' is used uninitialized whenever 'if' condition is false
    y = 1;
  o[5] = y;
  int i2;
  if (n && (i2 = m)) // warning: variable 'i2' is used uninitialized whenever '&&' condition is false
    o[6] = i2;
  o[7] = i2;
  int j;
  o[8] = n ? (j = 1) : 2; // warning: variable 'j' is used uninitialized whenever '?:' condition is false
  o[9] = j;
  int both;
  if (n) both = 1; else both = 2;
  o[10] = both;
}
kernel void loops(global int *o, int n, int m) {
  int d;
  while (n > 0) { d = 1; n--; }
  o[0] = d; // warning: variable 'd' may be uninitialized when used here
  int e;
  for (int i = 0; i < m; i++)
    e = i;
  o[1] = e; // warning: variable 'e' may be uninitialized when used here
  int h;
  for (int i = 0; i < m; i++) {
    if (i)
      o[2] = h; // warning: variable 'h' may be uninitialized when used here
    h = i;
  }
  int l;
  do {
    if (n == 3)
      break;
    l = 1;
  } while (m--);
  o[3] = l; // warning: variable 'l' may be uninitialized when used here
  int q;
  for (;;) {
    if (n) { q = 3; break; }
    if (m) // warning: variable 'q' is used uninitialized whenever 'if' condition is true
      break;
  }
  o[4] = q;
  int r;
  do { r = n; } while (r);
  o[5] = r;
}
kernel void others(global int *o, int n, int m) {
  int f;
  switch (m) { case 1: f = 1; break; case 2: f = 2; break; }
  o[0] = f; // warning: variable 'f' may be uninitialized when used here
  int g;
  switch (m) {
  case 1: g = 1; break;
  default: break; // warning: variable 'g' is used uninitialized whenever switch default is taken
  }
  o[1] = g;
  int all;
  switch (m) { case 1: all = 1; break; default: all = 2; }
  o[2] = all;
  int by_address;
  int *pointer = &by_address;
  if (n) *pointer = 1;
  o[3] = by_address;
  float4 lanes;
  lanes.x = 1;
  o[4] = lanes.x > 2;
  int array[4];
  o[5] = array[0];
  int t;
  if (m) goto end; // warning: variable 't' is used uninitialized whenever 'if' condition is true
  t = 1;
end:
  o[6] = t;
}
// ---
// warning: variable 'a' is used uninitialized whenever 'if' condition is false [-Wsometimes-uninitialized]
//  --> test.cl:5:7
//   |
// 5 |   if (n)
//   |       ^
//   |
// note: uninitialized use occurs here
//  --> test.cl:7:10
//   |
// 7 |   o[0] = a;
//   |          -
// note: initialize the variable 'a' to silence this warning
//  --> test.cl:4:7
//   |
// 4 |   int a;
//   |       -
//
// warning: variable 'b' is used uninitialized whenever 'if' condition is false [-Wsometimes-uninitialized]
//   --> test.cl:11:12
//    |
// 11 |   else if (m)
//    |            ^
//    |
// note: uninitialized use occurs here
//   --> test.cl:13:10
//    |
// 13 |   o[1] = b;
//    |          -
// note: initialize the variable 'b' to silence this warning
//   --> test.cl:8:7
//    |
//  8 |   int b;
//    |       -
//
// warning: variable 'c' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:18:12
//    |
// 18 |     o[2] = c;
//    |            ^
//    |
// note: initialize the variable 'c' to silence this warning
//   --> test.cl:14:7
//    |
// 14 |   int c;
//    |       -
//
// warning: variable 's' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:28:10
//    |
// 28 |   o[4] = s;
//    |          ^
//    |
// note: initialize the variable 's' to silence this warning
//   --> test.cl:25:7
//    |
// 25 |   int s;
//    |       -
//
// warning: variable 'y' is used uninitialized whenever 'if' condition is false [-Wsometimes-uninitialized]
//   --> test.cl:30:7
//    |
// 30 |   if (n || m)
//    |       ^^^^^^
//    |
// note: uninitialized use occurs here
//   --> test.cl:32:10
//    |
// 32 |   o[5] = y;
//    |          -
// note: initialize the variable 'y' to silence this warning
//   --> test.cl:29:7
//    |
// 29 |   int y;
//    |       -
//
// warning: variable 'i2' is used uninitialized whenever '&&' condition is false [-Wsometimes-uninitialized]
//   --> test.cl:34:7
//    |
// 34 |   if (n && (i2 = m))
//    |       ^
//    |
// note: uninitialized use occurs here
//   --> test.cl:36:10
//    |
// 36 |   o[7] = i2;
//    |          --
// note: initialize the variable 'i2' to silence this warning
//   --> test.cl:33:7
//    |
// 33 |   int i2;
//    |       --
//
// warning: variable 'j' is used uninitialized whenever '?:' condition is false [-Wsometimes-uninitialized]
//   --> test.cl:38:10
//    |
// 38 |   o[8] = n ? (j = 1) : 2;
//    |          ^
//    |
// note: uninitialized use occurs here
//   --> test.cl:39:10
//    |
// 39 |   o[9] = j;
//    |          -
// note: initialize the variable 'j' to silence this warning
//   --> test.cl:37:7
//    |
// 37 |   int j;
//    |       -
//
// warning: variable 'd' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:47:10
//    |
// 47 |   o[0] = d;
//    |          ^
//    |
// note: initialize the variable 'd' to silence this warning
//   --> test.cl:45:7
//    |
// 45 |   int d;
//    |       -
//
// warning: variable 'e' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:51:10
//    |
// 51 |   o[1] = e;
//    |          ^
//    |
// note: initialize the variable 'e' to silence this warning
//   --> test.cl:48:7
//    |
// 48 |   int e;
//    |       -
//
// warning: variable 'h' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:55:14
//    |
// 55 |       o[2] = h;
//    |              ^
//    |
// note: initialize the variable 'h' to silence this warning
//   --> test.cl:52:7
//    |
// 52 |   int h;
//    |       -
//
// warning: variable 'l' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:64:10
//    |
// 64 |   o[3] = l;
//    |          ^
//    |
// note: initialize the variable 'l' to silence this warning
//   --> test.cl:58:7
//    |
// 58 |   int l;
//    |       -
//
// warning: variable 'q' is used uninitialized whenever 'if' condition is true [-Wsometimes-uninitialized]
//   --> test.cl:68:9
//    |
// 68 |     if (m)
//    |         ^
//    |
// note: uninitialized use occurs here
//   --> test.cl:71:10
//    |
// 71 |   o[4] = q;
//    |          -
// note: initialize the variable 'q' to silence this warning
//   --> test.cl:65:7
//    |
// 65 |   int q;
//    |       -
//
// warning: variable 'f' may be uninitialized when used here [-Wconditional-uninitialized]
//   --> test.cl:79:10
//    |
// 79 |   o[0] = f;
//    |          ^
//    |
// note: initialize the variable 'f' to silence this warning
//   --> test.cl:77:7
//    |
// 77 |   int f;
//    |       -
//
// warning: variable 'g' is used uninitialized whenever switch default is taken [-Wsometimes-uninitialized]
//   --> test.cl:83:3
//    |
// 83 |   default: break;
//    |   ^^^^^^^
//    |
// note: uninitialized use occurs here
//   --> test.cl:85:10
//    |
// 85 |   o[1] = g;
//    |          -
// note: initialize the variable 'g' to silence this warning
//   --> test.cl:80:7
//    |
// 80 |   int g;
//    |       -
//
// warning: variable 't' is used uninitialized whenever 'if' condition is true [-Wsometimes-uninitialized]
//    --> test.cl:99:7
//     |
//  99 |   if (m) goto end;
//     |       ^
//     |
// note: uninitialized use occurs here
//    --> test.cl:102:10
//     |
// 102 |   o[6] = t;
//     |          -
// note: initialize the variable 't' to silence this warning
//    --> test.cl:98:7
//     |
//  98 |   int t;
//     |       -
