// options: -cl-std=CL2.0 -Wuninitialized
// Variables that are computed from their own values, which they do not have. The warnings are clang 15's.
kernel void updates(global float *a, global int *o, int n) {
  float s;
  s += 1; // warning: variable 's' is uninitialized when used here
  a[0] = s;
  int i;
  i++; // warning: variable 'i' is uninitialized when used here
  int j;
  --j; // warning: variable 'j' is uninitialized when used here
  int m;
  o[1] = m *= 2; // warning: variable 'm' is uninitialized when used here
  int p;
  p ^= p; // warning: variable 'p' is uninitialized when used here
  int q;
  q = q + 1; // warning: variable 'q' is uninitialized when used here
  float4 v;
  v += 1.0f; // warning: variable 'v' is uninitialized when used here
  global int *u;
  u++; // warning: variable 'u' is uninitialized when used here
  float4 lanes;
  lanes.x += 1.0f;
  int array[2];
  array[0] += 1;
  a[1] = i + j + p + q + v.x + lanes.x + array[0] + *u;
}
kernel void loops(global int *o, int n) {
  int x;
  for (int t = 0; t < n; ++t)
    x += t; // warning: variable 'x' is uninitialized when used here
  o[0] = x;
  int z;
  while (n--)
    z++; // warning: variable 'z' is uninitialized when used here
  o[1] = z;
  int y;
  if (n) // warning: variable 'y' is used uninitialized whenever 'if' condition is false
    y = 1;
  y += 2;
  o[2] = y;
  int c;
  c += (c = 1); // warning: variable 'c' is uninitialized when used here
  o[3] = c;
  int right = 0;
  right += 1;
  for (int again; n < 9; n++) {
    again = n;
    again++;
    o[4] = again;
  }
}
// ---
// warning: variable 's' is uninitialized when used here [-Wuninitialized]
//  --> test.cl:5:3
//   |
// 5 |   s += 1;
//   |   ^
//   |
// note: variable 's' is declared here
//  --> test.cl:4:9
//   |
// 4 |   float s;
//   |         -
//
// warning: variable 'i' is uninitialized when used here [-Wuninitialized]
//  --> test.cl:8:3
//   |
// 8 |   i++;
//   |   ^
//   |
// note: variable 'i' is declared here
//  --> test.cl:7:7
//   |
// 7 |   int i;
//   |       -
//
// warning: variable 'j' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:10:5
//    |
// 10 |   --j;
//    |     ^
//    |
// note: variable 'j' is declared here
//   --> test.cl:9:7
//    |
//  9 |   int j;
//    |       -
//
// warning: variable 'm' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:12:10
//    |
// 12 |   o[1] = m *= 2;
//    |          ^
//    |
// note: variable 'm' is declared here
//   --> test.cl:11:7
//    |
// 11 |   int m;
//    |       -
//
// warning: variable 'p' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:14:3
//    |
// 14 |   p ^= p;
//    |   ^
//    |
// note: variable 'p' is declared here
//   --> test.cl:13:7
//    |
// 13 |   int p;
//    |       -
//
// warning: variable 'q' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:16:7
//    |
// 16 |   q = q + 1;
//    |       ^
//    |
// note: variable 'q' is declared here
//   --> test.cl:15:7
//    |
// 15 |   int q;
//    |       -
//
// warning: variable 'v' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:18:3
//    |
// 18 |   v += 1.0f;
//    |   ^
//    |
// note: variable 'v' is declared here
//   --> test.cl:17:10
//    |
// 17 |   float4 v;
//    |          -
//
// warning: variable 'u' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:20:3
//    |
// 20 |   u++;
//    |   ^
//    |
// note: variable 'u' is declared here
//   --> test.cl:19:15
//    |
// 19 |   global int *u;
//    |               -
//
// warning: variable 'x' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:30:5
//    |
// 30 |     x += t;
//    |     ^
//    |
// note: variable 'x' is declared here
//   --> test.cl:28:7
//    |
// 28 |   int x;
//    |       -
//
// warning: variable 'z' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:34:5
//    |
// 34 |     z++;
//    |     ^
//    |
// note: variable 'z' is declared here
//   --> test.cl:32:7
//    |
// 32 |   int z;
//    |       -
//
// warning: variable 'y' is used uninitialized whenever 'if' condition is false [-Wsometimes-uninitialized]
//   --> test.cl:37:7
//    |
// 37 |   if (n)
//    |       ^
//    |
// note: uninitialized use occurs here
//   --> test.cl:39:3
//    |
// 39 |   y += 2;
//    |   -
// note: initialize the variable 'y' to silence this warning
//   --> test.cl:36:7
//    |
// 36 |   int y;
//    |       -
//
// warning: variable 'c' is uninitialized when used here [-Wuninitialized]
//   --> test.cl:42:3
//    |
// 42 |   c += (c = 1);
//    |   ^
//    |
// note: variable 'c' is declared here
//   --> test.cl:41:7
//    |
// 41 |   int c;
//    |       -
