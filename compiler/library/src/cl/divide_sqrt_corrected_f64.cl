// Quotients and square roots of double, correctly rounded, and reciprocal square roots, for devices that have an exact fused
// multiply-add, by which the remainder of an estimate is exact (P. Markstein, "Software Division and Square Root Using
// Goldschmidt's Algorithms", 2004).
// The estimates are of float. The upper word of a double without its upper exponent bits, s, is moved to the place of a float's
// fraction and exponent; the exponent bits left out, word - s, are subtracted from the result's. Its lower word may be anything.

// The upper word as a float, without its sign. Its exponent is the upper 8 bits of the double's 11, so that one comparison tells
// numbers of usual size from zeros and denormals, and from infinities and NaNs, which are NaNs of float too.
float __clforge_size_f64(double x)
{
    return fabs(as_float(as_uint2(x).y));
}
#define SIZE_OF_2_TO_MINUS_1015 0x1p-126f
#define SIZE_OF_2_TO_MINUS_959 0x1p-119f

double __clforge_divide_corrected_f64(double x, double y)
{
    uint2 words = as_uint2(y);
    // -1/y, relative error 2^-19. A negation would be an operation of its own on some devices, a bit of a constant is not.
    uint s = words.y & 0x001fffffu;
    uint inverse = as_uint(native_recip(as_float((s << 3) + 0x3f800000u)));
    double r = as_double((uint2)(inverse, (inverse >> 3) + 0xf7f00000u + s - words.y));
    double e = fma(y, r, 1.0);
    r = fma(r, fma(e, e, e), r);
    r = fma(r, fma(y, r, 1.0), r);
    double q = x * r;
    q = fma(fma(y, q, x), r, q);
    // Not where the reciprocal, the quotient or the last place of the remainder may be denormal, nor where an operand is not a
    // number; an overflow has become NaN. Nor where the reciprocal is half-way between two doubles but for less than it is
    // known by: that of the greatest significand.
    bool is_exact = (__clforge_size_f64(x) >= SIZE_OF_2_TO_MINUS_959) & (__clforge_size_f64(y) >= SIZE_OF_2_TO_MINUS_1015)
        & (__clforge_size_f64(q) >= SIZE_OF_2_TO_MINUS_1015) & (words.x != 0xffffffffu);
    uint2 quotient = as_uint2(q);
    q = as_double((uint2)(quotient.x, quotient.y ^ 0x80000000u));
    if (!is_exact)
        q = __clforge_divide_f64(x, y);
    return q;
}

// 1/sqrt(x), where x is positive and normal; error 0.9 ulp.
double __clforge_rsqrt_normal_f64(double x)
{
    uint word = as_uint2(x).y;
    // With two bits of the exponent the significand is in [1/2, 8); the others are halved. Relative error 2^-19.
    uint s = word & 0x003fffffu;
    uint root = as_uint(native_rsqrt(as_float((s << 3) + 0x3f000000u)));
    double r = as_double((uint2)(root, ((root >> 2) + 0xafe00000u + s - word) >> 1));
    // (1 + e)^(-1/2) = 1 - e/2 + 3/8*e^2 - ...
    double e = fma(x, r * r, -1.0);
    return fma(r * e, fma(0.375, e, -0.5), r);
}

double __clforge_sqrt_corrected_f64(double x)
{
    double r = __clforge_rsqrt_normal_f64(x);
    double g = x * r;
    g = fma(fma(-g, g, x), 0.5 * r, g);
    // Not where the last place of the remainder may be denormal, nor where x is negative or not a number.
    if (!(as_float(as_uint2(x).y) >= SIZE_OF_2_TO_MINUS_959))
        g = __clforge_sqrt_f64(x);
    return g;
}

// 1/sqrt(x), in place of the quotient.
double __clforge_rsqrt_fused_f64(double x)
{
    double r = __clforge_rsqrt_normal_f64(x);
    if (as_float(as_uint2(x).y) >= SIZE_OF_2_TO_MINUS_1015)
        return r;
    ulong ux = as_ulong(x);
    if ((ux & 0x7ffffffffffffffful) == 0ul)
        return as_double(ux | 0x7ff0000000000000ul);
    if (ux < 0x7ff0000000000000ul) // positive: denormal or great
        return __clforge_rsqrt_normal_f64(x * (x < 1.0 ? 0x1p108 : 0x1p-108)) * (x < 1.0 ? 0x1p54 : 0x1p-54);
    return ux == 0x7ff0000000000000ul ? 0.0 : as_double(0x7ff8000000000000ul);
}
