// Values that nobody uses, as clang shows without being asked.
#define UNUSED(x) x
kernel void k(global int *out, int a, int b, volatile global int *v, float4 f4) {
  a == b; // warning: equality comparison result unused
  a != b; // warning: inequality comparison result unused
  a < b; // warning: relational comparison result unused
  a + b; // warning: expression result unused
  a; // warning: expression result unused
  3; // warning: expression result unused
  -a; // warning: expression result unused
  out[0]; // warning: expression result unused
  f4.x; // warning: expression result unused
  (float)a; // warning: expression result unused
  sizeof(a); // warning: expression result unused
  a ? b : a; // warning: expression result unused
  a, b; // warning: left operand of comma operator has no effect // warning: expression result unused
  a && b; // warning: expression result unused
  a++, b; // warning: expression result unused
  for (a; b < 3; a + 1) b++; // warning: expression result unused // warning: expression result unused
  (void)a;
  v[0];
  a++;
  a ? out[0]++ : 0;
  a && out[0]++;
  get_global_id(0); // warning: ignoring return value of function declared with const attribute
  vload4(0, out); // warning: ignoring return value of function declared with pure attribute
  fract(f4, &f4);
  UNUSED(a); // warning: expression result unused
}
// ---
// warning: equality comparison result unused [-Wunused-comparison]
//  --> test.cl:4:5
//   |
// 4 |   a == b;
//   |     ^^
//   |
// help: use '=' to turn this equality comparison into an assignment
//
// warning: inequality comparison result unused [-Wunused-comparison]
//  --> test.cl:5:5
//   |
// 5 |   a != b;
//   |     ^^
//
// warning: relational comparison result unused [-Wunused-comparison]
//  --> test.cl:6:5
//   |
// 6 |   a < b;
//   |     ^
//
// warning: expression result unused [-Wunused-value]
//  --> test.cl:7:5
//   |
// 7 |   a + b;
//   |     ^
//
// warning: expression result unused [-Wunused-value]
//  --> test.cl:8:3
//   |
// 8 |   a;
//   |   ^
//
// warning: expression result unused [-Wunused-value]
//  --> test.cl:9:3
//   |
// 9 |   3;
//   |   ^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:10:3
//    |
// 10 |   -a;
//    |   ^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:11:3
//    |
// 11 |   out[0];
//    |   ^^^^^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:12:3
//    |
// 12 |   f4.x;
//    |   ^^^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:13:3
//    |
// 13 |   (float)a;
//    |   ^^^^^^^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:14:3
//    |
// 14 |   sizeof(a);
//    |   ^^^^^^^^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:15:11
//    |
// 15 |   a ? b : a;
//    |           ^
//
// warning: left operand of comma operator has no effect [-Wunused-value]
//   --> test.cl:16:3
//    |
// 16 |   a, b;
//    |   ^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:16:6
//    |
// 16 |   a, b;
//    |      ^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:17:5
//    |
// 17 |   a && b;
//    |     ^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:18:8
//    |
// 18 |   a++, b;
//    |        ^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:19:8
//    |
// 19 |   for (a; b < 3; a + 1) b++;
//    |        ^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:19:20
//    |
// 19 |   for (a; b < 3; a + 1) b++;
//    |                    ^
//
// warning: ignoring return value of function declared with const attribute [-Wunused-value]
//   --> test.cl:25:3
//    |
// 25 |   get_global_id(0);
//    |   ^^^^^^^^^^^^^
//
// warning: ignoring return value of function declared with pure attribute [-Wunused-value]
//   --> test.cl:26:3
//    |
// 26 |   vload4(0, out);
//    |   ^^^^^^
//
// warning: expression result unused [-Wunused-value]
//   --> test.cl:28:10
//    |
// 28 |   UNUSED(a);
//    |          ^
