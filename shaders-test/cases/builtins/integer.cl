// Integer functions on scalars and vectors of several widths.
// RUN: kernel=k global=4
// ARG: buffer:int=5,-7,2147483647,-2147483647
// ARG: buffer:int=3,100,-2,-5
// ARG: buffer:bytes=512
// EXPECT: pocl
kernel void k(global const int *a, global const int *b, global int *out)
{
    const int i = get_global_id(0), x = a[i], y = b[i];
    const uint u = x, w = y;
    global int *o = out + i * 32;
    o[0] = abs(x); o[1] = abs_diff(x, y); o[2] = add_sat(x, y); o[3] = sub_sat(x, y);
    o[4] = hadd(x, y); o[5] = rhadd(x, y); o[6] = clz(x); o[7] = max(x, y);
    o[8] = min(u, w); o[9] = mul_hi(x, y); o[10] = mul_hi(u, w); o[11] = mad_hi(x, y, 3);
    o[12] = rotate(x, 5); o[13] = rotate(u, 31u); o[14] = popcount(x); o[15] = clamp(x, -10, 10);
    o[16] = mul24(x & 0xffff, y & 0xff); o[17] = mad24(x & 0xff, y & 0xff, 7); o[18] = upsample((short)x, (ushort)y);
    o[19] = add_sat((char)x, (char)y); o[20] = sub_sat((uchar)x, (uchar)y); o[21] = clz((short)y);
    o[22] = rotate((uchar)x, (uchar)3); o[23] = abs((char4)(x, y, -1, 2)).y; o[24] = max((short4)(x, y, 0, 1), (short)2).x;
    o[25] = (int)(mul_hi((long)x << 20, (long)y << 30)); o[26] = hadd((uchar)x, (uchar)y); o[27] = mad_sat(x, y, 1);
    o[28] = min((int4)(x, y, 1, 2), (int4)(3)).w; o[29] = clamp((uint)x, 3u, 9u); o[30] = popcount((uchar)x); o[31] = clz((ulong)u);
}
