// -cl-std=CL1.2
#pragma OPENCL SELECT_ROUNDING_MODE rte
kernel void k(global float *p) { p[0] = p[1] + p[2]; }
#pragma OPENCL SELECT_ROUNDING_MODE rtz // error: '#pragma OPENCL SELECT_ROUNDING_MODE rtz' is not supported: only 'rte' is // clang: accepts and ignores it
#pragma OPENCL SELECT_ROUNDING_MODE up // error: expected 'rte', 'rtz', 'rtp' or 'rtn' // clang: accepts and ignores it
#define paste(a, b) a##b
#define expanded(a, b) paste(a, b)
void expanded(f_, __ROUNDING_MODE__)(global float *p) { }
kernel void uses(global float *p) { f_rte(p); } // clang: rejects the name, since it lacks __ROUNDING_MODE__
// ---
// error: '#pragma OPENCL SELECT_ROUNDING_MODE rtz' is not supported: only 'rte' is
//  --> test.cl:4:2
//   |
// 4 | #pragma OPENCL SELECT_ROUNDING_MODE rtz
//   |  ^^^^^^
//
// error: expected 'rte', 'rtz', 'rtp' or 'rtn'
//  --> test.cl:5:2
//   |
// 5 | #pragma OPENCL SELECT_ROUNDING_MODE up
//   |  ^^^^^^
