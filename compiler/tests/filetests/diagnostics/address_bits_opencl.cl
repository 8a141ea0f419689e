// target: opencl3.0
// options: --address-bits=32
// clang: not asked, since its target would be another one
kernel void k(global int *p) { p[get_global_id(0)] = sizeof(p); }
