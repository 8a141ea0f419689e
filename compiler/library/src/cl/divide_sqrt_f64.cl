// Quotients and square roots of double, correctly rounded, made of operations that every device has exactly or nearly so: in
// place of a device's own where Workarounds::NVIDIA_DOUBLE_DIVISION says that these are harmful. A result of one bit more
// than a double has is estimated in floating point, from the reciprocal or the root of a float, and put right by its remainder,
// which is so small that 64 bits of it are enough. Denormals are kept everywhere.
//
// The variants `corrected` are for devices that have an exact fused multiply-add, by which the remainder of an estimate is exact
// (P. Markstein, "Software Division and Square Root Using Goldschmidt's Algorithms", 2004).

// A float that is not denormal as a double.
double __clforge_widen_f64(float x)
{
    return as_double(((ulong)as_uint(x) << 29) + 0x3800000000000000ul);
}

// 1/m for the significand m in [1, 2) that the lower 52 bits are the fraction of; relative error 2^-21.
double __clforge_recip_estimate_f64(ulong m)
{
    return __clforge_widen_f64(native_recip(as_float(0x3f800000u | ((uint)(m >> 29) & 0x007fffffu))));
}

// m / 2^s to nearest even, where m is less than 2^54 and a fraction was cut off it if inexact.
ulong __clforge_nearest_f64(ulong m, uint s, bool inexact)
{
    ulong whole = m >> s;
    ulong rest = m & ((1ul << s) - 1ul);
    ulong half_way = 1ul << (s - 1u);
    bool up = rest > half_way || (rest == half_way && (inexact || (whole & 1ul) != 0ul));
    return whole + (up ? 1ul : 0ul);
}

double __clforge_divide_f64(double x, double y)
{
    ulong ux = as_ulong(x), uy = as_ulong(y);
    ulong sign = (ux ^ uy) & 0x8000000000000000ul;
    ulong ix = ux & 0x7ffffffffffffffful, iy = uy & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul || (ix == iy && (ix == 0ul || ix == 0x7ff0000000000000ul)))
        return as_double(0x7ff8000000000000ul);
    if (ix == 0x7ff0000000000000ul || iy == 0ul)
        return as_double(sign | 0x7ff0000000000000ul);
    if (ix == 0ul || iy == 0x7ff0000000000000ul)
        return as_double(sign);
    // significands in [2^52, 2^53)
    int ex = (int)(ix >> 52), ey = (int)(iy >> 52);
    ulong mx = (ix & 0x000ffffffffffffful) | 0x0010000000000000ul, my = (iy & 0x000ffffffffffffful) | 0x0010000000000000ul;
    if (ex == 0) {
        int n = (int)clz(ix) - 11;
        mx = ix << n;
        ex = 1 - n;
    }
    if (ey == 0) {
        int n = (int)clz(iy) - 11;
        my = iy << n;
        ey = 1 - n;
    }
    int e = ex - ey + 1023;
    if (mx < my) {
        mx <<= 1;
        e -= 1;
    }
    // the quotient is mx*2^53/my in [2^53, 2^54), and less than my remains
    double fy = as_double((my & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
    double r = __clforge_recip_estimate_f64(my);
    r += r * (1.0 - fy * r);
    r += r * (1.0 - fy * r); // relative error 2^-51
    ulong q = (ulong)((double)mx * 2.0 * r);
    long rest = (long)((mx << 53) - q * my);
    long step = (long)((double)rest * r * 0x1p-52);
    q += (ulong)step;
    rest -= step * (long)my;
    if (rest < 0) {
        q -= 1ul;
        rest += (long)my;
    }
    if (rest >= (long)my) {
        q += 1ul;
        rest -= (long)my;
    }
    if (e >= 2047)
        return as_double(sign | 0x7ff0000000000000ul);
    if (e >= 1) // the significand's first bit counts for one in the exponent, and so may a carry
        return as_double(sign | (((ulong)(e - 1) << 52) + __clforge_nearest_f64(q, 1u, rest != 0)));
    uint s = e < -53 ? 55u : (uint)(2 - e);
    return as_double(sign | __clforge_nearest_f64(q, s, rest != 0));
}

double __clforge_sqrt_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix == 0ul || ux == 0x7ff0000000000000ul)
        return x;
    if (ux > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    int e = (int)(ix >> 52);
    ulong m = (ix & 0x000ffffffffffffful) | 0x0010000000000000ul;
    if (e == 0) {
        int n = (int)clz(ix) - 11;
        m = ix << n;
        e = 1 - n;
    }
    // x is m*2^(e-1075) with m in [2^52, 2^54) and an odd e
    if ((e & 1) == 0) {
        m <<= 1;
        e -= 1;
    }
    // the root of m*2^54 in [2^53, 2^54), and at most twice as much remains
    double d = (double)m * 0x1p-52;
    double r = __clforge_widen_f64(native_rsqrt((float)(uint)(m >> 28) * 0x1p-24f));
    r += r * (0.5 - 0.5 * d * r * r);
    r += r * (0.5 - 0.5 * d * r * r);
    ulong q = (ulong)(d * r * 0x1p53);
    long rest = (long)((m << 54) - q * q);
    q += (ulong)(long)((double)rest * r * 0x1p-54);
    rest = (long)((m << 54) - q * q);
    if (rest < 0) {
        q -= 1ul;
        rest += (long)(2ul * q + 1ul);
    }
    if (rest > (long)(2ul * q)) {
        rest -= (long)(2ul * q + 1ul);
        q += 1ul;
    }
    return as_double(((ulong)((e + 1021) / 2) << 52) + __clforge_nearest_f64(q, 1u, rest != 0));
}

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

double __clforge_sqrt_corrected_f64(double x)
{
    ulong ux = as_ulong(x);
    uint ex = (uint)(ux >> 52);
    // x is d*2^(2*k) with d in [1, 4)
    ulong ud = (ux & 0x000ffffffffffffful) | ((ex & 1u) != 0u ? 0x3ff0000000000000ul : 0x4000000000000000ul);
    double d = as_double(ud);
    double r = __clforge_widen_f64(native_rsqrt(as_float((uint)(ud >> 29) - 0xc0000000u)));
    double g = d * r, h = 0.5 * r;
    double e = fma(-h, g, 0.5);
    g = fma(g, e, g);
    h = fma(h, e, h);
    e = fma(-h, g, 0.5);
    g = fma(g, e, g);
    h = fma(h, e, h);
    g = fma(fma(-g, g, d), h, g);
    if (ex - 1u < 2046u) // positive, not denormal, inf or nan
        return as_double(as_ulong(g) + ((ulong)(((ex + 1u) >> 1) - 512u) << 52));
    return __clforge_sqrt_f64(x);
}
