// Hyperbolic functions of float and double: sinh, cosh, tanh, asinh, acosh, atanh.
//
// By exponentials and logarithms (NIST Digital Library of Mathematical Functions, 4.28 and 4.37), which are scaled so
// that only results overflow; near zero by minimax polynomials. Below 2^(-FRACTION_WIDTH/2) the argument itself is the
// result.
//
// Greatest measured errors in ulp (float / double where they differ): sinh 1.7 / 1.6, cosh 1.5 / 1.4, tanh 1.9 / 1.4,
// asinh 1.8, acosh 2.4 / 2.2, atanh 3.2 / 1.7.

// exp(a)/2 for 0 <= a < 105 (float), 750 (double).
real FN(half_exp)(real a)
{
#if WIDTH == 32
    return FN(exp_scaled)(a, -1);
#else
    double h = __clforge_exp_normal_f64(a, -1ul);
    if (a >= 709.0)
        h = __clforge_exp_scaled_f64(a, -1);
    return h;
#endif
}

real FN(sinh)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix > INF_BITS)
        return as_real(ux | QUIET_BIT);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    real a = as_real(ix);
    real y;
    if (ix >= PER_WIDTH(0x42b60000u, 0x4086400000000000ul)) { // 91 (float), 712 (double)
        y = as_real(INF_BITS);
    } else if (ix >= ONE_BITS) {
        real h = FN(half_exp)(a);
        y = h - QUOTIENT(R(0.25), fmin(h, R(0x1p60)));
    } else {
        real z = a * a;
        // sinh(x) = x + x^3*p, relative error 2^-31.4 (float), 2^-62.5 (double) on [0, 1]
        real p = PER_WIDTH(
            0x1.555556p-3f + z * (0x1.1110eap-7f + z * (0x1.a01c22p-13f + z * 0x1.76771ep-19f)),
            0x1.5555555555555p-3 + z * (0x1.111111111117cp-7 + z * (0x1.a01a01a00db3ap-13 +
            z * (0x1.71de3a60a9f7dp-19 + z * (0x1.ae644b32db998p-26 + z * (0x1.612abe6b5d71ep-33 +
            z * (0x1.aab9951a7065bp-41 + z * 0x1.409579384599ap-48)))))));
        y = a + a * z * p;
    }
    return as_real(as_bits(y) | (ux & SIGN_MASK));
}

real FN(cosh)(real x)
{
    bits ix = as_bits(x) & MAGNITUDE_MASK;
    if (ix >= PER_WIDTH(0x42b60000u, 0x4086400000000000ul))
        return as_real(ix > INF_BITS ? ix | QUIET_BIT : INF_BITS);
    real h = FN(half_exp)(as_real(ix));
    return h + QUOTIENT(R(0.25), fmin(h, R(0x1p60)));
}

real FN(tanh)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix > INF_BITS)
        return as_real(ux | QUIET_BIT);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    real a = as_real(ix);
    real y;
    if (ix >= PER_WIDTH(0x41200000u, 0x4034000000000000ul)) { // 10 (float), 20 (double)
        y = R(1.0);
    } else if (ix >= PER_WIDTH(0x3f100000u, 0x3fe2000000000000ul)) { // 0.5625
        y = R(1.0) - QUOTIENT(R(1.0), FN(half_exp)(a + a) + R(0.5));
    } else {
        real z = a * a;
        // tanh(x) = x + x^3*p, relative error 2^-29.4 (float), 2^-59.8 (double) on [0, 0.5626]
        real p = PER_WIDTH(
            -0x1.555548p-2f + z * (0x1.110c64p-3f + z * (-0x1.b90754p-5f +
            z * (0x1.5821fap-6f - z * 0x1.94bbfap-8f))),
            -0x1.555555555554bp-2 + z * (0x1.1111111110264p-3 + z * (-0x1.ba1ba1b93237fp-5 +
            z * (0x1.664f4848a7701p-6 + z * (-0x1.226e2cef178e3p-7 + z * (0x1.d6d244e54a049p-9 +
            z * (-0x1.7d8b76ea28812p-10 + z * (0x1.345fc5567f4d9p-11 + z * (-0x1.e802280abb916p-13 +
            z * (0x1.595c1c7871616p-14 - z * 0x1.3cf4d648c9759p-16))))))))));
        y = a + a * z * p;
    }
    return as_real(as_bits(y) | (ux & SIGN_MASK));
}

real FN(asinh)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return ix > INF_BITS ? as_real(ux | QUIET_BIT) : x;
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    real a = as_real(ix);
    real y;
    if (ix >= PER_WIDTH(0x46000000u, 0x41c0000000000000ul)) { // 2^13 (float), 2^29 (double): log(2*x)
        y = FN(log)(a) + LN2;
    } else {
        real z = a * a;
        y = FN(log1p)(a + QUOTIENT(z, R(1.0) + sqrt(R(1.0) + z)));
    }
    return as_real(as_bits(y) | (ux & SIGN_MASK));
}

real FN(acosh)(real x)
{
    bits ux = as_bits(x);
    if (ux >= PER_WIDTH(0x46000000u, 0x41c0000000000000ul)) { // 2^13 (float), 2^29 (double), inf, nan, negative
        if (ux > INF_BITS)
            return as_real(NAN_BITS);
        return FN(log)(x) + LN2;
    }
    if (ux < ONE_BITS)
        return as_real(NAN_BITS);
    real t = x - R(1.0);
    return FN(log1p)(t + sqrt(t * (R(2.0) + t)));
}

real FN(atanh)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= ONE_BITS)
        return as_real(ix == ONE_BITS ? ux + PER_WIDTH(0x40000000u, 0x4000000000000000ul) : NAN_BITS);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    real a = as_real(ix);
    real y = R(0.5) * FN(log1p)(QUOTIENT(a + a, R(1.0) - a));
    return as_real(as_bits(y) | (ux & SIGN_MASK));
}
