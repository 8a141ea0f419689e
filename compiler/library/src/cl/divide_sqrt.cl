// Quotients and square roots of float and double, correctly rounded whatever the device's own are worth: of float for
// -cl-fp32-correctly-rounded-divide-sqrt, of double with Workarounds::NVIDIA_DOUBLE_DIVIDE_SQRT.
// A result of one bit more than the type has is estimated in floating point, from a reciprocal or a root of float, and put right
// by its remainder, which is so small that the integer of the type's width holds it. Denormals are kept everywhere.

#if WIDTH == 64
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
#endif

// 1/m for a significand m with its hidden bit, an integer; relative error 2.5 * 2^-23 (float), 2^-51 (double).
real FN(recip_significand)(bits m)
{
#if WIDTH == 32
    return native_recip((float)m);
#else
    double y = as_double((m & FRACTION_MASK) | ONE_BITS);
    double r = __clforge_recip_estimate_f64(m);
    r += r * (1.0 - y * r);
    return (r + r * (1.0 - y * r)) * 0x1p-52;
#endif
}

// 1/sqrt(m) for m in [1, 4), which d is, rounded to float; relative error 2 * 2^-23 (float), 2^-51 (double).
real FN(rsqrt_significand)(real m, float d)
{
    real r = PER_WIDTH(native_rsqrt(d), __clforge_widen_f64(native_rsqrt(d)));
#if WIDTH == 64
    r += r * (0.5 - 0.5 * m * r * r);
    r += r * (0.5 - 0.5 * m * r * r);
#endif
    return r;
}

// m / 2^s to nearest even, where m has one bit more than a significand and a fraction was cut off it if inexact.
bits FN(nearest)(bits m, uint s, bool inexact)
{
    bits whole = m >> s;
    bits rest = m & ((B(1) << s) - B(1));
    bits half_way = B(1) << (s - 1u);
    bool up = rest > half_way || (rest == half_way && (inexact || (whole & B(1)) != B(0)));
    return whole + (up ? B(1) : B(0));
}

real FN(divide)(real x, real y)
{
    bits ux = as_bits(x), uy = as_bits(y);
    bits sign = (ux ^ uy) & SIGN_MASK;
    bits ix = ux & MAGNITUDE_MASK, iy = uy & MAGNITUDE_MASK;
    if (ix > INF_BITS || iy > INF_BITS || (ix == iy && (ix == B(0) || ix == INF_BITS)))
        return as_real(NAN_BITS);
    if (ix == INF_BITS || iy == B(0))
        return as_real(sign | INF_BITS);
    if (ix == B(0) || iy == INF_BITS)
        return as_real(sign);
    int ex = (int)(ix >> FRACTION_WIDTH), ey = (int)(iy >> FRACTION_WIDTH);
    bits mx = (ix & FRACTION_MASK) | HIDDEN_BIT, my = (iy & FRACTION_MASK) | HIDDEN_BIT;
    if (ex == 0) {
        int n = (int)clz(ix) - EXPONENT_WIDTH;
        mx = ix << n;
        ex = 1 - n;
    }
    if (ey == 0) {
        int n = (int)clz(iy) - EXPONENT_WIDTH;
        my = iy << n;
        ey = 1 - n;
    }
    int e = ex - ey + BIAS;
    if (mx < my) {
        mx <<= 1;
        e -= 1;
    }
    // The quotient is mx*2^(FRACTION_WIDTH + 1)/my, of FRACTION_WIDTH + 2 bits, and less than my remains. The estimate is off
    // by less than 16, which is subtracted so that the remainder is not negative.
    real r = FN(recip_significand)(my);
    bits q = (bits)((real)mx * r * PER_WIDTH(0x1p24f, 0x1p53)) - B(16);
    signed_bits rest = (signed_bits)((mx << (FRACTION_WIDTH + 1)) - q * my);
    signed_bits step = (signed_bits)((real)rest * r);
    q += (bits)step;
    rest -= step * (signed_bits)my;
    if (rest < 0) {
        q -= B(1);
        rest += (signed_bits)my;
    }
    if (rest >= (signed_bits)my) {
        q += B(1);
        rest -= (signed_bits)my;
    }
    if (e >= EXPONENT_MASK)
        return as_real(sign | INF_BITS);
    if (e >= 1) // the significand's first bit counts for one in the exponent, and so may a carry
        return as_real(sign | (((bits)(e - 1) << FRACTION_WIDTH) + FN(nearest)(q, 1u, rest != 0)));
    uint s = e < -FRACTION_WIDTH - 1 ? FRACTION_WIDTH + 3u : (uint)(2 - e);
    return as_real(sign | FN(nearest)(q, s, rest != 0));
}

real FN(sqrt)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix == B(0) || ux == INF_BITS)
        return x;
    if (ux > INF_BITS)
        return as_real(NAN_BITS);
    int e = (int)(ix >> FRACTION_WIDTH);
    bits m = (ix & FRACTION_MASK) | HIDDEN_BIT;
    if (e == 0) {
        int n = (int)clz(ix) - EXPONENT_WIDTH;
        m = ix << n;
        e = 1 - n;
    }
    // x is m*2^(k + FRACTION_WIDTH) with an even k, and m has up to one bit more
    int k = e - BIAS - 2 * FRACTION_WIDTH;
    if ((k & 1) != 0) {
        m <<= 1;
        k -= 1;
    }
    // the root of m*2^(FRACTION_WIDTH + 2) has FRACTION_WIDTH + 2 bits, and at most twice as much remains. The
    // estimate is off by less than 12; with 16 less the remainder is less than 28*2^(FRACTION_WIDTH + 3), and fits.
    real d = (real)m * PER_WIDTH(0x1p-23f, 0x1p-52);
    real r = FN(rsqrt_significand)(d, (float)(uint)(m >> PER_WIDTH(0, 28)) * PER_WIDTH(0x1p-23f, 0x1p-24f));
    bits q = (bits)(d * r * PER_WIDTH(0x1p24f, 0x1p53)) - B(16);
    signed_bits rest = (signed_bits)((m << (FRACTION_WIDTH + 2)) - q * q);
    q += (bits)(signed_bits)((real)rest * r * PER_WIDTH(0x1p-25f, 0x1p-54));
    rest = (signed_bits)((m << (FRACTION_WIDTH + 2)) - q * q);
    if (rest < 0) {
        q -= B(1);
        rest += (signed_bits)(B(2) * q + B(1));
    }
    if (rest > (signed_bits)(B(2) * q)) {
        rest -= (signed_bits)(B(2) * q + B(1));
        q += B(1);
    }
    return as_real(((bits)(k / 2 + BIAS + FRACTION_WIDTH - 1) << FRACTION_WIDTH) + FN(nearest)(q, 1u, rest != 0));
}
