// options: --addressing=logical
// Buffers are arrays in descriptors. The one that is only read says so, and a module that does not synchronise work-items has
// the memory model of GLSL, in which buffers that may be the same memory are decorated.
// CHECK: OpMemoryModel Logical GLSL450
// CHECK: OpMemberDecorate ... 0 NonWritable
// CHECK: Aliased
// CHECK: OpTypeRuntimeArray
// CHECK: StorageBuffer
// CHECK: OpAccessChain
kernel void scale(global float *y, global const float *x, float a) { y[get_global_id(0)] = a * x[get_global_id(0)]; }
