// Powers of float and double: pow, powr, pown, rootn.
//
// x^y = 2^(y*log2(x)) with the logarithm and its product by y in pairs of numbers. The pairs come from splitting
// operands into halves by masking (`head`), so that every partial product is exact (after T. J. Dekker, "A
// Floating-Point Technique for Extending the Available Precision", Numer. Math. 18, 1971), with or without fused
// multiply-add and denormals.
//
// Greatest measured errors in ulp (float / double where they differ): pow 3.3 / 1.2, powr 3.2 / 1.2, pown 3.7 / 1.3,
// rootn 1.2.

// 2^((yh+yl)*log2(x)) for a finite x > 0 given by its bits; yh is a head, |yh| < 2^40 (float), 2^80 (double).
real FN(pow_core)(bits ix, real yh, real yl)
{
    real ll;
    real lh = FN(log2_pair)(ix, &ll);
    real p = yh * lh;
    real q = yh * ll + yl * (lh + ll);
    real t = p + q;
    if (t > PER_WIDTH(160.0f, 1100.0))
        return as_real(INF_BITS);
    if (t < -PER_WIDTH(160.0f, 1100.0))
        return R(0.0);
    real k = rint(t);
    real r = (p - k) + q;
    // 2^r = 1 + r*e, relative error 2^-28.0 (float), 2^-57.3 (double) on [-0.501, 0.501]
    real e = PER_WIDTH(
        0x1.62e43p-1f + r * (0x1.ebfbd8p-3f + r * (0x1.c6af72p-5f + r * (0x1.3b309p-7f +
        r * (0x1.5f0e12p-10f + r * 0x1.3fb5f2p-13f)))),
        0x1.62e42fefa39efp-1 + r * (0x1.ebfbdff82c5a6p-3 + r * (0x1.c6b08d704a128p-5 +
        r * (0x1.3b2ab6fb9fd4bp-7 + r * (0x1.5d87fe789f8c1p-10 + r * (0x1.4309130f8b404p-13 +
        r * (0x1.ffcbfc61b2e73p-17 + r * (0x1.62bfc5f526e95p-20 + r * (0x1.b5252c940fc5p-24 +
        r * (0x1.e61e117ea7f08p-28 + r * 0x1.e9650ee6e54fap-32))))))))));
    int n = (int)k;
    int h = n >> 1;
    return (R(1.0) + r * e) * as_real((bits)(h + BIAS) << FRACTION_WIDTH) *
        as_real((bits)(n - h + BIAS) << FRACTION_WIDTH);
}

// A larger |y| over- or underflows as 2^35 (float), 2^68 (double) does, unless |x| is 1.
#undef LARGE_Y_BITS
#define LARGE_Y_BITS PER_WIDTH(0x51000000u, 0x4430000000000000ul)

real FN(pow)(real x, real y)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    if (iy == B(0) || ux == ONE_BITS) // whatever the other is, even nan
        return R(1.0);
    if (ix > INF_BITS || iy > INF_BITS)
        return as_real(NAN_BITS);
    // 0: y is not an integer, 1: odd, 2: even
    uint parity = 0u;
    if (iy >= PER_WIDTH(0x4b800000u, 0x4340000000000000ul)) {
        parity = 2u;
    } else if (iy >= ONE_BITS) {
        uint shift = PER_WIDTH(150u, 1075u) - (uint)(iy >> FRACTION_WIDTH);
        bits m = (iy & FRACTION_MASK) | HIDDEN_BIT;
        if ((m & ((B(1) << shift) - B(1))) == B(0))
            parity = ((m >> shift) & B(1)) != B(0) ? 1u : 2u;
    }
    bits sign = parity == 1u ? ux & SIGN_MASK : B(0);
    if (ix == B(0) || ix == INF_BITS) // inf where exactly one of a zero x and a negative y, else zero
        return as_real(sign | ((ix == B(0)) == (uy >> SIGN_POSITION != B(0)) ? INF_BITS : B(0)));
    if (iy == INF_BITS) {
        if (ix == ONE_BITS)
            return R(1.0);
        return as_real((ix > ONE_BITS) == (uy >> SIGN_POSITION == B(0)) ? INF_BITS : B(0));
    }
    if (ux >> SIGN_POSITION != B(0) && parity == 0u)
        return as_real(NAN_BITS);
    if (iy > LARGE_Y_BITS)
        y = as_real((uy & SIGN_MASK) | LARGE_Y_BITS);
    real yh = FN(head)(y);
    return as_real(as_bits(FN(pow_core)(ix, yh, y - yh)) | sign);
}

real FN(powr)(real x, real y)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits iy = uy & MAGNITUDE_MASK;
    if (ux > INF_BITS && ux != SIGN_MASK) // nan or x < 0
        return as_real(NAN_BITS);
    ux &= MAGNITUDE_MASK;
    if (iy > INF_BITS)
        return as_real(NAN_BITS);
    if (ux == B(0) || ux == INF_BITS) {
        if (iy == B(0))
            return as_real(NAN_BITS);
        return as_real((ux == B(0)) == (uy >> SIGN_POSITION != B(0)) ? INF_BITS : B(0));
    }
    if (iy == INF_BITS) {
        if (ux == ONE_BITS)
            return as_real(NAN_BITS);
        return as_real((ux > ONE_BITS) == (uy >> SIGN_POSITION == B(0)) ? INF_BITS : B(0));
    }
    if (iy > LARGE_Y_BITS)
        y = as_real((uy & SIGN_MASK) | LARGE_Y_BITS);
    real yh = FN(head)(y);
    return FN(pow_core)(ux, yh, y - yh);
}

real FN(pown)(real x, int n)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (n == 0)
        return R(1.0);
    if (ix > INF_BITS)
        return as_real(ix | QUIET_BIT);
    bits sign = (n & 1) != 0 ? ux & SIGN_MASK : B(0);
    if (ix == B(0) || ix == INF_BITS)
        return as_real(sign | ((ix == B(0)) == (n < 0) ? INF_BITS : B(0)));
#if WIDTH == 32
    // an int does not fit a float: its upper 12 bits and the rest
    uint a = n < 0 ? 0u - (uint)n : (uint)n;
    uint zeros = clz(a);
    uint low = zeros < 20u ? a & ((1u << (20u - zeros)) - 1u) : 0u;
    float yh = (float)(a - low);
    float yl = (float)low;
    yh = n < 0 ? -yh : yh;
    yl = n < 0 ? -yl : yl;
#else
    double y = (double)n;
    double yh = FN(head)(y);
    double yl = y - yh;
#endif
    return as_real(as_bits(FN(pow_core)(ix, yh, yl)) | sign);
}

real FN(rootn)(real x, int n)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    uint odd = (uint)n & 1u;
    if (n == 0 || ix > INF_BITS)
        return as_real(NAN_BITS);
    bits sign = odd != 0u ? ux & SIGN_MASK : B(0);
    if (ix == B(0))
        return as_real(sign | (n < 0 ? INF_BITS : B(0)));
    if (ux >> SIGN_POSITION != B(0) && odd == 0u)
        return as_real(NAN_BITS);
    if (ix == INF_BITS)
        return as_real(sign | (n < 0 ? B(0) : INF_BITS));
    // 1/n as a pair; a float n is rounded above 2^24, where it no longer matters
    real d = (real)n;
    real y = R(1.0) / d;
    real yh = FN(head)(y);
    real dh = FN(head)(d);
    real yl = ((R(1.0) - yh * dh) - yh * (d - dh)) * y;
    return as_real(as_bits(FN(pow_core)(ix, yh, yl)) | sign);
}
