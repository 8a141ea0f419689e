// Constructs of GNU C and C that the parser knows and that are not supported.
kernel void k(global int *out) {
  out[0] = &&end != 0; // error: labels as values ('&&label') are not supported // error: use of undeclared identifier 'end' // clang: accepts
  goto *out; // error: 'goto' to a computed label is not supported
  end: ;
}
// ---
// error: labels as values ('&&label') are not supported
//  --> test.cl:3:12
//   |
// 3 |   out[0] = &&end != 0;
//   |            ^^
//
// error: 'goto' to a computed label is not supported
//  --> test.cl:4:8
//   |
// 4 |   goto *out;
//   |        ^
//
// error: use of undeclared identifier 'end'
//  --> test.cl:3:14
//   |
// 3 |   out[0] = &&end != 0;
//   |              ^^^
