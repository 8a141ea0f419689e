// Relational functions of denormals of floats, which a device may keep or take for zeros.
// RUN: kernel=denormals global=8
// ARG: buffer:uint=0x00000001,0x80000001,0x007fffff,0x00000001,0x807fffff,0x00400000,0x00800000,0x00000002
// ARG: buffer:uint=0x00000001,0x00000000,0x00800000,0x80000000,0x80000001,0x00000003,0x007fffff,0x80000000
// ARG: buffer:bytes=32
// EXPECT 2: uint=0,0,0,0,0,0,0,0
int is_lost(int key) { return key > -0x00800000 && key < 0x00800000; }
int related(int x, int y) {
    return (x == y) | (x != y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x < y) << 4 | (x <= y) << 5 | (x != y) << 6 | 1 << 7;
}
// The functions that answer neither for these operands nor for any that become zeros; integers are in the order of floats.
uint wrong(int answers, float x, float y, bool keeps) {
    const int k = as_int(x) < 0 ? INT_MIN - as_int(x) : as_int(x), l = as_int(y) < 0 ? INT_MIN - as_int(y) : as_int(y);
    const int no_k = is_lost(k) && !keeps ? 0 : k, no_l = is_lost(l) && !keeps ? 0 : l;
    return (answers ^ related(k, l)) & (answers ^ related(no_k, l)) & (answers ^ related(k, no_l))
        & (answers ^ related(no_k, no_l));
}
#define ANSWERS(x, y)                                                                                                  \
    ((isequal(x, y) & 1) | (isnotequal(x, y) & 1) << 1 | (isgreater(x, y) & 1) << 2 | (isgreaterequal(x, y) & 1) << 3  \
     | (isless(x, y) & 1) << 4 | (islessequal(x, y) & 1) << 5 | (islessgreater(x, y) & 1) << 6                         \
     | (isordered(x, y) & 1) << 7 | (isunordered(x, y) & 1) << 8)
kernel void denormals(global const float *a, global const float *b, global uint *o) {
    const int i = get_global_id(0);
    // Whether this device keeps denormals.
    const bool keeps = as_uint(a[0] + a[0]) == 2;
    const float x = a[i], y = b[i];
    const float4 v = (float4)(x, y, x, y), w = (float4)(y, x, x, 1);
    const int4 all = ANSWERS(v, w);
    o[i] = wrong(ANSWERS(x, y), x, y, keeps) | wrong(all.s0, v.s0, w.s0, keeps) | wrong(all.s1, v.s1, w.s1, keeps)
        | wrong(all.s2, v.s2, w.s2, keeps) | wrong(all.s3, v.s3, w.s3, keeps);
    o[i] |= (!isfinite(x) | isinf(x) << 1 | isnan(x) << 2 | (isnormal(x) != (as_int(x) == 0x00800000)) << 3) << 16;
}
