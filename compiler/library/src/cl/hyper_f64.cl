// Hyperbolic functions of double: sinh, cosh, tanh, asinh, acosh, atanh.

double __clforge_sinh_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    double a = as_double(ix);
    double y;
    if (ix >= 0x4086400000000000ul) { // 712
        y = as_double(0x7ff0000000000000ul);
    } else if (ix >= 0x3ff0000000000000ul) {
        double h = __clforge_exp_scaled_f64(a, -1);
        y = h - 0.25 / h;
    } else {
        double z = a * a;
        // sinh(x) = x + x^3*p, relative error 2^-62.5 on [0, 1]
        double p = 0x1.5555555555555p-3 + z * (0x1.111111111117cp-7 + z * (0x1.a01a01a00db3ap-13 +
            z * (0x1.71de3a60a9f7dp-19 + z * (0x1.ae644b32db998p-26 + z * (0x1.612abe6b5d71ep-33 +
            z * (0x1.aab9951a7065bp-41 + z * 0x1.409579384599ap-48))))));
        y = a + a * z * p;
    }
    return as_double(as_ulong(y) | (ux & 0x8000000000000000ul));
}

double __clforge_cosh_f64(double x)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    if (ix >= 0x4086400000000000ul)
        return as_double(ix > 0x7ff0000000000000ul ? ix | 0x0008000000000000ul : 0x7ff0000000000000ul);
    double h = __clforge_exp_scaled_f64(as_double(ix), -1);
    return h + 0.25 / h;
}

double __clforge_tanh_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    double a = as_double(ix);
    double y;
    if (ix >= 0x4034000000000000ul) { // 20
        y = 1.0;
    } else if (ix >= 0x3fe2000000000000ul) { // 0.5625
        y = 1.0 - 1.0 / (__clforge_exp_scaled_f64(a + a, -1) + 0.5);
    } else {
        double z = a * a;
        // tanh(x) = x + x^3*p, relative error 2^-59.8 on [0, 0.5626]
        double p = -0x1.555555555554bp-2 + z * (0x1.1111111110264p-3 + z * (-0x1.ba1ba1b93237fp-5 +
            z * (0x1.664f4848a7701p-6 + z * (-0x1.226e2cef178e3p-7 + z * (0x1.d6d244e54a049p-9 +
            z * (-0x1.7d8b76ea28812p-10 + z * (0x1.345fc5567f4d9p-11 + z * (-0x1.e802280abb916p-13 +
            z * (0x1.595c1c7871616p-14 - z * 0x1.3cf4d648c9759p-16)))))))));
        y = a + a * z * p;
    }
    return as_double(as_ulong(y) | (ux & 0x8000000000000000ul));
}

double __clforge_asinh_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return ix > 0x7ff0000000000000ul ? as_double(ux | 0x0008000000000000ul) : x;
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    double a = as_double(ix);
    double y;
    if (ix >= 0x41c0000000000000ul) { // 2^29: log(2*x)
        y = __clforge_log_f64(a) + 0x1.62e42fefa39efp-1;
    } else {
        double z = a * a;
        y = __clforge_log1p_f64(a + z / (1.0 + sqrt(1.0 + z)));
    }
    return as_double(as_ulong(y) | (ux & 0x8000000000000000ul));
}

double __clforge_acosh_f64(double x)
{
    ulong ux = as_ulong(x);
    if (ux >= 0x41c0000000000000ul) { // 2^29 and more, inf, nan, negative
        if (ux > 0x7ff0000000000000ul)
            return as_double(0x7ff8000000000000ul);
        return __clforge_log_f64(x) + 0x1.62e42fefa39efp-1;
    }
    if (ux < 0x3ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    double t = x - 1.0;
    return __clforge_log1p_f64(t + sqrt(t * (2.0 + t)));
}

double __clforge_atanh_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x3ff0000000000000ul)
        return as_double(ix == 0x3ff0000000000000ul ? ux + 0x4000000000000000ul : 0x7ff8000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    double a = as_double(ix);
    double y = 0.5 * __clforge_log1p_f64((a + a) / (1.0 - a));
    return as_double(as_ulong(y) | (ux & 0x8000000000000000ul));
}
