// target: opencl2.0
// CHECK: OpCapability ImageBasic
// CHECK: OpCapability LiteralSampler
void use(sampler_t s);
kernel void k() { use(CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST); }
