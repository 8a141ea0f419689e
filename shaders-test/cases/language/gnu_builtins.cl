// RUN: kernel=k global=1
// ARG: buffer:uint=0x00f0,0x12345678,5
// ARG: buffer:bytes=84
// ARG: buffer:float=-2.5,3.0,0.0
// ARG: buffer:bytes=32
// EXPECT 1: uint=4,24,4,5,0,0,64,0x78563412,0x7856,0x34567812,0x78123456,7,1,0,1,0x18,0,2,1,5,0
// EXPECT 3: float=2.5,-3.0,3.0,0.5,-2.0,8.0,1.0,0.0

kernel void k(global const uint *in, global uint *out, global const float *f, global float *g) {
    int at = 0;
    out[at++] = __builtin_popcount(in[0]);
    out[at++] = __builtin_clz(in[0]);
    out[at++] = __builtin_ctz(in[0]);
    out[at++] = __builtin_ffs(in[0]);
    out[at++] = __builtin_ffs(in[0] - 0xf0);
    out[at++] = __builtin_parity(in[0]);
    out[at++] = __builtin_popcountll(~0UL);
    out[at++] = __builtin_bswap32(in[1]);
    out[at++] = __builtin_bswap16((ushort)in[1]);
    out[at++] = __builtin_rotateleft32(in[1], 8);
    out[at++] = __builtin_rotateright32(in[1], 8);
    out[at++] = __builtin_abs(2 - 9);
    out[at++] = __builtin_constant_p(3 + 4);
    out[at++] = __builtin_constant_p(in[0]);
    out[at++] = __builtin_expect(in[2] == 5, 1);
    uint4 v = __builtin_shufflevector((uint4)(1, 2, 3, 4), (uint4)(5, 6, 7, 8), 3, 4, 7, 0);
    out[at++] = v.x + v.y + v.z + v.w + 6;
    out[at++] = __builtin_isnan(f[0]);
    int4 c = __builtin_convertvector((float4)(2.75f, f[0], f[1], 0), int4);
    out[at++] = c.x;
    out[at++] = __builtin_isinf(__builtin_inff());
    if (__builtin_expect(in[2] != 5, 0)) __builtin_unreachable();
    out[at++] = in[2];
    out[at++] = __builtin_signbit(f[1]);
    at = 0;
    g[at++] = __builtin_fabsf(f[0]);
    g[at++] = __builtin_copysignf(f[1], f[0]);
    g[at++] = __builtin_fmaxf(f[0], f[1]);
    g[at++] = __builtin_fmaf(1.0f, f[0], f[1]);
    g[at++] = __builtin_ceilf(f[0]);
    g[at++] = __builtin_floorf(8.5f);
    g[at++] = __builtin_sqrtf(f[2] + 1.0f);
    g[at++] = __builtin_elementwise_max(f[0], f[2]);
}
