// ldexp of float and double: multiplication by a power of two, correctly rounded.
//
// Where denormals may be, in integers, so that a device that flushes them agrees with one that keeps them.

// Past every exponent, so that a sum of exponents cannot overflow.
#undef LDEXP_LIMIT
#define LDEXP_LIMIT PER_WIDTH(1000, 5000)

// Rounded once, to nearest even, where the result is denormal.
real FN(ldexp_unusual)(real x, int k)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    bits sign = ux & SIGN_MASK;
    if (ix >= INF_BITS || ix == B(0))
        return ix > INF_BITS ? as_real(ux | QUIET_BIT) : x;
    int n = 0;
    if (ix < HIDDEN_BIT) {
        ix = as_bits((real)ix);
        n = -DENORMAL_EXPONENT;
    }
    k = k > LDEXP_LIMIT ? LDEXP_LIMIT : k < -LDEXP_LIMIT ? -LDEXP_LIMIT : k;
    int e = (int)(ix >> FRACTION_WIDTH) + n + k;
    if (e >= EXPONENT_MASK)
        return as_real(sign | INF_BITS);
    if (e >= 1)
        return as_real(sign | ((bits)e << FRACTION_WIDTH) | (ix & FRACTION_MASK));
    if (e < -PER_WIDTH(24, 53))
        return as_real(sign);
    bits m = (ix & FRACTION_MASK) | HIDDEN_BIT;
    uint s = (uint)(1 - e); // 1 .. 25 (float), 54 (double)
    bits r = m >> s;
    bits rest = m << (PER_WIDTH(32u, 64u) - s);
    r += rest > SIGN_MASK || (rest == SIGN_MASK && (r & B(1)) != B(0)) ? B(1) : B(0);
    return as_real(sign | r);
}

real FN(ldexp)(real x, int k)
{
    // one product, if 2^k is a normal number and so is what comes out, which is exact or was rounded once then
    real y = x * as_real((bits)(signed_bits)(k + BIAS) << FRACTION_WIDTH);
    uint e = (uint)(as_bits(y) >> FRACTION_WIDTH) & EXPONENT_MASK;
    if ((uint)k + (BIAS - 1u) >= 2u * BIAS || e - 1u >= EXPONENT_MASK - 1u)
        y = FN(ldexp_unusual)(x, k);
    return y;
}
