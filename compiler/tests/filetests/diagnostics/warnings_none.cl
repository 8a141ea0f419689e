// -w: warnings are not shown.
// options: -w
kernel void k(global int *out, int a) {
  a == 1;
  char c = 300;
  if (a = 2);
  out[0] = c + undeclared; // error: use of undeclared identifier 'undeclared'
}
// ---
// error: use of undeclared identifier 'undeclared'
//  --> test.cl:7:16
//   |
// 7 |   out[0] = c + undeclared;
//   |                ^^^^^^^^^^
