// GNU C's built-in functions of halves. Expected values are computed by hand.
// SKIP reference: the driver has no functions of halves
// SKIP opencl: the driver has no functions of halves
// RUN: kernel=k global=1
// ARG: buffer:ushort=0x4100,0xc300,0x4400
// ARG: buffer:ushort=9,9,9,9,9,9
// EXPECT 1: ushort=0x4000,0x4300,0x4000,0xc100,0xc4c0,0x7c00

kernel void k(global const half *in, global half *out) {
    out[0] = __builtin_floorf16(in[0]);
    out[1] = __builtin_fabsf16(in[1]);
    out[2] = __builtin_sqrtf16(in[2]);
    out[3] = __builtin_copysignf16(in[0], in[1]);
    out[4] = __builtin_fmaf16(in[0], in[1], in[2]);
    out[5] = __builtin_huge_valf16();
}
