// -cl-std=CL1.2
#pragma OPENCL SELECT_ROUNDING_MODE rte
kernel void k(global float *p) { p[0] = p[1] + p[2]; }
#pragma OPENCL SELECT_ROUNDING_MODE rtz // error: '#pragma OPENCL SELECT_ROUNDING_MODE rtz' is not supported: only 'rte' is
#pragma OPENCL SELECT_ROUNDING_MODE up // error: expected 'rte', 'rtz', 'rtp' or 'rtn'
#define paste(a, b) a##b
#define expanded(a, b) paste(a, b)
void expanded(f_, __ROUNDING_MODE__)(global float *p) { }
kernel void uses(global float *p) { f_rte(p); }
