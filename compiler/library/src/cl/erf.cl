// Error functions of float and double: erf, erfc.
//
// Near zero a minimax polynomial; above 1, erf is 1 - 2^q with a minimax polynomial q, and erfc is by Shepherd and Laframboise
// (below), with x^2 as an exact sum.
//
// Greatest measured errors in ulp (float / double where they differ): erf 1.4 / 3.8, erfc 4.1 / 4.4.

// erf(x) for 0 <= x <= 1.
real FN(erf_small)(real x)
{
    real z = x * x;
    // erf(x) = x + x*p, relative error 2^-29.3 (float), 2^-56.3 (double) on [0, 1]
    real p = PER_WIDTH(
        0x1.06eba8p-3f + z * (-0x1.81273ep-2f + z * (0x1.ce2cf2p-4f + z * (-0x1.b7f88cp-6f +
        z * (0x1.540172p-8f + z * (-0x1.a3d812p-11f + z * 0x1.4917a4p-14f))))),
        0x1.06eba8214db69p-3 + z * (-0x1.812746b037a01p-2 + z * (0x1.ce2f21a043a4bp-4 +
        z * (-0x1.b82ce312c3f19p-6 + z * (0x1.565bcd1703c1bp-8 + z * (-0x1.c02db58fba349p-11 +
        z * (0x1.f9a35700e6658p-14 + z * (-0x1.f4d650a9a51fbp-17 + z * (0x1.ba20bf6ac4727p-20 +
        z * (-0x1.61c1f963fcd7fp-23 + z * (0x1.0e569f6d4887p-26 + z * (-0x1.e0f4558a57c72p-30 +
        z * (0x1.21f753186e755p-32 - z * 0x1.0a0fda141cf0ep-35)))))))))))));
    return x + x * p;
}

// erfc(x) for 1/2 <= x < 10.2 (float), 1 <= x < 27.3 (double): exp(-x^2) times a polynomial in (x-c)/(x+c) over 1 + 2*x
// (M. M. Shepherd, J. G. Laframboise, "Chebyshev Approximation of (1+2x)exp(x^2)erfc x in 0 <= x < inf", Math. Comp.
// 36, 1981).
real FN(erfc_large)(real x)
{
    real t = QUOTIENT(x - PER_WIDTH(2.25f, 5.25), x + PER_WIDTH(2.25f, 5.25));
    // relative error 2^-24.3 on [-0.6364, 0.6387] (float), 2^-54.0 on [-0.6801, 0.6777] (double)
    real p = PER_WIDTH(
        0x1.455efp0f + t * (-0x1.c39bc2p-4f + t * (-0x1.0bd608p-3f + t * (0x1.527808p-3f +
        t * (-0x1.54828cp-4f + t * (0x1.737ce4p-7f + t * (0x1.07c958p-7f +
        t * (-0x1.2952fep-9f - t * 0x1.02318ep-10f))))))),
        0x1.36ec84441eb07p0 + t * (-0x1.0a96918fd5709p-3 + t * (0x1.9bfea5acd7afp-5 +
        t * (0x1.ebf6d33f3f3a1p-7 + t * (-0x1.d93d7894b4a7bp-5 + t * (0x1.3a2e6c3aeef91p-4 +
        t * (-0x1.37fab791a44d2p-4 + t * (0x1.0405c2846fc4bp-4 + t * (-0x1.79959bc49a251p-5 +
        t * (0x1.e3eed389e419cp-6 + t * (-0x1.1219373ac2c2ap-6 + t * (0x1.106a5ee6c5ffap-7 +
        t * (-0x1.d2a0088d3a244p-9 + t * (0x1.4bea67987926dp-10 + t * (-0x1.67b6cddba2323p-12 +
        t * (0x1.af266458e6457p-15 + t * (0x1.238ad60c1c164p-17 + t * (-0x1.1ca35ab399594p-17 +
        t * (0x1.3ccd499a480a4p-19 + t * (0x1.1559a16eb5451p-25 + t * (-0x1.f27955598a6f4p-23 +
        t * 0x1.f00d480acb931p-25)))))))))))))))))))));
    p = QUOTIENT(p, R(1.0) + R(2.0) * x);
    // x^2 = h + l, h exact
    real a = as_real(as_bits(x) & HEAD_MASK);
    real h = a * a;
    real l = (x - a) * (x + a);
    real k = rint(h * -LOG2_E);
    real r = ((-h - k * LN2_HIGH) - k * LN2_LOW) - l;
    return FN(scale)(p * FN(exp_kernel)(r), (int)k);
}

// log2(erfc(x)) for 1 <= x <= 4 (float), 6 (double), so precise that erf(x) has a relative error of 2^-25.9 (float), 2^-52.4
// (double).
real FN(erf_exponent)(real x)
{
    real u = PER_WIDTH(x, x - 2.75);
    return PER_WIDTH(
        -0x1.ed994ap-9f + u * (-0x1.9cc834p0f + u * (-0x1.e33b4cp-1f + u * (-0x1.067266p-3f +
        u * (0x1.5ec616p-6f - u * 0x1.b60894p-10f)))),
        -0x1.a8ebaa4b17017p3 + u * (-0x1.0cfd4076c8563p3 + u * (-0x1.5f56b2d1506cbp0 +
        u * (-0x1.a65017a4e1cb9p-7 + u * (0x1.4269d2d334132p-9 + u * (-0x1.e5153a0614ed1p-12 +
        u * (0x1.5c80a06db2ea5p-14 + u * (-0x1.cffb7bfac8c3bp-17 + u * (0x1.0f1b14434872dp-19 +
        u * (-0x1.ef8b9f2deb32ap-23 + u * (0x1.f984e354fb7c2p-27 + u * (0x1.44e28aa8bb4eep-27 +
        u * (-0x1.2b83f23ee0e06p-29 + u * (-0x1.3f036e33acbefp-31 + u * (-0x1.6da4670c06fbdp-31 -
        u * 0x1.bc84213d28062p-35)))))))))))))));
}

// erf(x) for 1 <= x < 4 (float), 6 (double).
real FN(erf_large)(real x)
{
    real q = FN(erf_exponent)(x);
    // the sum rounds to an integer, whose low bits are the last bits of the sum
    real t = q + ROUNDING_SUM;
    real k = t - ROUNDING_SUM;
    bits y = as_bits(FN(exp2_kernel)(q - k)) + (as_bits(t) << FRACTION_WIDTH);
    return R(1.0) - as_real(y);
}

real FN(erf)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    real y;
    if (ix >= PER_WIDTH(0x40800000u, 0x4018000000000000ul)) { // |x| >= 4 (float), 6 (double)
        if (ix > INF_BITS)
            return as_real(ux | QUIET_BIT);
        y = R(1.0);
    } else if (ix >= ONE_BITS) {
        y = FN(erf_large)(as_real(ix));
    } else if (ix < PER_WIDTH(0x38000000u, 0x3e40000000000000ul)) { // |x| < 2^-15 (float), 2^-27 (double)
        // without the small terms, which the device may flush
        return x * PER_WIDTH(0x1.20dd76p0f, 0x1.20dd750429b6dp0);
    } else {
        y = FN(erf_small)(as_real(ix));
    }
    return as_real(as_bits(y) | (ux & SIGN_MASK));
}

real FN(erfc)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= PER_WIDTH(0x41230000u, 0x403b500000000000ul)) { // |x| >= 10.1875 (float), 27.3125 (double)
        if (ix > INF_BITS)
            return as_real(ux | QUIET_BIT);
        return ux >> SIGN_POSITION != B(0) ? R(2.0) : R(0.0);
    }
    if (ix < PER_WIDTH(0x3f000000u, 0x3ff0000000000000ul)) {
        real y = FN(erf_small)(as_real(ix));
        return ux >> SIGN_POSITION != B(0) ? R(1.0) + y : R(1.0) - y;
    }
    real y = FN(erfc_large)(as_real(ix));
    return ux >> SIGN_POSITION != B(0) ? R(2.0) - y : y;
}
