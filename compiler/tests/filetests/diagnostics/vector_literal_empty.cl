// An empty vector literal (6.3.6).
kernel void k(global float4 *out) {
  out[8] = (float4)(); // error: expected expression
}
// ---
// error: expected expression
//  --> test.cl:3:21
//   |
// 3 |   out[8] = (float4)();
//   |                     ^
