// Exponentials of double: exp, exp2, exp10, expm1. The method is that of the float versions: a two-part
// reduction (Cody and Waite, 1980) and a minimax polynomial.

// y * 2^k for |y| in [2^-20, 2] and |k| <= 2000; a denormal result is rounded once.
double __clforge_scale_f64(double y, int k)
{
    int h = k >> 1;
    return y * as_double((ulong)(h + 1023) << 52) * as_double((ulong)(k - h + 1023) << 52);
}

// exp(r) for |r| <= 0.3475.
double __clforge_exp_kernel_f64(double r)
{
    // exp(r) = 1 + r + r^2*p, relative error 2^-57.9 on [-0.3475, 0.3475]
    double p = 0x1.000000000000ap-1 + r * (0x1.55555555554f9p-3 + r * (0x1.5555555550629p-5 +
        r * (0x1.1111111127d09p-7 + r * (0x1.6c16c184a9d23p-10 + r * (0x1.a01a012aa8e77p-13 +
        r * (0x1.a01998b27e796p-16 + r * (0x1.71df22fd74365p-19 + r * (0x1.28aeb476caa8dp-22 +
        r * 0x1.ad85bb7fcf4dap-26))))))));
    return 1.0 + (r + r * r * p);
}

// 2^n*exp(x) for |x| < 750 and |n| <= 80.
double __clforge_exp_scaled_f64(double x, int n)
{
    double k = rint(x * 0x1.71547652b82fep0);
    // the high part has 41 bits, so k times it is exact
    double r = (x - k * 0x1.62e42fefa3p-1) - k * 0x1.3de6af278ece6p-42;
    return __clforge_scale_f64(__clforge_exp_kernel_f64(r), (int)k + n);
}

// The result for an argument beyond overflow and underflow, inf or nan.
double __clforge_exp_special_f64(ulong ux)
{
    if ((ux & 0x7ffffffffffffffful) > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    return ux >> 63 != 0ul ? 0.0 : as_double(0x7ff0000000000000ul);
}

double __clforge_exp_f64(double x)
{
    ulong ux = as_ulong(x);
    if ((ux & 0x7ffffffffffffffful) >= 0x4087500000000000ul) // |x| >= 746
        return __clforge_exp_special_f64(ux);
    return __clforge_exp_scaled_f64(x, 0);
}

double __clforge_exp2_f64(double x)
{
    ulong ux = as_ulong(x);
    if ((ux & 0x7ffffffffffffffful) >= 0x4090d00000000000ul) // |x| >= 1076
        return __clforge_exp_special_f64(ux);
    double k = rint(x);
    double r = x - k;
    // 2^r = 1 + r*p, relative error 2^-57.3 on [-0.501, 0.501]
    double p = 0x1.62e42fefa39efp-1 + r * (0x1.ebfbdff82c5a6p-3 + r * (0x1.c6b08d704a128p-5 +
        r * (0x1.3b2ab6fb9fd4bp-7 + r * (0x1.5d87fe789f8c1p-10 + r * (0x1.4309130f8b404p-13 +
        r * (0x1.ffcbfc61b2e73p-17 + r * (0x1.62bfc5f526e95p-20 + r * (0x1.b5252c940fc5p-24 +
        r * (0x1.e61e117ea7f08p-28 + r * 0x1.e9650ee6e54fap-32)))))))));
    return __clforge_scale_f64(1.0 + r * p, (int)k);
}

double __clforge_exp10_f64(double x)
{
    ulong ux = as_ulong(x);
    if ((ux & 0x7ffffffffffffffful) >= 0x4074400000000000ul) // |x| >= 324
        return __clforge_exp_special_f64(ux);
    double k = rint(x * 0x1.a934f0979a371p1);
    double r = (x - k * 0x1.34413509f7p-2) - k * 0x1.3fde623e2566bp-43;
    // 10^r = 1 + r*p, relative error 2^-57.3 on [-0.151, 0.151]
    double p = 0x1.26bb1bbb55516p1 + r * (0x1.53524c73cea77p1 + r * (0x1.0470591de2b46p1 +
        r * (0x1.2bd7609fd4fd1p0 + r * (0x1.1429ffd220368p-1 + r * (0x1.a7ed70a1e58a8p-3 +
        r * (0x1.16e4dee99dddfp-4 + r * (0x1.41165e2e66642p-6 + r * (0x1.4899e45e5b657p-8 +
        r * (0x1.2f74d23614536p-10 + r * 0x1.f7649f45b95a2p-13)))))))));
    return __clforge_scale_f64(1.0 + r * p, (int)k);
}

double __clforge_expm1_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix < 0x3c90000000000000ul) // |x| < 2^-54: x itself, which keeps zeros and denormals
        return x;
    if (ix >= 0x4087500000000000ul) { // |x| >= 746
        if (ix > 0x7ff0000000000000ul)
            return as_double(ux | 0x0008000000000000ul);
        return ux >> 63 != 0ul ? -1.0 : as_double(0x7ff0000000000000ul);
    }
    if (ux >= 0xc043000000000000ul) // x <= -38
        return -1.0;
    double k = rint(x * 0x1.71547652b82fep0);
    double h = x - k * 0x1.62e42fefa3p-1;
    double w = k * 0x1.3de6af278ece6p-42;
    double r = h - w;
    double c = (h - r) - w; // what r lost
    // exp(r) - 1 = r + r^2*p, relative error 2^-61.5 on [-0.3475, 0.3475]
    double p = 0x1p-1 + r * (0x1.5555555555559p-3 + r * (0x1.555555555554dp-5 + r * (0x1.111111110f63p-7 +
        r * (0x1.6c16c16c1ab0fp-10 + r * (0x1.a01a01b01d04ep-13 + r * (0x1.a01a018e13ff5p-16 +
        r * (0x1.71ddf7b89d47p-19 + r * (0x1.27e51301d4d1ap-22 + r * (0x1.af5fe54c0043ep-26 +
        r * 0x1.1f1aea4eade75p-29)))))))));
    double q = r * r * p + (c + c * r);
    if (k == 0.0)
        return r + q;
    int n = (int)k;
    if (n >= 55) // 1 is below the last place
        return __clforge_scale_f64(1.0 + (r + q), n);
    // 2^n*(exp(r) - 2^-n)
    double m = as_double((ulong)(1023 - n) << 52);
    double s = as_double((ulong)(1023 + n) << 52);
    return n < 0 ? s * (r + q) - (1.0 - s) : s * ((1.0 - m) + (r + q));
}
