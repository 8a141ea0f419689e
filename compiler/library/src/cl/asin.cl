// Arc sine and arc cosine of float and double: asin, acos, asinpi, acospi.
//
// A minimax polynomial up to 1/2, from there asin(a) = pi/2 - 2*asin(sqrt((1-a)/2)) (NIST Digital Library of
// Mathematical Functions, 4.24), where pi/2 has two parts.
//
// Greatest measured errors in ulp (float / double where they differ): asin 2.6 / 2.2, acos 1.6 / 1.2, asinpi 4.0 / 3.6,
// acospi 2.8 / 2.3.

// asin(s) = s + s*asin_kernel(s*s) for 0 <= s <= 1/2.
real FN(asin_kernel)(real z)
{
    // asin(s) = s + s*z*p with z = s^2, relative error 2^-27.6 (float), 2^-59.8 (double) on [0, 0.5001]
    real p = PER_WIDTH(
        0x1.5555c8p-3f + z * (0x1.3301fep-4f + z * (0x1.747cbep-5f + z * (0x1.8c30b4p-6f +
        z * 0x1.596a7ep-5f))),
        0x1.5555555555577p-3 + z * (0x1.333333332e11p-4 + z * (0x1.6db6db7214efbp-5 +
        z * (0x1.f1c71a93b97e6p-6 + z * (0x1.6e8bdf08f86c7p-6 + z * (0x1.1c49ed2358958p-6 +
        z * (0x1.ca1fe269e4f33p-7 + z * (0x1.75829a846a38p-7 + z * (0x1.614e1adcfed5p-7 +
        z * (0x1.e4dccf5c9225ap-9 + z * (0x1.63f635db39ec8p-6 + z * (-0x1.58825c8773d44p-6 +
        z * 0x1.0b72061fc0f39p-5))))))))))));
    return z * p;
}

real FN(asin)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
#if WIDTH == 64
    if (ix > ONE_BITS)
        return as_real(NAN_BITS);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
#endif
    real a = as_real(ix);
    bool large = ix > PER_WIDTH(0x3f000000u, 0x3fe0000000000000ul);
    // asin(a) = pi/2 - 2*asin(sqrt((1-a)/2)); nan from the root where a is above 1
    real z = large ? R(0.5) - R(0.5) * a : a * a;
    real s = large ? sqrt(z) : a;
    real p = s * FN(asin_kernel)(z);
    p = large ? HALF_PI - LESS_HALF_PI_LOW(R(2.0) * (s + p)) : s + p;
#if WIDTH == 32
    p = ix < 0x39000000u ? a : p; // |x| < 2^-13, where a denormal may have been flushed
#endif
    return as_real(as_bits(p) | (ux & SIGN_MASK));
}

real FN(acos)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
#if WIDTH == 32
    // pi/2 - asin(a) or 2*asin(sqrt((1-a)/2)), and from pi where x is negative; nan from the root where a is above 1
    float a = as_float(ix);
    bool large = ix > 0x3f000000u;
    float z = large ? 0.5f - 0.5f * a : a * a;
    float s = large ? sqrt(z) : a;
    float p = s + s * FN(asin_kernel)(z);
    p = p * (large ? 2.0f : -1.0f) + (large ? 0.0f : HALF_PI);
    return (ux >> 31) != 0u ? PI - p : p;
#else
    if (ix > ONE_BITS)
        return as_real(NAN_BITS);
    real a = as_real(ix);
    bool large = ix > PER_WIDTH(0x3f000000u, 0x3fe0000000000000ul);
    real z = large ? R(0.5) - R(0.5) * a : a * a;
    real s = large ? sqrt(z) : a;
    real p = s * FN(asin_kernel)(z);
    if (!large) { // pi/2 - asin(x)
        s = ux >> SIGN_POSITION != B(0) ? -s : s;
        p = ux >> SIGN_POSITION != B(0) ? -p : p;
        return HALF_PI - (s + LESS_HALF_PI_LOW(p));
    }
    p = R(2.0) * (s + p);
    return ux >> SIGN_POSITION != B(0) ? PI - LESS_PI_LOW(p) : p;
#endif
}

real FN(asinpi)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix > ONE_BITS)
        return as_real(NAN_BITS);
    real a = as_real(ix);
    bool large = ix > PER_WIDTH(0x3f000000u, 0x3fe0000000000000ul);
    real z = large ? R(0.5) - R(0.5) * a : a * a;
    real s = large ? sqrt(z) : a;
    real p = s + s * FN(asin_kernel)(z);
    p = large ? R(0.5) - p * TWO_OVER_PI : p * ONE_OVER_PI;
    return as_real(as_bits(p) | (ux & SIGN_MASK));
}

real FN(acospi)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
#if WIDTH == 64
    if (ix > ONE_BITS)
        return as_real(NAN_BITS);
#endif
    real a = as_real(ix);
    bool large = ix > PER_WIDTH(0x3f000000u, 0x3fe0000000000000ul);
    real z = large ? R(0.5) - R(0.5) * a : a * a;
    real s = large ? sqrt(z) : a;
    real p = s + s * FN(asin_kernel)(z);
    // as acos, in units of pi
    p = p * (large ? TWO_OVER_PI : -ONE_OVER_PI) + (large ? R(0.0) : R(0.5));
    return ux >> SIGN_POSITION != B(0) ? R(1.0) - p : p;
}
