// Strings and characters without their end (C99 6.4.4.4, 6.4.5).
kernel void k(global int *out) {
  out[0] = "a; // error: missing terminating '"' character // error: expected ';' after expression // error: incompatible pointer to integer conversion assigning '__constant char *' to 'int'
}
kernel void l(global int *out) {
  out[0] = 'a; // error: missing terminating ' character // error: expected ';' after expression
}
// ---
// error: missing terminating '"' character
//  --> test.cl:3:12
//   |
// 3 |   out[0] = "a;
//   |            ^^^
//
// error: missing terminating ' character
//  --> test.cl:6:12
//   |
// 6 |   out[0] = 'a;
//   |            ^^^
//
// error: expected ';' after expression
//  --> test.cl:3:14
//   |
// 3 |   out[0] = "a;
//   |              ^
//
// error: expected ';' after expression
//  --> test.cl:6:15
//   |
// 6 |   out[0] = 'a;
//   |               ^
//
// error: incompatible pointer to integer conversion assigning '__constant char *' to 'int'
//  --> test.cl:3:12
//   |
// 3 |   out[0] = "a;
//   |            ^^
