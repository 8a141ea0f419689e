// Exponentials of float and double: exp, exp2, exp10, expm1.
//
// x = k*ln2 + r with |r| <= ln2/2 by a two-part constant (W. J. Cody, W. Waite, "Software Manual for the
// Elementary Functions", 1980), then a minimax polynomial (coefficients found with Sollya's fpminimax:
// N. Brisebarre, S. Chevillard, "Efficient polynomial L-approximations", ARITH-18, 2007).
//
// Greatest measured errors in ulp (float / double where they differ): exp 1.0, exp2 1.1, exp10 1.2, expm1 1.5.

// exp(r) for |r| <= 0.3475.
real FN(exp_kernel)(real r)
{
    // exp(r) = 1 + r + r^2*p, relative error 2^-28.2 (float), 2^-57.9 (double) on [-0.3475, 0.3475]
    real p = PER_WIDTH(
        0x1.fffffap-2f + r * (0x1.55549p-3f + r * (0x1.555a22p-5f + r * (0x1.123b04p-7f +
        r * 0x1.695414p-10f))),
        0x1.000000000000ap-1 + r * (0x1.55555555554f9p-3 + r * (0x1.5555555550629p-5 +
        r * (0x1.1111111127d09p-7 + r * (0x1.6c16c184a9d23p-10 + r * (0x1.a01a012aa8e77p-13 +
        r * (0x1.a01998b27e796p-16 + r * (0x1.71df22fd74365p-19 + r * (0x1.28aeb476caa8dp-22 +
        r * 0x1.ad85bb7fcf4dap-26)))))))));
    return R(1.0) + (r + r * r * p);
}

// 2^n*exp(x) for |x| < 105 (float), 750 (double) and |n| <= 80.
real FN(exp_scaled)(real x, int n)
{
    real k = rint(x * LOG2_E);
    // the high part has 12 (float) or 41 bits (double), so k times it is exact
    real r = (x - k * LN2_HIGH) - k * LN2_LOW;
    return FN(scale)(FN(exp_kernel)(r), (int)k + n);
}

// Returns from an exponential whose argument is past a limit, given by its bits: overflow, underflow, inf or nan. What
// the double versions call is written out in the float versions, which are no longer than the call.
#undef RETURN_IF_PAST
#if WIDTH == 32
#define RETURN_IF_PAST(limit)                                                                                  \
    bits ix = as_bits(x) & MAGNITUDE_MASK;                                                                     \
    if (ix >= limit) {                                                                                         \
        if (ix > INF_BITS)                                                                                     \
            return as_real(ix | QUIET_BIT);                                                                    \
        return as_bits(x) >> SIGN_POSITION != B(0) ? R(0.0) : as_real(INF_BITS);                               \
    }
#else
#define RETURN_IF_PAST(limit)                                                                                  \
    bits ux = as_bits(x);                                                                                      \
    if ((ux & MAGNITUDE_MASK) >= limit)                                                                        \
        return FN(exp_special)(ux);

real FN(exp_special)(bits ux)
{
    if ((ux & MAGNITUDE_MASK) > INF_BITS)
        return as_real(ux | QUIET_BIT);
    return ux >> SIGN_POSITION != B(0) ? R(0.0) : as_real(INF_BITS);
}
#endif

#if WIDTH == 64
// 2^n*exp(x) where that is a normal number.
double __clforge_exp_normal_f64(double x, ulong n)
{
    // the sum rounds to an integer, whose low bits are the last bits of the sum
    double t = x * LOG2_E + ROUNDING_SUM;
    double k = t - ROUNDING_SUM;
    double r = (x - k * LN2_HIGH) - k * LN2_LOW;
    return as_double(as_ulong(__clforge_exp_kernel_f64(r)) + ((as_ulong(t) + n) << 52));
}

// Past the fast path's limit: overflow, underflow, inf and nan, and what a single power of two cannot scale.
double __clforge_exp_unusual_f64(double x)
{
    RETURN_IF_PAST(0x4087500000000000ul) // 746
    return __clforge_exp_scaled_f64(x, 0);
}
#endif

real FN(exp)(real x)
{
#if WIDTH == 32
    RETURN_IF_PAST(0x42d20000u) // 105
    return FN(exp_scaled)(x, 0);
#else
    double y = __clforge_exp_normal_f64(x, 0ul);
    if (((uint)(as_ulong(x) >> 32) & 0x7fffffffu) >= 0x40860000u) // |x| >= 704
        y = __clforge_exp_unusual_f64(x);
    return y;
#endif
}

// 2^r for |r| <= 1/2.
real FN(exp2_kernel)(real r)
{
    // 2^r = 1 + r*p, relative error 2^-28.0 (float), 2^-57.3 (double) on [-0.501, 0.501]
    real p = PER_WIDTH(
        0x1.62e43p-1f + r * (0x1.ebfbd8p-3f + r * (0x1.c6af72p-5f + r * (0x1.3b309p-7f +
        r * (0x1.5f0e12p-10f + r * 0x1.3fb5f2p-13f)))),
        0x1.62e42fefa39efp-1 + r * (0x1.ebfbdff82c5a6p-3 + r * (0x1.c6b08d704a128p-5 +
        r * (0x1.3b2ab6fb9fd4bp-7 + r * (0x1.5d87fe789f8c1p-10 + r * (0x1.4309130f8b404p-13 +
        r * (0x1.ffcbfc61b2e73p-17 + r * (0x1.62bfc5f526e95p-20 + r * (0x1.b5252c940fc5p-24 +
        r * (0x1.e61e117ea7f08p-28 + r * 0x1.e9650ee6e54fap-32))))))))));
    return R(1.0) + r * p;
}

real FN(exp2)(real x)
{
    RETURN_IF_PAST(PER_WIDTH(0x43180000u, 0x4090d00000000000ul)) // 152 (float), 1076 (double)
    real k = rint(x);
    return FN(scale)(FN(exp2_kernel)(x - k), (int)k);
}

real FN(exp10)(real x)
{
    RETURN_IF_PAST(PER_WIDTH(0x42380000u, 0x4074400000000000ul)) // 46 (float), 324 (double)
    real k = rint(x * PER_WIDTH(0x1.a934fp1f, 0x1.a934f0979a371p1));
    real r = (x - k * LOG10_2_HIGH) - k * LOG10_2_LOW;
    // 10^r = 1 + r*p, relative error 2^-28.3 (float), 2^-57.3 (double) on [-0.151, 0.151]
    real p = PER_WIDTH(
        0x1.26bb1cp1f + r * (0x1.535248p1f + r * (0x1.046f98p1f + r * (0x1.2bdbdp0f +
        r * (0x1.156d96p-1f + r * 0x1.a4aac2p-3f)))),
        0x1.26bb1bbb55516p1 + r * (0x1.53524c73cea77p1 + r * (0x1.0470591de2b46p1 +
        r * (0x1.2bd7609fd4fd1p0 + r * (0x1.1429ffd220368p-1 + r * (0x1.a7ed70a1e58a8p-3 +
        r * (0x1.16e4dee99dddfp-4 + r * (0x1.41165e2e66642p-6 + r * (0x1.4899e45e5b657p-8 +
        r * (0x1.2f74d23614536p-10 + r * 0x1.f7649f45b95a2p-13))))))))));
    return FN(scale)(R(1.0) + r * p, (int)k);
}

#if WIDTH == 32
// expm1 of a float whose magnitude is below 2^-25, or that is at least 89, at most -18, or nan.
float __clforge_expm1_unusual_f32(float x)
{
    if ((as_uint(x) & 0x7fffffffu) < 0x33000000u || x != x)
        return x; // which keeps zeros and denormals
    return x < 0.0f ? -1.0f : as_float(0x7f800000u);
}
#endif

real FN(expm1)(real x)
{
#if WIDTH == 64
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix < 0x3c90000000000000ul) // |x| < 2^-54: x itself, which keeps zeros and denormals
        return x;
    if (ix >= 0x4086300000000000ul) { // |x| >= 710
        if (ix > INF_BITS)
            return as_real(ux | QUIET_BIT);
        return ux >> SIGN_POSITION != B(0) ? -R(1.0) : as_real(INF_BITS);
    }
    if (ux >= 0xc043000000000000ul) // x <= -38
        return -R(1.0);
#endif
    real k = rint(x * LOG2_E);
    real h = x - k * LN2_HIGH;
    real w = k * LN2_LOW;
    real r = h - w;
    real c = (h - r) - w; // what r lost
    // exp(r) - 1 = r + r^2*p, relative error 2^-31.0 (float), 2^-61.5 (double) on [-0.3475, 0.3475]
    real p = PER_WIDTH(
        0x1p-1f + r * (0x1.555554p-3f + r * (0x1.5554fp-5f + r * (0x1.111306p-7f + r * (0x1.6d43c2p-10f +
        r * 0x1.9e0de4p-13f)))),
        0x1p-1 + r * (0x1.5555555555559p-3 + r * (0x1.555555555554dp-5 + r * (0x1.111111110f63p-7 +
        r * (0x1.6c16c16c1ab0fp-10 + r * (0x1.a01a01b01d04ep-13 + r * (0x1.a01a018e13ff5p-16 +
        r * (0x1.71ddf7b89d47p-19 + r * (0x1.27e51301d4d1ap-22 + r * (0x1.af5fe54c0043ep-26 +
        r * 0x1.1f1aea4eade75p-29))))))))));
    real q = r * r * p + (c + c * r);
    // 2^n*(r + q) + (2^n - 1), in halves, since 2^n may overflow
    real s = as_real((bits)(BIAS - 1 + (int)k) << FRACTION_WIDTH);
    real y = s * (r + q) + (s - R(0.5));
    y += y;
#if WIDTH == 32
    if ((as_uint(x) & 0x7fffffffu) < 0x33000000u || !(x > -18.0f && x < 89.0f))
        y = __clforge_expm1_unusual_f32(x);
#endif
    return y;
}
