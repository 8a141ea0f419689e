// 'goto' inside a GNU statement expression is not supported yet.
kernel void k(global int *out, int n) {
  out[0] = ({ int a = n; again: a++; if (a < 10) goto again; a; }); // error: 'goto' inside a statement expression is not supported yet // clang: accepts
}
// ---
// error: 'goto' inside a statement expression is not supported yet
//  --> test.cl:3:50
//   |
// 3 |   out[0] = ({ int a = n; again: a++; if (a < 10) goto again; a; });
//   |                                                  ^^^^^^^^^^^
