// GNU C's and clang's built-in functions of numbers. Expected values are those of GNU C's and LLVM's documents, computed by
// hand.
// RUN: kernel=integers global=1
// ARG: buffer:uint=0x00f0,0x12345678,5,0xffffff00
// ARG: buffer:uint=9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9
// EXPECT 1: uint=11,4,26,23,0x1e6a2c48,0x1e6a,0x1e,0,0xf0,0x1,0,1,2,0x10,1,24
// RUN: kernel=carries global=1
// ARG: buffer:ulong=0xffffffffffffffff,1,0
// ARG: buffer:ulong=9,9,9,9,9,9,9,9
// EXPECT 1: ulong=0,1,1,1,0xffffffffffffffff,1,0xfffe,1
// RUN: kernel=floats global=1
// ARG: buffer:float=2.5,-3.5,10.0,inf,nan
// ARG: buffer:float=9,9,9,9,9,9,9
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9,9,9
// EXPECT 1: float=2.0,2.0,1000.0,2.5,2.5,10.0,-3.5
// EXPECT 2: int=0,0,-1,3,1,5,2,4,1,0,1,1,1
// RUN: kernel=vectors global=1
// ARG: buffer:int=1,2,3,4,2147483647,-5,6,7
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9,9
// EXPECT 1: int=4,1,10,24,7,0,4,2147483647,-3,4,2,3
// RUN: kernel=constants global=1
// ARG: buffer:int=9,9,9,9,9
// EXPECT 0: int=3,31,4,0x40,32

kernel void integers(global const uint *in, global uint *out) {
    int at = 0;
    out[at++] = __builtin_clzs((ushort)(in[0] >> 3));
    out[at++] = __builtin_ctzs((ushort)in[0]);
    out[at++] = __builtin_clrsb((int)(in[0] >> 3));
    out[at++] = __builtin_clrsb((int)in[3]);
    out[at++] = __builtin_bitreverse32(in[1]);
    out[at++] = __builtin_bitreverse16((ushort)in[1]);
    out[at++] = __builtin_bitreverse8((uchar)in[1]);
    out[at++] = (uint)__builtin_bitreverse64(in[1]);
    out[at++] = __builtin_align_down(in[0] + 15, 16u);
    out[at++] = __builtin_is_aligned(in[0], 16u);
    out[at++] = __builtin_is_aligned(in[0] + 1, 16u);
    global uint *place = out + at;
    out[at++] = __builtin_align_down(place, 4) == place;
    out[at++] = (uint)(__builtin_align_up((global char *)place + 5, 4) - (global char *)place) / 4;
    out[at++] = __builtin_align_up(in[2], 16u);
    out[at++] = __builtin_expect_with_probability(in[2] == 5, 1, 0.9);
    uint copy[6];
    out[at++] = __builtin_object_size(copy, 0);
}

kernel void carries(global const ulong *in, global ulong *out) {
    ulong carry;
    out[0] = __builtin_addcl(in[0], in[1], in[2], &carry);
    out[1] = carry;
    out[2] = __builtin_addcl(in[0], in[1], 1ul, &carry);
    out[3] = carry;
    out[4] = __builtin_subcl(in[1], in[1], 1ul, &carry);
    out[5] = carry;
    ushort narrow;
    out[6] = __builtin_subcs((ushort)in[2], (ushort)in[1], (ushort)1, &narrow);
    out[7] = narrow;
}

kernel void floats(global const float *in, global float *f, global int *i) {
    f[0] = __builtin_nearbyintf(in[0]);
    f[1] = __builtin_elementwise_roundeven(in[0]);
    f[2] = __builtin_powif(in[2], 3);
    f[3] = __builtin_rintf(in[0]) + 0.5f;
    ushort stored[1];
    __builtin_store_halff(in[0], (half *)stored);
    f[4] = __builtin_load_halff((const half *)stored);
    f[5] = __builtin_reduce_max((float4)(in[0], in[1], in[2], 0));
    f[6] = __builtin_reduce_min((float4)(in[0], in[1], in[2], 0));
    i[0] = __builtin_isinf_sign(in[2]);
    i[1] = __builtin_isinf_sign(in[4]);
    i[2] = __builtin_isinf_sign(-in[3]);
    i[3] = __builtin_fpclassify(1, 2, 3, 4, 5, in[0]);
    i[4] = __builtin_fpclassify(1, 2, 3, 4, 5, in[4]);
    i[5] = __builtin_fpclassify(1, 2, 3, 4, 5, in[2] - 10.0f);
    i[6] = __builtin_fpclassify(1, 2, 3, 4, 5, in[3]);
    i[7] = __builtin_fpclassify(1, 2, 3, 4, 5, as_float(1u + (uint)(in[2] - 10.0f)));
    i[8] = __builtin_signbitf(in[1]) != 0;
    i[9] = __builtin_isless(in[0], 2);
    i[10] = __builtin_isnan(__builtin_nanf("0x12"));
    i[11] = as_int(__builtin_nanf("0x12")) == 0x7fc00012;
    i[12] = __builtin_flt_rounds();
}

kernel void vectors(global const int *in, global int *out) {
    int4 v = vload4(0, in), w = vload4(1, in);
    out[0] = __builtin_reduce_max(v);
    out[1] = __builtin_reduce_min(v);
    out[2] = __builtin_reduce_add(v);
    out[3] = __builtin_reduce_mul(v);
    out[4] = __builtin_reduce_or(v);
    out[5] = __builtin_reduce_and(v);
    out[6] = __builtin_reduce_xor(v);
    w = __builtin_elementwise_add_sat(v, w);
    out[7] = w.x;
    out[8] = w.y;
    v = __builtin_shufflevector(v, (uint4)(3, 1, 2, 0));
    out[9] = v.x;
    out[10] = v.y;
    out[11] = v.z;
}

constant int table[__builtin_popcount(7)] = {__builtin_clz(1), __builtin_ffs(8), __builtin_bitreverse8(2)};
kernel void constants(global int *out) {
    out[0] = sizeof(table) / sizeof(table[0]);
    out[1] = table[0];
    out[2] = table[1];
    out[3] = table[2];
    out[4] = __builtin_clrsb(0) + 1;
}
