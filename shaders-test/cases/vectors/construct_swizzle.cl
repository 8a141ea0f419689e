// Literals from parts, component names of both kinds, writing through swizzles, hi, lo, even, odd.
// RUN: kernel=k global=1
// ARG: buffer:int=1,2,3,4,5,6,7,8
// ARG: buffer:bytes=192
// EXPECT: pocl
kernel void k(global const int *in, global int4 *out)
{
    const int2 a = (int2)(in[0], in[1]);
    const int4 b = (int4)(a, in[2], in[3]);
    const int8 c = (int8)(b, in[4], in[5], (int2)(in[6], in[7]));
    int16 d = (int16)(c, c.s76543210);
    out[0] = b.wzyx;
    out[1] = b.xxyy;
    out[2] = c.hi;
    out[3] = c.even;
    out[4] = d.sFEDC;
    out[5] = (int4)(c.odd.lo, d.hi.s01);
    int4 w = (int4)(9);
    w.yw = b.xz;
    out[6] = w;
    w.lo = w.hi.yx;
    w.s3 += 5;
    out[7] = w;
    d.s0f = (int2)(50, 60);
    d.hi.lo = b;
    out[8] = (int4)(d.s0, d.sf, d.s8, d.sB);
    int3 e = (int3)(a, 7);
    e.zx = e.xz;
    out[9] = (int4)(e, in[0]);
    out[10] = (int4)(e.xy, e.yz);
    out[11] = b.xyzw + b.s3210;
}
