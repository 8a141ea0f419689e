// Quotients and square roots of float, correctly rounded whatever the device's own are worth, for
// -cl-fp32-correctly-rounded-divide-sqrt. A result of one bit more than a float has is estimated in floating point and
// put right by its remainder, which is so small that 32 bits of it are enough. Denormals are kept everywhere.
//
// The variants `corrected` are for devices that have an exact fused multiply-add, by which the remainder of the device's own
// estimate is exact, and where one correction was found to suffice.

// m / 2^s to nearest even, where m is less than 2^25 and a fraction was cut off it if inexact.
uint __clforge_nearest_f32(uint m, uint s, bool inexact)
{
    uint whole = m >> s;
    uint rest = m & ((1u << s) - 1u);
    uint half_way = 1u << (s - 1u);
    bool up = rest > half_way || (rest == half_way && (inexact || (whole & 1u) != 0u));
    return whole + (up ? 1u : 0u);
}

float __clforge_divide_f32(float x, float y)
{
    uint ux = as_uint(x), uy = as_uint(y);
    uint sign = (ux ^ uy) & 0x80000000u;
    uint ix = ux & 0x7fffffffu, iy = uy & 0x7fffffffu;
    if (ix > 0x7f800000u || iy > 0x7f800000u || (ix == iy && (ix == 0u || ix == 0x7f800000u)))
        return as_float(0x7fc00000u);
    if (ix == 0x7f800000u || iy == 0u)
        return as_float(sign | 0x7f800000u);
    if (ix == 0u || iy == 0x7f800000u)
        return as_float(sign);
    // significands in [2^23, 2^24)
    int ex = (int)(ix >> 23), ey = (int)(iy >> 23);
    uint mx = (ix & 0x007fffffu) | 0x00800000u, my = (iy & 0x007fffffu) | 0x00800000u;
    if (ex == 0) {
        int n = (int)clz(ix) - 8;
        mx = ix << n;
        ex = 1 - n;
    }
    if (ey == 0) {
        int n = (int)clz(iy) - 8;
        my = iy << n;
        ey = 1 - n;
    }
    int e = ex - ey + 127;
    if (mx < my) {
        mx <<= 1;
        e -= 1;
    }
    // the quotient is mx*2^24/my in [2^24, 2^25), and less than my remains
    float fy = (float)my;
    uint q = (uint)(native_divide((float)mx, fy) * 0x1p24f);
    int rest = (int)((mx << 24) - q * my);
    int step = (int)native_divide((float)rest, fy);
    q += (uint)step;
    rest -= step * (int)my;
    if (rest < 0) {
        q -= 1u;
        rest += (int)my;
    }
    if (rest >= (int)my) {
        q += 1u;
        rest -= (int)my;
    }
    if (e >= 255)
        return as_float(sign | 0x7f800000u);
    if (e >= 1) // the significand's first bit counts for one in the exponent, and so may a carry
        return as_float(sign | (((uint)(e - 1) << 23) + __clforge_nearest_f32(q, 1u, rest != 0)));
    uint s = e < -24 ? 26u : (uint)(2 - e);
    return as_float(sign | __clforge_nearest_f32(q, s, rest != 0));
}

float __clforge_sqrt_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix == 0u || ux == 0x7f800000u)
        return x;
    if (ux > 0x7f800000u)
        return as_float(0x7fc00000u);
    int e = (int)(ix >> 23);
    uint m = (ix & 0x007fffffu) | 0x00800000u;
    if (e == 0) {
        int n = (int)clz(ix) - 8;
        m = ix << n;
        e = 1 - n;
    }
    // x becomes m*2^(e-149) with m in [2^23, 2^25) and an even e
    if ((e & 1) != 0)
        e -= 1;
    else {
        m <<= 1;
        e -= 2;
    }
    // the root of m*2^25 in [2^24, 2^25), and at most twice as much remains
    uint q = (uint)(sqrt((float)m * 0x1p-23f) * 0x1p24f);
    int rest = (int)((m << 25) - q * q);
    int step = (int)native_divide((float)rest, (float)(q << 1));
    q += (uint)step;
    rest = (int)((m << 25) - q * q);
    if (rest < 0) {
        q -= 1u;
        rest += (int)(2u * q + 1u);
    }
    if (rest > (int)(2u * q)) {
        rest -= (int)(2u * q + 1u);
        q += 1u;
    }
    uint r = __clforge_nearest_f32(q, 1u, rest != 0);
    return as_float(((uint)(e / 2 + 63) << 23) + r);
}

float __clforge_divide_corrected_f32(float x, float y)
{
    float r = native_recip(y);
    r = fma(fma(-y, r, 1.0f), r, r);
    float q = x * r;
    q = fma(fma(-y, q, x), r, q);
    // Not where the reciprocal, the quotient or the last place of the remainder are denormal. An overflow has become nan, and
    // a quotient of zero may have the wrong sign.
    if (!(fabs(q) > 0x1p-100f && fabs(x) > 0x1p-79f && fabs(y) < 0x1p126f))
        q = __clforge_divide_f32(x, y);
    return q;
}

float __clforge_sqrt_corrected_f32(float x)
{
    float r = native_rsqrt(x);
    float s = x * r;
    s = fma(fma(-s, s, x), 0.5f * r, s);
    if (!(s > 0x1p-40f)) // zero, nan (of inf, too), and where the last place of the remainder is denormal
        s = __clforge_sqrt_f32(x);
    return s;
}
