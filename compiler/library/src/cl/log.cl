// Logarithms of float and double: log, log2, log10, log1p, logb, ilogb.
//
// x = 2^k*m with m in [sqrt(1/2), sqrt(2)) and f = m - 1 exact; log(1+f) is c*f plus a correction with c a
// short constant (1, 1 and 1/2), so that no table and no division is needed and the rounding error of the
// correction counts for little (J.-M. Muller et al., "Handbook of Floating-Point Arithmetic", chapter 10).
//
// What is not a positive normal number takes a branch of its own, after the computation for those that are.
//
// Greatest measured errors in ulp (float / double where they differ): log 1.2 / 0.9, log2 1.4 / 1.3, log10 2.3 / 1.1, log1p
// 1.5 / 1.3.

// log of zero, a negative number, inf or nan.
real FN(log_special)(bits ux)
{
#if WIDTH == 32
    if ((ux & MAGNITUDE_MASK) > INF_BITS)
        return as_real(ux | QUIET_BIT);
    if ((ux & MAGNITUDE_MASK) == B(0))
        return as_real(MINUS_INF_BITS);
    return ux >> SIGN_POSITION != B(0) ? as_real(NAN_BITS) : as_real(ux);
#else
    bits ix = ux & MAGNITUDE_MASK;
    if (ix > INF_BITS)
        return as_real(ux | QUIET_BIT);
    if (ix == B(0))
        return as_real(MINUS_INF_BITS);
    return as_real(ux >> SIGN_POSITION != B(0) ? NAN_BITS : ux);
#endif
}

// Whether a number, given by its bits, is not positive and normal.
#undef IS_UNUSUAL
#define IS_UNUSUAL(ux) (ux - HIDDEN_BIT >= INF_BITS - HIDDEN_BIT)

// For a positive normal number, given by its bits: m*2^k with m in [sqrt(1/2), sqrt(2)); f becomes m - 1.
#undef LOG_PARTS
#if WIDTH == 32
#define LOG_PARTS(ux)                                                                                          \
    uint scaling = (ux - SQRT_HALF_BITS) & ~FRACTION_MASK; /* k, where a float has its exponent */            \
    float k = (float)((int)scaling >> FRACTION_WIDTH);                                                         \
    float f = as_float(ux - scaling) - 1.0f;
#else
#define LOG_PARTS(ux)                                                                                          \
    ulong scaling = (ux - SQRT_HALF_BITS) & ~FRACTION_MASK;                                                    \
    double k = (double)((int)(uint)(scaling >> 32) >> (FRACTION_WIDTH - 32));                                  \
    double f = as_double(ux - scaling) - 1.0;
#endif

// The logarithm of something unusual by that of normal numbers, where a denormal one is 2^-DENORMAL_EXPONENT times an integer.
#undef UNUSUAL_LOG
#define UNUSUAL_LOG(log, factor)                                                                               \
    if (ux - B(1) >= HIDDEN_BIT - B(1))                                                                        \
        return FN(log_special)(ux);                                                                            \
    return log(as_bits((real)ux)) - factor * (real)DENORMAL_EXPONENT;

// p with log(1+f) = f + f^2*p for 1+f in [sqrt(1/2), sqrt(2)]; of double a function, since it is long.
#undef LOG_KERNEL
#if WIDTH == 32
// relative error 2^-27.8 on [-0.2929, 0.41422]
#define LOG_KERNEL(f) \
    (-0x1.fffff8p-2f + f * (0x1.55555p-2f + f * (-0x1.000432p-2f + f * (0x1.99a41ap-3f + \
    f * (-0x1.5425c4p-3f + f * (0x1.226dfcp-3f + f * (-0x1.0f3fa8p-3f + \
    f * (0x1.0860d4p-3f - f * 0x1.38472ep-4f))))))))
#else
#define LOG_KERNEL(f) FN(log_kernel)(f)

real FN(log_kernel)(real f)
{
    // relative error 2^-56.7 on [-0.2929, 0.41422]
    real p = -0x1.0000000000003p-1 + f * (0x1.555555555551cp-2 + f * (-0x1.fffffffffdeddp-3 +
        f * (0x1.99999999a17dfp-3 + f * (-0x1.55555556e294bp-3 + f * (0x1.2492492246d2cp-3 +
        f * (-0x1.fffffef69789fp-4 + f * (0x1.c71c71d7f24e1p-4 + f * (-0x1.9999c90b40161p-4 +
        f * (0x1.745d452830da9p-4 + f * (-0x1.5550744106347p-4 + f * (0x1.3b0ac88cc5512p-4 +
        f * (-0x1.24dc4c648e53ap-4 + f * (0x1.11d82b869b14cp-4 + f * (-0x1.fb6e529207861p-5 +
        f * (0x1.cfb6bcebaff9cp-5 + f * (-0x1.d15a0748e7e93p-5 + f * (0x1.0b54f855fc51fp-4 +
        f * (-0x1.eb45af0b766cbp-5 + f * 0x1.abe32783d10edp-6))))))))))))))))));
    return p;
}
#endif

// The logarithm of a positive normal number, given by its bits.
real FN(log_normal)(bits ux)
{
    LOG_PARTS(ux)
#if WIDTH == 32
    // log(1+f) = f + f^2*p, relative error 2^-25.0 on [-0.2929, 0.41422]; a coefficient less would be wrong by 2^-22.4,
    // two and a half of the three ulp that are allowed
    float p = -0x1.fffffap-2f + f * (0x1.5556fp-2f + f * (-0x1.0004a8p-2f + f * (0x1.98d39ep-3f +
        f * (-0x1.535c24p-3f + f * (0x1.317cc2p-3f + f * (-0x1.250606p-3f + f * 0x1.65f148p-4f))))));
    return k * LN2 + (f + f * f * p);
#else
    double p = LOG_KERNEL(f);
    return k * LOG_LN2_HIGH + (f + (f * f * p + k * LOG_LN2_LOW));
#endif
}

real FN(log_unusual)(bits ux)
{
    UNUSUAL_LOG(FN(log_normal), LN2)
}

real FN(log)(real x)
{
    bits ux = as_bits(x);
    real y = FN(log_normal)(ux);
    if (IS_UNUSUAL(ux))
        y = FN(log_unusual)(ux);
    return y;
}

real FN(log2_normal)(bits ux)
{
    LOG_PARTS(ux)
    // log2(1+f) = f + f*p, relative error 2^-24.8 (float), 2^-55.5 (double) on [-0.2929, 0.41422]
    real p = PER_WIDTH(
        0x1.c551d6p-2f + f * (-0x1.715476p-1f + f * (0x1.ec745cp-2f + f * (-0x1.715682p-2f +
        f * (0x1.26bce4p-2f + f * (-0x1.ea78d8p-3f + f * (0x1.bcbc56p-3f + f * (-0x1.a143b4p-3f +
        f * 0x1.e0dd1ep-4f))))))),
        0x1.c551d94ae0bf8p-2 + f * (-0x1.71547652b8304p-1 + f * (0x1.ec709dc3a0491p-2 +
        f * (-0x1.71547652b672ap-2 + f * (0x1.2776c50ef52adp-2 + f * (-0x1.ec709dc60cd5p-3 +
        f * (0x1.a61762ab17908p-3 + f * (-0x1.7154758ccb61dp-3 + f * (0x1.484b12b02914dp-3 +
        f * (-0x1.2776e73a804ap-3 + f * (0x1.0c9ac6267fad1p-3 + f * (-0x1.ec69cb4026594p-4 +
        f * (0x1.c67e6018e8adfp-4 + f * (-0x1.a67bbeb6c2771p-4 + f * (0x1.8b394c5955687p-4 +
        f * (-0x1.6e603b3556179p-4 + f * (0x1.4dd1bf788d70dp-4 + f * (-0x1.4d5f517fa55ep-4 +
        f * (0x1.82195e0e37ca2p-4 + f * (-0x1.689d2408cf63p-4 + f * 0x1.3ea721612952bp-5))))))))))))))))))));
    return k + (f + f * p);
}

real FN(log2_unusual)(bits ux)
{
    UNUSUAL_LOG(FN(log2_normal), R(1.0))
}

real FN(log2)(real x)
{
    bits ux = as_bits(x);
    real y = FN(log2_normal)(ux);
    if (IS_UNUSUAL(ux))
        y = FN(log2_unusual)(ux);
    return y;
}

real FN(log10_normal)(bits ux)
{
    LOG_PARTS(ux)
    // log10(1+f) = f/2 + f*p, relative error 2^-25.1 (float), 2^-56.3 (double) on [-0.2929, 0.41422]
    real p = PER_WIDTH(
        -0x1.0d213ep-4f + f * (-0x1.bcb7bp-3f + f * (0x1.287c74p-3f + f * (-0x1.bcbddep-4f +
        f * (0x1.62fe7cp-4f + f * (-0x1.26db9cp-4f + f * (0x1.0a4212p-4f + f * (-0x1.fc864ap-5f +
        f * 0x1.32231ap-5f))))))),
        -0x1.0d213ab646bc7p-4 + f * (-0x1.bcb7b1526e515p-3 + f * (0x1.287a7636f42f7p-3 +
        f * (-0x1.bcb7b1526c427p-4 + f * (0x1.63c6277530021p-4 + f * (-0x1.287a76386c1b4p-4 +
        f * (0x1.fc3fa60ed4e77p-5 + f * (-0x1.bcb7b05d3f004p-5 + f * (0x1.8b4df355bedebp-5 +
        f * (-0x1.63c652aeb7f18p-5 + f * (0x1.436e738a70319p-5 + f * (-0x1.28760ddebea4ap-5 +
        f * (0x1.11a4acf83d436p-5 + f * (-0x1.fcc4bafeb2ac6p-6 + f * (0x1.dbb49f9cbaa34p-6 +
        f * (-0x1.b89bec0cb39d8p-6 + f * (0x1.92c0789d4ffbp-6 + f * (-0x1.94ccd52895c6ap-6 +
        f * (0x1.d0d9bbd0fba82p-6 + f * (-0x1.a9a8daa91cf03p-6 + f * 0x1.7142231a3ffbdp-7))))))))))))))))))));
    return PER_WIDTH(k * 0x1.344136p-2f + (0.5f * f + f * p),
        k * LOG10_2_HIGH + (0.5 * f + (f * p + k * LOG10_2_LOW)));
}

real FN(log10_unusual)(bits ux)
{
    UNUSUAL_LOG(FN(log10_normal), PER_WIDTH(0x1.344136p-2f, 0x1.34413509f79ffp-2))
}

real FN(log10)(real x)
{
    bits ux = as_bits(x);
    real y = FN(log10_normal)(ux);
    if (IS_UNUSUAL(ux))
        y = FN(log10_unusual)(ux);
    return y;
}

// log1p of what is not normal, not above -1, or tiny, given by its bits.
real FN(log1p_unusual)(bits ux)
{
    bits ix = ux & MAGNITUDE_MASK;
    if (ix > INF_BITS)
        return as_real(ux | QUIET_BIT);
    if (ux >= PER_WIDTH(0xbf800000u, 0xbff0000000000000ul)) // x <= -1
        return as_real(ux == PER_WIDTH(0xbf800000u, 0xbff0000000000000ul) ? MINUS_INF_BITS : NAN_BITS);
    return as_real(ux); // x itself, which keeps zeros and denormals
}

real FN(log1p)(real x)
{
    bits ux = as_bits(x);
    // 1+x = 2^k*m with m about between sqrt(1/2) and sqrt(2); f = m - 1 = 2^-k*x + (2^-k - 1) has no error where |f| < 1/2:
    // the products are exact, and the sum is a multiple of the last place of the larger one
    bits scaling = (as_bits(R(1.0) + x) - SQRT_HALF_BITS) & ~FRACTION_MASK;
    real k = PER_WIDTH((float)((int)scaling >> FRACTION_WIDTH),
        (double)((int)(uint)(scaling >> 32) >> (FRACTION_WIDTH - 32)));
    real s = as_real(ONE_BITS + ((bits)2 << FRACTION_WIDTH) - scaling); // 4*2^-k, which is normal
    real f = as_real(ux - scaling) + (R(0.25) * s - R(1.0));
    real p = LOG_KERNEL(f);
    // as float, ln2 has a relative error of 2^-28.5
    real y = PER_WIDTH(k * LN2 + (f + f * f * p), k * LOG_LN2_HIGH + (f + (f * f * p + k * LOG_LN2_LOW)));
    // |x| < 2^-24 (float), 2^-53 (double), infinite, nan, or not above -1
    if ((ux & MAGNITUDE_MASK) - PER_WIDTH(0x33800000u, 0x3ca0000000000000ul) >=
            INF_BITS - PER_WIDTH(0x33800000u, 0x3ca0000000000000ul) ||
        ux >= PER_WIDTH(0xbf800000u, 0xbff0000000000000ul))
        y = FN(log1p_unusual)(ux);
    return y;
}

real FN(logb)(real x)
{
    bits ix = as_bits(x) & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return as_real(ix > INF_BITS ? ix | QUIET_BIT : ix);
    if (ix == B(0))
        return as_real(MINUS_INF_BITS);
    if (ix < HIDDEN_BIT)
        return (real)(-PER_WIDTH(118, 1011) - (int)clz(ix));
    return (real)((int)(ix >> FRACTION_WIDTH) - BIAS);
}

// FP_ILOGB0 is INT_MIN, FP_ILOGBNAN is INT_MAX.
int FN(ilogb)(real x)
{
    bits ix = as_bits(x) & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return 0x7fffffff;
    if (ix == B(0))
        return (int)0x80000000u;
    if (ix < HIDDEN_BIT)
        return -PER_WIDTH(118, 1011) - (int)clz(ix);
    return (int)(ix >> FRACTION_WIDTH) - BIAS;
}
