// Quotients and square roots of double, correctly rounded, and reciprocal square roots, for devices that have an exact fused multiply-add, by which the
// remainder of an estimate is exact (P. Markstein, "Software Division and Square Root Using Goldschmidt's Algorithms", 2004).

double __clforge_divide_corrected_f64(double x, double y)
{
    ulong ux = as_ulong(x), uy = as_ulong(y);
    double a = as_double((ux & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
    double b = as_double((uy & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
    double r = __clforge_recip_estimate_f64(uy);
    double e = fma(-b, r, 1.0);
    r = fma(r, fma(e, e, e), r);
    r = fma(r, fma(-b, r, 1.0), r);
    double q = a * r;
    q = fma(fma(-b, q, a), r, q);
    uint ex = (uint)(ux >> 52) & 0x7ffu, ey = (uint)(uy >> 52) & 0x7ffu;
    uint scale = ex - ey;
    // Not where an operand is zero, denormal, inf or nan, or the result may be; nor where the reciprocal is half-way between
    // two doubles but for less than it is known by: that of the greatest significand.
    if (ex - 1u < 2046u && ey - 1u < 2046u && scale + 1021u < 2045u && (uint)uy != 0xffffffffu)
        return as_double((as_ulong(q) + ((ulong)scale << 52)) | ((ux ^ uy) & 0x8000000000000000ul));
    return __clforge_divide_f64(x, y);
}

// d in [1, 4) where a number with these bits, positive and normal, is d*2^(2*k).
double __clforge_root_significand_f64(ulong ux)
{
    bool odd = (ux & 0x0010000000000000ul) != 0ul;
    return as_double((ux & 0x000ffffffffffffful) | (odd ? 0x3ff0000000000000ul : 0x4000000000000000ul));
}

// k, in the place of an exponent, where ex is the biased exponent of d*2^(2*k).
ulong __clforge_root_exponent_f64(uint ex)
{
    return (ulong)(((ex + 1u) >> 1) - 512u) << 52;
}

// 1/sqrt(d) for d in [1, 4); relative error 2^-21.
double __clforge_rsqrt_estimate_f64(double d)
{
    return __clforge_widen_f64(native_rsqrt(as_float((uint)(as_ulong(d) >> 29) - 0xc0000000u)));
}

double __clforge_sqrt_corrected_f64(double x)
{
    ulong ux = as_ulong(x);
    uint ex = (uint)(ux >> 52);
    double d = __clforge_root_significand_f64(ux);
    double r = __clforge_rsqrt_estimate_f64(d);
    double g = d * r, h = 0.5 * r;
    double e = fma(-h, g, 0.5);
    g = fma(g, e, g);
    h = fma(h, e, h);
    e = fma(-h, g, 0.5);
    g = fma(g, e, g);
    h = fma(h, e, h);
    g = fma(fma(-g, g, d), h, g);
    if (ex - 1u < 2046u) // positive, not denormal, inf or nan
        return as_double(as_ulong(g) + __clforge_root_exponent_f64(ex));
    return __clforge_sqrt_f64(x);
}

// 1/sqrt(x), in place of the quotient: error 1 ulp.
double __clforge_rsqrt_fused_f64(double x)
{
    bool denormal = as_ulong(x) - 1ul < 0x000ffffffffffffful;
    x = denormal ? x * 0x1p108 : x;
    ulong ux = as_ulong(x);
    uint ex = (uint)(ux >> 52);
    double d = __clforge_root_significand_f64(ux);
    double r = __clforge_rsqrt_estimate_f64(d);
    // (1 - e)^(-1/2) = 1 + e/2 + 3/8*e^2 + ..., e is 2^-20
    double e = fma(-(d * r), r, 1.0);
    r = fma(r * e, fma(0.375, e, 0.5), r);
    r = as_double(as_ulong(r) - __clforge_root_exponent_f64(ex));
    if (ex - 1u < 2046u) // positive, not inf or nan
        return denormal ? r * 0x1p54 : r;
    if ((ux & 0x7ffffffffffffffful) == 0ul)
        return as_double(ux | 0x7ff0000000000000ul);
    return ux == 0x7ff0000000000000ul ? 0.0 : as_double(0x7ff8000000000000ul);
}
