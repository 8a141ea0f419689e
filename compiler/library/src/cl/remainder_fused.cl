// Remainders for devices that have an exact fused multiply-add, of float and double: variants of fmod, remainder, remquo. A
// variant is called instead of the function whose name it begins with. All results are exact.
//
// Where the quotient has fewer bits than a significand, the device's is rounded to an integer q, from which the exact one differs
// by less than one, and |x| - q*|y| is exact: a multiple of the last place of y that is smaller than y. Where |x| < |y|, whose
// last place is coarser than that of x then, q is 0.

// Whether |x|/|y|, given by their bits, is below 2^20 (float), 2^48 (double), x is normal, so are y and its last place, and y is
// below 2^124 (float), as QUOTIENT needs.
#undef HAS_SHORT_QUOTIENT
#define HAS_SHORT_QUOTIENT(ix, iy)                                                                             \
    (iy - PER_WIDTH(0x0d000000u, 0x0400000000000000ul) <                                                       \
            PER_WIDTH(0x7d800000u - 0x0d000000u, 0x7fe0000000000000ul - 0x0400000000000000ul) &&               \
        ix - HIDDEN_BIT < INF_BITS - HIDDEN_BIT && ix < iy + PER_WIDTH(0x0a000000u, 0x0300000000000000ul))

real FN(fmod_fused)(real x, real y)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = as_bits(y) & MAGNITUDE_MASK;
    real a = as_real(ix);
    real b = as_real(iy);
    real k = ix < iy ? R(0.0) : rint(QUOTIENT(a, b));
    real r = fma(-k, b, a);
    r = r < R(0.0) ? r + b : r;
    real result = as_real(as_bits(r) | (ux & SIGN_MASK));
    if (!HAS_SHORT_QUOTIENT(ix, iy))
        result = FN(fmod)(x, y);
    return result;
}

real FN(remquo_fused)(real x, real y, int *quo)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    if (!HAS_SHORT_QUOTIENT(ix, iy))
        return FN(remquo)(x, y, quo);
    real a = as_real(ix);
    real b = as_real(iy);
    real k = ix < iy ? R(0.0) : rint(QUOTIENT(a, b));
    real r = fma(-k, b, a);
    uint q = (uint)(signed_bits)k;
    // the nearest, and of two the one with an even quotient
    real twice = fabs(r) + fabs(r);
    if (twice > b || (twice == b && (q & 1u) != 0u)) {
        q = r < R(0.0) ? q - 1u : q + 1u;
        r = r < R(0.0) ? r + b : r - b;
    }
    int low = (int)(q & 127u);
    *quo = ((ux ^ uy) >> SIGN_POSITION) != B(0) ? -low : low;
    return as_real(as_bits(r) ^ (ux & SIGN_MASK));
}

real FN(remainder_fused)(real x, real y)
{
    int quo;
    return FN(remquo_fused)(x, y, &quo);
}
