// Error functions of double: erf, erfc.

// erf(x) for 0 <= x <= 1.
double __clforge_erf_small_f64(double x)
{
    double z = x * x;
    // erf(x) = x + x*p, relative error 2^-56.3 on [0, 1]
    double p = 0x1.06eba8214db69p-3 + z * (-0x1.812746b037a01p-2 + z * (0x1.ce2f21a043a4bp-4 +
        z * (-0x1.b82ce312c3f19p-6 + z * (0x1.565bcd1703c1bp-8 + z * (-0x1.c02db58fba349p-11 +
        z * (0x1.f9a35700e6658p-14 + z * (-0x1.f4d650a9a51fbp-17 + z * (0x1.ba20bf6ac4727p-20 +
        z * (-0x1.61c1f963fcd7fp-23 + z * (0x1.0e569f6d4887p-26 + z * (-0x1.e0f4558a57c72p-30 +
        z * (0x1.21f753186e755p-32 - z * 0x1.0a0fda141cf0ep-35))))))))))));
    return x + x * p;
}

// erfc(x) for 1 <= x < 27.3: exp(-x^2) times a polynomial in (x-c)/(x+c) over 1 + 2*x (M. M. Shepherd,
// J. G. Laframboise, "Chebyshev Approximation of (1+2x)exp(x^2)erfc x in 0 <= x < inf", Math. Comp. 36, 1981).
double __clforge_erfc_large_f64(double x)
{
    double t = (x - 5.25) / (x + 5.25);
    // relative error 2^-54.0 on [-0.6801, 0.6777]
    double p = 0x1.36ec84441eb07p0 + t * (-0x1.0a96918fd5709p-3 + t * (0x1.9bfea5acd7afp-5 +
        t * (0x1.ebf6d33f3f3a1p-7 + t * (-0x1.d93d7894b4a7bp-5 + t * (0x1.3a2e6c3aeef91p-4 +
        t * (-0x1.37fab791a44d2p-4 + t * (0x1.0405c2846fc4bp-4 + t * (-0x1.79959bc49a251p-5 +
        t * (0x1.e3eed389e419cp-6 + t * (-0x1.1219373ac2c2ap-6 + t * (0x1.106a5ee6c5ffap-7 +
        t * (-0x1.d2a0088d3a244p-9 + t * (0x1.4bea67987926dp-10 + t * (-0x1.67b6cddba2323p-12 +
        t * (0x1.af266458e6457p-15 + t * (0x1.238ad60c1c164p-17 + t * (-0x1.1ca35ab399594p-17 +
        t * (0x1.3ccd499a480a4p-19 + t * (0x1.1559a16eb5451p-25 + t * (-0x1.f27955598a6f4p-23 +
        t * 0x1.f00d480acb931p-25))))))))))))))))))));
    p /= 1.0 + 2.0 * x;
    // x^2 = h + l, h exact
    double a = as_double(as_ulong(x) & 0xfffffffff8000000ul);
    double h = a * a;
    double l = (x - a) * (x + a);
    double k = rint(h * -0x1.71547652b82fep0);
    double r = ((-h - k * 0x1.62e42fefa3p-1) - k * 0x1.3de6af278ece6p-42) - l;
    return __clforge_scale_f64(p * __clforge_exp_kernel_f64(r), (int)k);
}

double __clforge_erf_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    double y;
    if (ix >= 0x4018000000000000ul) { // |x| >= 6
        if (ix > 0x7ff0000000000000ul)
            return as_double(ux | 0x0008000000000000ul);
        y = 1.0;
    } else if (ix >= 0x3ff0000000000000ul) {
        y = 1.0 - __clforge_erfc_large_f64(as_double(ix));
    } else if (ix < 0x3e40000000000000ul) { // |x| < 2^-27
        return x * 0x1.20dd750429b6dp0;
    } else {
        y = __clforge_erf_small_f64(as_double(ix));
    }
    return as_double(as_ulong(y) | (ux & 0x8000000000000000ul));
}

double __clforge_erfc_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x403b500000000000ul) { // |x| >= 27.3125
        if (ix > 0x7ff0000000000000ul)
            return as_double(ux | 0x0008000000000000ul);
        return ux >> 63 != 0ul ? 2.0 : 0.0;
    }
    if (ix < 0x3ff0000000000000ul) {
        double y = __clforge_erf_small_f64(as_double(ix));
        return ux >> 63 != 0ul ? 1.0 + y : 1.0 - y;
    }
    double y = __clforge_erfc_large_f64(as_double(ix));
    return ux >> 63 != 0ul ? 2.0 - y : y;
}
