// 'half' is an arithmetic type where cl_khr_fp16 is there, which is everywhere here (6.3.1.2).
#ifndef cl_khr_fp16
#error expected
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global half *p, global float *f) {
  half a = p[0];
  p[1] = a + 1.0h + 2.5f16 + 1.0F16;
  f[0] = vload_half(0, p);
  half4 v = a;
  p[2] = v.s7; // error: vector component access exceeds type 'half4' (vector of 4 'half' values): no component '7'
  p[3] = p[0] % p[1]; // error: invalid operands to binary expression ('half' and 'half')
  p[4] = p[0] & 1; // error: invalid operands to binary expression ('half' and 'int')
}
// ---
// error: vector component access exceeds type 'half4' (vector of 4 'half' values): no component '7'
//   --> test.cl:11:12
//    |
// 11 |   p[2] = v.s7;
//    |            ^^
//
// error: invalid operands to binary expression ('half' and 'half')
//   --> test.cl:12:15
//    |
// 12 |   p[3] = p[0] % p[1];
//    |               ^
//
// error: invalid operands to binary expression ('half' and 'int')
//   --> test.cl:13:15
//    |
// 13 |   p[4] = p[0] & 1;
//    |               ^
