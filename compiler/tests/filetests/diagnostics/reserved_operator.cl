// '^^' is reserved (6.5.7).
kernel void reserved(global int *out, int a, int b) {
  out[0] = a ^^ b; // error: '^^' is a reserved operator in OpenCL C
}
// ---
// error: '^^' is a reserved operator in OpenCL C
//  --> test.cl:3:17
//   |
// 3 |   out[0] = a ^^ b;
//   |                 ^
//   |
// help: of truth values, '!=' is the exclusive or
