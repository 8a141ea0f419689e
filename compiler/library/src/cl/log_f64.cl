// Logarithms of double: log, log2, log10, log1p, logb, ilogb. The method is that of the float versions:
// log(1+f) is c*f with a short constant c plus a correction, without tables or divisions.

// The bits of m in [sqrt(1/2), sqrt(2)) for a positive finite x, given by its bits; *k receives the exponent.
ulong __clforge_log_reduce_f64(ulong ix, int *k)
{
    int e = -1023;
    if (ix < 0x0010000000000000ul) { // denormal: normalised as an integer, as the device may flush it
        ix = as_ulong((double)ix);
        e = -1023 - 1074;
    }
    ix += 0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul;
    *k = (int)(ix >> 52) + e;
    return (ix & 0x000ffffffffffffful) + 0x3fe6a09e667f3bcdul;
}

// log of zero, a negative number, inf or nan.
double __clforge_log_special_f64(ulong ux)
{
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    if (ix == 0ul)
        return as_double(0xfff0000000000000ul);
    return as_double(ux >> 63 != 0ul ? 0x7ff8000000000000ul : ux);
}

// log(1+f) = f + f^2*p(f) for 1+f in [sqrt(1/2), sqrt(2)].
double __clforge_log_kernel_f64(double f)
{
    // relative error 2^-56.7 on [-0.2929, 0.41422]
    double p = -0x1.0000000000003p-1 + f * (0x1.555555555551cp-2 + f * (-0x1.fffffffffdeddp-3 +
        f * (0x1.99999999a17dfp-3 + f * (-0x1.55555556e294bp-3 + f * (0x1.2492492246d2cp-3 +
        f * (-0x1.fffffef69789fp-4 + f * (0x1.c71c71d7f24e1p-4 + f * (-0x1.9999c90b40161p-4 +
        f * (0x1.745d452830da9p-4 + f * (-0x1.5550744106347p-4 + f * (0x1.3b0ac88cc5512p-4 +
        f * (-0x1.24dc4c648e53ap-4 + f * (0x1.11d82b869b14cp-4 + f * (-0x1.fb6e529207861p-5 +
        f * (0x1.cfb6bcebaff9cp-5 + f * (-0x1.d15a0748e7e93p-5 + f * (0x1.0b54f855fc51fp-4 +
        f * (-0x1.eb45af0b766cbp-5 + f * 0x1.abe32783d10edp-6))))))))))))))))));
    return p;
}

double __clforge_log_f64(double x)
{
    ulong ux = as_ulong(x);
    if (ux - 1ul >= 0x7feffffffffffffful)
        return __clforge_log_special_f64(ux);
    int e;
    double f = as_double(__clforge_log_reduce_f64(ux, &e)) - 1.0;
    double k = (double)e;
    double p = __clforge_log_kernel_f64(f);
    return k * 0x1.62e42fefa3p-1 + (f + (f * f * p + k * 0x1.3de6af278ece6p-42));
}

double __clforge_log2_f64(double x)
{
    ulong ux = as_ulong(x);
    if (ux - 1ul >= 0x7feffffffffffffful)
        return __clforge_log_special_f64(ux);
    int k;
    double f = as_double(__clforge_log_reduce_f64(ux, &k)) - 1.0;
    // log2(1+f) = f + f*p, relative error 2^-55.5 on [-0.2929, 0.41422]
    double p = 0x1.c551d94ae0bf8p-2 + f * (-0x1.71547652b8304p-1 + f * (0x1.ec709dc3a0491p-2 +
        f * (-0x1.71547652b672ap-2 + f * (0x1.2776c50ef52adp-2 + f * (-0x1.ec709dc60cd5p-3 +
        f * (0x1.a61762ab17908p-3 + f * (-0x1.7154758ccb61dp-3 + f * (0x1.484b12b02914dp-3 +
        f * (-0x1.2776e73a804ap-3 + f * (0x1.0c9ac6267fad1p-3 + f * (-0x1.ec69cb4026594p-4 +
        f * (0x1.c67e6018e8adfp-4 + f * (-0x1.a67bbeb6c2771p-4 + f * (0x1.8b394c5955687p-4 +
        f * (-0x1.6e603b3556179p-4 + f * (0x1.4dd1bf788d70dp-4 + f * (-0x1.4d5f517fa55ep-4 +
        f * (0x1.82195e0e37ca2p-4 + f * (-0x1.689d2408cf63p-4 + f * 0x1.3ea721612952bp-5)))))))))))))))))));
    return (double)k + (f + f * p);
}

double __clforge_log10_f64(double x)
{
    ulong ux = as_ulong(x);
    if (ux - 1ul >= 0x7feffffffffffffful)
        return __clforge_log_special_f64(ux);
    int e;
    double f = as_double(__clforge_log_reduce_f64(ux, &e)) - 1.0;
    double k = (double)e;
    // log10(1+f) = f/2 + f*p, relative error 2^-56.3 on [-0.2929, 0.41422]
    double p = -0x1.0d213ab646bc7p-4 + f * (-0x1.bcb7b1526e515p-3 + f * (0x1.287a7636f42f7p-3 +
        f * (-0x1.bcb7b1526c427p-4 + f * (0x1.63c6277530021p-4 + f * (-0x1.287a76386c1b4p-4 +
        f * (0x1.fc3fa60ed4e77p-5 + f * (-0x1.bcb7b05d3f004p-5 + f * (0x1.8b4df355bedebp-5 +
        f * (-0x1.63c652aeb7f18p-5 + f * (0x1.436e738a70319p-5 + f * (-0x1.28760ddebea4ap-5 +
        f * (0x1.11a4acf83d436p-5 + f * (-0x1.fcc4bafeb2ac6p-6 + f * (0x1.dbb49f9cbaa34p-6 +
        f * (-0x1.b89bec0cb39d8p-6 + f * (0x1.92c0789d4ffbp-6 + f * (-0x1.94ccd52895c6ap-6 +
        f * (0x1.d0d9bbd0fba82p-6 + f * (-0x1.a9a8daa91cf03p-6 + f * 0x1.7142231a3ffbdp-7)))))))))))))))))));
    return k * 0x1.34413509f7p-2 + (0.5 * f + (f * p + k * 0x1.3fde623e2566bp-43));
}

double __clforge_log1p_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix < 0x3ca0000000000000ul) // |x| < 2^-53: x itself, which keeps zeros and denormals
        return x;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    if (ux >= 0xbff0000000000000ul) // x <= -1
        return as_double(ux == 0xbff0000000000000ul ? 0xfff0000000000000ul : 0x7ff8000000000000ul);
    if (ux == 0x7ff0000000000000ul)
        return x;
    double u = 1.0 + x;
    double c = ix < 0x3ff0000000000000ul ? x - (u - 1.0) : 1.0 - (u - x); // what 1 + x lost
    int e;
    double f = as_double(__clforge_log_reduce_f64(as_ulong(u), &e)) - 1.0;
    double k = (double)e;
    // the correction, scaled as f is; below any place of the result when e is large
    c = c * (e > 1000 ? 0.0 : as_double((ulong)(1023 - e) << 52));
    if (e == 0) {
        c = 0.0;
        f = x;
    }
    double p = __clforge_log_kernel_f64(f);
    // log(1+f+c) = log(1+f) + c/(1+f)
    double t = f * f * p + (c - c * f) + k * 0x1.3de6af278ece6p-42;
    return k * 0x1.62e42fefa3p-1 + (f + t);
}

double __clforge_logb_f64(double x)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix > 0x7ff0000000000000ul ? ix | 0x0008000000000000ul : ix);
    if (ix == 0ul)
        return as_double(0xfff0000000000000ul);
    if (ix < 0x0010000000000000ul)
        return (double)(-1011 - (int)clz(ix));
    return (double)((int)(ix >> 52) - 1023);
}

// FP_ILOGB0 is INT_MIN, FP_ILOGBNAN is INT_MAX.
int __clforge_ilogb_f64(double x)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return 0x7fffffff;
    if (ix == 0ul)
        return (int)0x80000000u;
    if (ix < 0x0010000000000000ul)
        return -1011 - (int)clz(ix);
    return (int)(ix >> 52) - 1023;
}
