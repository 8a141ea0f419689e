// Quotients and square roots of float, correctly rounded, for devices that have an exact fused multiply-add, by which the remainder
// of the device's own estimate is exact, and where one correction was found to suffice.

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
