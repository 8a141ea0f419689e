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

// -x/y, correctly rounded where y is of usual size, its significand is not the greatest one, and no result is denormal. Otherwise
// anything: who calls it tests the operands and the result.
__attribute__((always_inline)) double __clforge_negative_quotient_f64(double x, double y)
{
    uint word = as_uint2(y).y;
    // -1/y, relative error 2^-19. A negation would be an operation of its own on some devices, a bit of a constant is not.
    uint s = word & 0x001fffffu;
    uint inverse = as_uint(native_recip(as_float((s << 3) + 0x3f800000u)));
    double r = as_double((uint2)(inverse, (inverse >> 3) + 0xf7f00000u + s - word));
    double e = fma(y, r, 1.0);
    r = fma(r, fma(e, e, e), r);
    r = fma(r, fma(y, r, 1.0), r);
    double q = x * r;
    return fma(fma(y, q, x), r, q);
}

// The significand of a positive number as a double from 1 to 2, and the biased exponent: -51 and greater, of denormals too.
double __clforge_normal_significand_f64(ulong x, int *exponent)
{
    ulong m = (x & 0x000ffffffffffffful) | 0x3ff0000000000000ul;
    *exponent = (int)(x >> 52);
    if (*exponent == 0) {
        // Without denormals: the difference is x * 2^1022.
        ulong t = as_ulong(as_double(m) - 1.0);
        *exponent = (int)(t >> 52) - 1022;
        m = (t & 0x000ffffffffffffful) | 0x3ff0000000000000ul;
    }
    return as_double(m);
}

// x/y, whatever they are: by the quotient of the significands, since the driver copies this to each division.
double __clforge_rare_quotient_f64(double x, double y)
{
    ulong ux = as_ulong(x) & 0x7ffffffffffffffful, uy = as_ulong(y) & 0x7ffffffffffffffful;
    ulong sign = (as_ulong(x) ^ as_ulong(y)) & 0x8000000000000000ul;
    bool is_x_finite = ux - 1ul < 0x7feffffffffffffful, is_y_finite = uy - 1ul < 0x7feffffffffffffful; // and not 0
    if (!is_x_finite | !is_y_finite) {
        double inverse = is_y_finite ? 1.0 : uy == 0ul ? INFINITY : uy == 0x7ff0000000000000ul ? 0.0 : y;
        return as_double(sign | (is_x_finite ? 0x3ff0000000000000ul : ux)) * inverse;
    }
    int ex, ey;
    double mx = __clforge_normal_significand_f64(ux, &ex), my = __clforge_normal_significand_f64(uy, &ey);
    ulong q = as_ulong(__clforge_negative_quotient_f64(mx, my)) & 0x7ffffffffffffffful;
    // The greatest significand, 2 - 2^-52: x/2 * (1 + 2^-53 + ...) is rounded to the number after x/2.
    if (as_ulong(my) == 0x3ffffffffffffffful)
        q = as_ulong(mx) - 0x000ffffffffffffful;
    int e = (int)(q >> 52) + ex - ey;
    ulong m = q & 0x000ffffffffffffful;
    if (e > 0)
        return as_double(sign | (e < 2047 ? ((ulong)e << 52) + m : 0x7ff0000000000000ul));
    // Denormal: the significand is rounded once more. Where it seems to be half-way, the remainder decides.
    uint places = min(1u - (uint)e, 54u);
    m |= 0x0010000000000000ul;
    double remainder = fma(-as_double(q), my, mx);
    ulong middle = 1ul << (places - 1u), dropped = m & (2ul * middle - 1ul), kept = m >> places;
    bool is_up = dropped > middle | (dropped == middle & (remainder > 0.0 | (remainder == 0.0 & (kept & 1ul) != 0ul)));
    return as_double(sign | (kept + (is_up ? 1ul : 0ul)));
}

double __clforge_divide_corrected_f64(double x, double y)
{
    double q = __clforge_negative_quotient_f64(x, y);
    // Not where the reciprocal, the quotient or the last place of the remainder may be denormal, nor where an operand is not a
    // number; an overflow has become NaN. Nor where the reciprocal is half-way between two doubles but for less than it is
    // known by: that of the greatest significand.
    bool is_exact = (__clforge_size_f64(x) >= SIZE_OF_2_TO_MINUS_959) & (__clforge_size_f64(y) >= SIZE_OF_2_TO_MINUS_1015)
        & (__clforge_size_f64(q) >= SIZE_OF_2_TO_MINUS_1015) & (as_uint2(y).x != 0xffffffffu);
    uint2 quotient = as_uint2(q);
    q = as_double((uint2)(quotient.x, quotient.y ^ 0x80000000u));
    if (!is_exact)
        q = __clforge_rare_quotient_f64(x, y);
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

// sqrt(x), where x is positive and of usual size.
__attribute__((always_inline)) double __clforge_root_f64(double x)
{
    double r = __clforge_rsqrt_normal_f64(x);
    double g = x * r;
    return fma(fma(-g, g, x), 0.5 * r, g);
}

// sqrt(x), whatever it is: by the root of a number from 1 to 4.
double __clforge_rare_root_f64(double x)
{
    ulong ux = as_ulong(x);
    if (ux - 1ul >= 0x7feffffffffffffful)
        return ux > 0x8000000000000000ul ? as_double(0x7ff8000000000000ul) : x; // 0, infinity or NaN, but not negative: x
    int e;
    ulong m = as_ulong(__clforge_normal_significand_f64(ux, &e));
    int odd = ~e & 1;
    double root = __clforge_root_f64(as_double(m + ((ulong)odd << 52)));
    return as_double(as_ulong(root) + ((ulong)((e - 1023 - odd) / 2) << 52));
}

double __clforge_sqrt_corrected_f64(double x)
{
    double g = __clforge_root_f64(x);
    // Not where the last place of the remainder may be denormal, nor where x is negative or not a number.
    if (!(as_float(as_uint2(x).y) >= SIZE_OF_2_TO_MINUS_959))
        g = __clforge_rare_root_f64(x);
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
