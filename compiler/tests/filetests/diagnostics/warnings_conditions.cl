// Conditions and operators that mean something else than they look like.
kernel void k(global int *out, int a, int b, int c, uchar u, float f, char s) {
  if (a = b) out[0] = 1; // warning: using the result of an assignment as a condition without parentheses
  if ((a = b)) out[0] = 1;
  while (a |= b) out[0] = 1; // warning: using the result of an assignment as a condition without parentheses
  if (a & b == c) out[0] = 1; // warning: '&' has lower precedence than '=='; '==' will be evaluated first
  if ((a & b) == c) out[0] = 1;
  out[0] = a << b + c; // warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first
  if (!a == b) out[0] = 1; // warning: logical not is only applied to the left hand side of this comparison
  if (!a == !b) out[0] = 1;
  if (a == a) out[0] = 1; // warning: self-comparison always evaluates to true
  if (a < a) out[0] = 1; // warning: self-comparison always evaluates to false
  if (f == f) out[0] = 1;
  if (u == 300) out[0] = 1; // warning: result of comparison of constant 300 with expression of type 'unsigned char' is always false
  if (-1 < u) out[0] = 1; // warning: result of comparison of constant -1 with expression of type 'unsigned char' is always true
  if (s != 128) out[0] = 1; // warning: result of comparison of constant 128 with expression of type 'char' is always true
  if (s > -129) out[0] = 1; // warning: result of comparison of constant -129 with expression of type 'char' is always true
  if (u < 256) out[0] = 1; // warning: result of comparison of constant 256 with expression of type 'unsigned char' is always true
  if (u <= 255) out[0] = 1;
  if ((a > b) == 2) out[0] = 1;
  out[1] = a / 0; // warning: division by zero is undefined
  out[2] = a % 0; // warning: remainder by zero is undefined
}
// ---
// warning: using the result of an assignment as a condition without parentheses [-Wparentheses]
//  --> test.cl:3:9
//   |
// 3 |   if (a = b) out[0] = 1;
//   |         ^
//   |
// help: place parentheses around the assignment, or use '==' to compare
//
// warning: using the result of an assignment as a condition without parentheses [-Wparentheses]
//  --> test.cl:5:12
//   |
// 5 |   while (a |= b) out[0] = 1;
//   |            ^^
//   |
// help: place parentheses around the assignment, or use '!=' to compare
//
// warning: '&' has lower precedence than '=='; '==' will be evaluated first [-Wparentheses]
//  --> test.cl:6:9
//   |
// 6 |   if (a & b == c) out[0] = 1;
//   |         ^
//   |
// help: place parentheses around the '&' expression to evaluate it first
//
// warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first [-Wshift-op-parentheses]
//  --> test.cl:8:17
//   |
// 8 |   out[0] = a << b + c;
//   |                 ^^^^^
//   |
// help: place parentheses around the '+' expression to silence this warning
//
// warning: logical not is only applied to the left hand side of this comparison [-Wlogical-not-parentheses]
//  --> test.cl:9:7
//   |
// 9 |   if (!a == b) out[0] = 1;
//   |       ^^
//   |
// help: add parentheses after the '!' to evaluate the comparison first
//
// warning: self-comparison always evaluates to true [-Wtautological-compare]
//   --> test.cl:11:9
//    |
// 11 |   if (a == a) out[0] = 1;
//    |         ^^
//
// warning: self-comparison always evaluates to false [-Wtautological-compare]
//   --> test.cl:12:9
//    |
// 12 |   if (a < a) out[0] = 1;
//    |         ^
//
// warning: result of comparison of constant 300 with expression of type 'unsigned char' is always false [-Wtautological-constant-out-of-range-compare]
//   --> test.cl:14:9
//    |
// 14 |   if (u == 300) out[0] = 1;
//    |         ^^
//
// warning: result of comparison of constant -1 with expression of type 'unsigned char' is always true [-Wtautological-constant-out-of-range-compare]
//   --> test.cl:15:10
//    |
// 15 |   if (-1 < u) out[0] = 1;
//    |          ^
//
// warning: result of comparison of constant 128 with expression of type 'char' is always true [-Wtautological-constant-out-of-range-compare]
//   --> test.cl:16:9
//    |
// 16 |   if (s != 128) out[0] = 1;
//    |         ^^
//
// warning: result of comparison of constant -129 with expression of type 'char' is always true [-Wtautological-constant-out-of-range-compare]
//   --> test.cl:17:9
//    |
// 17 |   if (s > -129) out[0] = 1;
//    |         ^
//
// warning: result of comparison of constant 256 with expression of type 'unsigned char' is always true [-Wtautological-constant-out-of-range-compare]
//   --> test.cl:18:9
//    |
// 18 |   if (u < 256) out[0] = 1;
//    |         ^
//
// warning: division by zero is undefined [-Wdivision-by-zero]
//   --> test.cl:21:14
//    |
// 21 |   out[1] = a / 0;
//    |              ^
//
// warning: remainder by zero is undefined [-Wdivision-by-zero]
//   --> test.cl:22:14
//    |
// 22 |   out[2] = a % 0;
//    |              ^
