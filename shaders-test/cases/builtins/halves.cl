// Functions on halves that give exact results: relational, common, integer-like math; and vectors of halves in memory.
// SKIP reference: the driver has no halves
// SKIP opencl: PoCL 3.1 has no halves
// RUN: kernel=k global=1
// ARG: buffer:int=-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9,-9
// ARG: buffer:ushort=0x3c00,0xc000,0x7e00,0x7c00,0x0001,0x8000,0x7bff,0x3800,0,0,0,0,0,0,0,0
// EXPECT 0: int=0,1,0,1,1,0,1,1,0,-1,-1,0,1,1,1,1,-31,2,1,3,0x7e00,0x4200,1,4
// EXPECT 1: ushort=0x3c00,0xc000,0x7e00,0x7c00,0x0001,0x8000,0x7bff,0x3800,0,0xc000,0x7e00,0x7c00,0,0xc000,0x7e00,0x7c00
kernel void k(global int *o, global half *h) {
    half one = h[0], minus_two = h[1], not = h[2], inf = h[3], least = h[4], zero = h[5], most = h[6], point5 = h[7];
    o[0] = isequal(not, not); o[1] = isequal(zero, (half)0); o[2] = isgreater(minus_two, one);
    o[3] = isless(minus_two, one); o[4] = isunordered(not, one); o[5] = isordered(not, one);
    o[6] = isinf(inf); o[7] = isnan(not); o[8] = isnormal(least);
    half4 v = vload4(0, h), w = (half4)(one, one, not, inf);
    short4 equal = isequal(v, w), nan_lanes = isnan(v);
    o[9] = equal.x; o[10] = nan_lanes.z; o[11] = equal.z; o[12] = isnormal(most); o[13] = isfinite(most);
    o[14] = signbit(zero); o[15] = as_short(fmax(not, one)) == 0x3c00;
    o[16] = ilogb(least) - 7; o[17] = (int)fabs(minus_two); o[18] = as_short(nextafter(zero, one));
    o[19] = (int)(clamp((half)5, one, (half)3)); o[20] = as_ushort(nan((ushort)0)) & 0x7e00;
    o[21] = as_short(mix(one, (half)5, point5)); o[22] = (int)step(one, one); o[23] = (int)(sign(minus_two) + (half)5);
    vstore3(vload3(0, h + 1), 0, h + 9);
    half8 all = vload8(1, h);
    vstore4(all.lo, 3, h);
    half2 pair = select((half2)(1, 2), (half2)(3, 4), (short2)(-1, 0));
    o[23] = pair.x == 3 && pair.y == 2 ? o[23] : -1;
}
// Signs are bits, also those of NaNs and denormals.
// RUN: kernel=signs global=4
// ARG: buffer:ushort=0,0,0,0,0,0,0,0
// ARG: buffer:ushort=0x3c00,0x0001,0xc000,0xfc00
// ARG: buffer:ushort=0xff29,0xfe00,0x7e00,0x8001
// EXPECT 0: ushort=0xbc00,0x8001,0x4000,0xfc00,0x3c00,0x0001,0x4000,0x7c00
kernel void signs(global half *o, global const half *x, global const half *y) {
    size_t i = get_global_id(0);
    o[i] = copysign(x[i], y[i]);
    o[i + 4] = fabs(x[i]);
}
