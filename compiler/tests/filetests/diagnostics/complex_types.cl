// Complex types are not OpenCL C (6.3.4).
kernel void k(global int *out) {
  _Complex float m; // error: '_Complex' and '_Imaginary' are not allowed in OpenCL C // clang: accepts what 6.3.4 reserves
  float _Imaginary n; // error: '_Complex' and '_Imaginary' are not allowed in OpenCL C
}
kernel void l(global int *out) {
  complex float g; // error: expected ';' after expression // error: use of undeclared identifier 'complex'
}
kernel void m(imaginary float h) { } // error: unknown type name 'imaginary'; did you mean '_Imaginary'? // error: cannot combine with previous 'float' declaration specifier
// ---
// error: expected ';' after expression
//  --> test.cl:7:10
//   |
// 7 |   complex float g;
//   |          ^
//
// error: unknown type name 'imaginary'; did you mean '_Imaginary'?
//  --> test.cl:9:15
//   |
// 9 | kernel void m(imaginary float h) { }
//   |               ^^^^^^^^^
//
// error: '_Complex' and '_Imaginary' are not allowed in OpenCL C
//  --> test.cl:3:3
//   |
// 3 |   _Complex float m;
//   |   ^^^^^^^^^^^^^^
//
// error: '_Complex' and '_Imaginary' are not allowed in OpenCL C
//  --> test.cl:4:3
//   |
// 4 |   float _Imaginary n;
//   |   ^^^^^^^^^^^^^^^^
//
// error: use of undeclared identifier 'complex'
//  --> test.cl:7:3
//   |
// 7 |   complex float g;
//   |   ^^^^^^^
//
// error: cannot combine with previous 'float' declaration specifier
//  --> test.cl:9:15
//   |
// 9 | kernel void m(imaginary float h) { }
//   |               ^^^^^^^^^^^^^^^
