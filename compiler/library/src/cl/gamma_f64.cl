// Gamma functions of double: tgamma, lgamma, lgamma_r.
//
// Stirling's series above 16 (lgamma: 8), the recurrence to [1, 2] below, the reflection formula for negative arguments (NIST
// Digital Library of Mathematical Functions, 5.5 and 5.11). Separate from the float version, since the series have more terms and
// are precise enough only above 8.
//
// Greatest measured error in ulp: tgamma 6.0. lgamma has no limit; it is worst near its zeros.

// 1/gamma(1+t) for 0 <= t <= 1, a function without poles.
double __clforge_rgamma1p_f64(double t)
{
    // relative error 2^-57.4 on [0, 1]
    return 0x1p0 + t * (0x1.2788cfc6fb619p-1 + t * (-0x1.4fcf4026afa36p-1 + t * (-0x1.5815e8fa256c3p-5 +
        t * (0x1.5512320b3aa97p-3 + t * (-0x1.59af103a3d1d1p-5 + t * (-0x1.3b4af2c8a10d6p-7 +
        t * (0x1.d919c8518c817p-8 + t * (-0x1.31714882d0339p-10 + t * (-0x1.c35fc4b805c6dp-13 +
        t * (0x1.0c7e5a4aedb17p-13 + t * (-0x1.5125dac92570dp-16 + t * (-0x1.5d6ddf1f51804p-20 +
        t * (0x1.3d7a1471b6be2p-20 + t * (-0x1.0284ac6cc66d6p-22 + t * (0x1.96b1819cac207p-26 -
        t * 0x1.dc4425098df65p-31)))))))))))))));
}

// gamma(x) for 2^-60 < x < 16: (x-1)*(x-2)*...*(1+t)*gamma(1+t), or gamma(1+t)/x for x < 1.
double __clforge_gamma_small_f64(double x)
{
    double t = x;
    double p = 1.0;
    while (t >= 2.0) {
        t -= 1.0;
        p *= t;
    }
    bool small = x < 1.0;
    double d = __clforge_rgamma1p_f64(small ? t : t - 1.0);
    return p / (small ? d * x : d);
}

// gamma(x) = y*2^(*n) for 2^-60 < x < 190.
double __clforge_gamma_positive_f64(double x, int *n)
{
    *n = 0;
    if (x < 16.0)
        return __clforge_gamma_small_f64(x);
    // sqrt(2*pi)*x^(x-1/2)*exp(-x)*(1 + s(1/x)), the powers as a power of two with a pair of doubles
    double ll;
    double lh = __clforge_log2_pair_f64(as_ulong(x), &ll);
    double y = x - 0.5;
    double yh = __clforge_head_f64(y);
    double yl = y - yh;
    double xh = __clforge_head_f64(x);
    double xl = x - xh;
    // log2(e) = 0x1.715476p0 + 0x1.4ae0bf85ddf44p-26
    double p = yh * lh;
    double q = xh * 0x1.715476p0;
    double d = p - q; // p > q
    double e = (p - (d + q)) + ((yh * ll + yl * (lh + ll)) - (xl * 0x1.715476p0 + x * 0x1.4ae0bf85ddf44p-26));
    double k = rint(d + e);
    double r = (d - k) + e;
    // 2^r = 1 + r*g, relative error 2^-57.3 on [-0.501, 0.501]
    double g = 0x1.62e42fefa39efp-1 + r * (0x1.ebfbdff82c5a6p-3 + r * (0x1.c6b08d704a128p-5 +
        r * (0x1.3b2ab6fb9fd4bp-7 + r * (0x1.5d87fe789f8c1p-10 + r * (0x1.4309130f8b404p-13 +
        r * (0x1.ffcbfc61b2e73p-17 + r * (0x1.62bfc5f526e95p-20 + r * (0x1.b5252c940fc5p-24 +
        r * (0x1.e61e117ea7f08p-28 + r * 0x1.e9650ee6e54fap-32)))))))));
    double v = 1.0 / x;
    // sqrt(2*pi)*(1 + s(v)), relative error 2^-57.8 on [0.005, 0.1251]
    double s = 0x1.40d931ff62706p1 + v * (0x1.abcc42a9d7fd7p-3 + v * (0x1.1d32d720f7d23p-7 +
        v * (-0x1.b8793280e198ep-8 + v * (-0x1.2d8ed4f9eb4adp-11 + v * (0x1.0183cd631380dp-9 +
        v * (0x1.8260b200062b4p-13 + v * (-0x1.9d39e647f9851p-10 + v * (0x1.a9e7a99209a4fp-12 +
        v * (0x1.0e96ac3286a99p-11 + v * 0x1.13a9aef71c9f1p-10)))))))));
    *n = (int)k;
    return s * (1.0 + r * g);
}

// y*2^n; a denormal result is rounded once.
double __clforge_gamma_scale_f64(double y, int n)
{
    int h = n >> 1;
    return y * as_double((ulong)(h + 1023) << 52) * as_double((ulong)(n - h + 1023) << 52);
}

// tgamma of what is not in [2^-54, 16).
double __clforge_tgamma_unusual_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul || ux == 0xfff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    if (ix < 0x3c90000000000000ul) { // |x| < 2^-54: 1/x
        if (ix < 0x0004000000000000ul)
            return as_double((ux & 0x8000000000000000ul) | 0x7ff0000000000000ul);
        return 1.0 / x;
    }
    int n;
    if (ux < 0x8000000000000000ul) {
        if (ix >= 0x4065800000000000ul) // 172
            return as_double(0x7ff0000000000000ul);
        double y = __clforge_gamma_positive_f64(x, &n);
        return __clforge_gamma_scale_f64(y, n);
    }
    double a = as_double(ix);
    if (a == floor(a))
        return as_double(0x7ff8000000000000ul);
    if (ix >= 0x4067000000000000ul) // 184
        return as_double(((ulong)(long)a & 1ul) == 0ul ? 0x8000000000000000ul : 0ul);
    // pi/(x*sin(pi*x)*gamma(-x))
    double y = __clforge_gamma_positive_f64(a, &n);
    y = 0x1.921fb54442d18p1 / (y * (a * __clforge_sinpi_f64(a)));
    return -__clforge_gamma_scale_f64(y, -n);
}

double __clforge_tgamma_f64(double x)
{
    if (as_ulong(x) - 0x3c90000000000000ul < 0x4030000000000000ul - 0x3c90000000000000ul)
        return __clforge_gamma_small_f64(x);
    return __clforge_tgamma_unusual_f64(x);
}

// log(gamma(x)) for x >= 2^-54.
double __clforge_lgamma_positive_f64(double x)
{
    if (x < 8.0) {
        double t = x < 1.0 ? x : x - 1.0;
        double c = 1.0;
        while (t >= 1.0) {
            c *= t;
            t -= 1.0;
        }
        // log(gamma(1+t)) = t*(1-t)*p, relative error 2^-54.1 on [0, 1]
        double p = -0x1.2788cfc6fb619p-1 + t * (0x1.f6465978d4502p-3 + t * (-0x1.3e5452046d87bp-3 +
            t * (0x1.d7a3e69f8afefp-4 + t * (-0x1.79cf9b317b8a6p-4 + t * (0x1.3cb1e5c56cb8bp-4 +
            t * (-0x1.1154584ff891bp-4 + t * (0x1.e1723e208fbb4p-5 + t * (-0x1.ae266c07a1ac3p-5 +
            t * (0x1.839ec4d444e17p-5 + t * (-0x1.5cd144d6fd937p-5 + t * (0x1.337d7ca5b1fc3p-5 +
            t * (-0x1.01344c34c975p-5 + t * (0x1.873c3fca42ef6p-6 + t * (-0x1.01b238605d53fp-6 +
            t * (0x1.171aefbd93d3ap-7 + t * (-0x1.d4eb6cfa6dfdfp-9 + t * (0x1.1b2332ade136bp-10 +
            t * (-0x1.b1e1a65fe7832p-13 + t * 0x1.3b2fdf5f80794p-16))))))))))))))))));
        p *= t * (1.0 - t);
        if (x < 1.0)
            return p - __clforge_log_f64(x);
        if (x < 2.0)
            return t == 0.0 ? 0.0 : p;
        return p + __clforge_log_f64(c);
    }
    double v = 1.0 / x;
    // relative error 2^-53.3 on [0, 0.1251]
    double s = 0x1.acfe390c97d6ap-2 + v * (0x1.55555555549c8p-4 + v * (0x1.2bced980a247ep-37 +
        v * (-0x1.6c16c774ef55bp-9 + v * (0x1.f966ee485363dp-26 + v * (0x1.9fbc14bb7305cp-11 +
        v * (0x1.4c9783c081845p-17 + v * (-0x1.63e085136662cp-11 + v * 0x1.9d75d3c4c02edp-12)))))));
    return (x - 0.5) * (__clforge_log_f64(x) - 1.0) + s;
}

double __clforge_lgamma_r_f64(double x, int *sign)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    *sign = 1;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix > 0x7ff0000000000000ul ? ux | 0x0008000000000000ul : ix);
    double a = as_double(ix);
    if (ux >> 63 != 0ul || ix == 0ul) {
        if (ix == 0ul || ix >= 0x4330000000000000ul || (ix >= 0x3ff0000000000000ul && a == floor(a))) {
            *sign = 0;
            return as_double(0x7ff0000000000000ul);
        }
        *sign = ((ulong)(long)a & 1ul) == 0ul ? -1 : 1;
    }
    if (ix < 0x3c90000000000000ul) // |x| < 2^-54
        return -__clforge_log_f64(a);
    double y = __clforge_lgamma_positive_f64(a);
    if (ux >> 63 != 0ul)
        y = __clforge_log_f64(0x1.921fb54442d18p1 / (a * fabs(__clforge_sinpi_f64(a)))) - y;
    return y;
}

double __clforge_lgamma_f64(double x)
{
    int sign;
    return __clforge_lgamma_r_f64(x, &sign);
}
