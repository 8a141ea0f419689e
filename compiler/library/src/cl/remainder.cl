// Remainders of float and double: fmod, remainder, remquo. All results are exact.
//
// Long division of the significands in integers, EXPONENT_WIDTH bits of quotient at a time: as many as a significand
// leaves free above it.

// The significand of a finite non-zero number, normalised, given by its bits without the sign; *e its exponent.
bits FN(significand)(bits ix, int *e)
{
    if (ix < HIDDEN_BIT) {
        int n = (int)clz(ix) - EXPONENT_WIDTH;
        *e = 1 - n;
        return ix << n;
    }
    *e = (int)(ix >> FRACTION_WIDTH);
    return (ix & FRACTION_MASK) | HIDDEN_BIT;
}

// The bits of m*2^(e-BIAS-FRACTION_WIDTH), exact: m has no more bits than a significand, and the value is no less than
// the smallest denormal's multiple.
bits FN(compose)(bits m, int e)
{
    if (m == B(0))
        return B(0);
    int n = (int)clz(m) - EXPONENT_WIDTH;
    if (e - n >= 1)
        return ((bits)(e - n) << FRACTION_WIDTH) + ((m << n) & FRACTION_MASK);
    return e >= 1 ? m << (e - 1) : m >> (1 - e);
}

// |x| mod |y| for 0 < |y| <= |x| < inf, by their bits; *quotient receives the low bits of the quotient.
bits FN(long_division)(bits ix, bits iy, uint *quotient)
{
    int ex;
    int ey;
    bits mx = FN(significand)(ix, &ex);
    bits my = FN(significand)(iy, &ey);
    bits q = mx / my;
    mx -= q * my;
    int n = ex - ey;
    while (n > 0 && mx != B(0)) {
        int step = n < EXPONENT_WIDTH ? n : EXPONENT_WIDTH;
        mx <<= step;
        bits d = mx / my;
        mx -= d * my;
        q = (q << step) + d;
        n -= step;
    }
    *quotient = n > 31 ? 0u : (uint)q << n;
    return FN(compose)(mx, ey);
}

real FN(fmod)(real x, real y)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = as_bits(y) & MAGNITUDE_MASK;
    if (ix >= INF_BITS || iy > INF_BITS || iy == B(0))
        return as_real(NAN_BITS);
    if (ix < iy)
        return x;
    uint q;
    return as_real(FN(long_division)(ix, iy, &q) | (ux & SIGN_MASK));
}

real FN(remquo)(real x, real y, int *quo)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    *quo = 0;
    if (ix >= INF_BITS || iy > INF_BITS || iy == B(0))
        return as_real(NAN_BITS);
    if (iy == INF_BITS || ix == B(0))
        return x;
    uint q = 0u;
    bits r = ix;
    if (ix >= iy)
        r = FN(long_division)(ix, iy, &q);
    // nearest, ties to an even quotient: compare r with y - r in integers, on a common exponent
    int er = 1;
    int ey;
    bits my = FN(significand)(iy, &ey);
    bits mr = r == B(0) ? B(0) : FN(significand)(r, &er);
    bits sign = ux & SIGN_MASK;
    if (mr != B(0) && er >= ey - 1) { // |r| >= |y|/2 or near it
        // one bit more for r, which is below y
        bits a = er == ey ? mr << 2 : mr << 1; // 2*r in units of half the last place of y
        bits b = my << 1;
        if (a > b || (a == b && (q & 1u) != 0u)) {
            q += 1u;
            // y - r, exact, in halves of the last place
            bits d = b - (a >> 1);
            sign ^= SIGN_MASK;
            // halves: the exponent is one less
            if (d < PER_WIDTH(0x01000000u, 0x0020000000000000ul)) // 2*HIDDEN_BIT
                r = FN(compose)(d, ey - 1);
            else
                r = FN(compose)(d >> 1, ey);
        }
    }
    int k = (int)(q & 127u);
    *quo = ((ux ^ uy) >> SIGN_POSITION) != B(0) ? -k : k;
    return as_real(r | sign);
}

real FN(remainder)(real x, real y)
{
    int quo;
    return FN(remquo)(x, y, &quo);
}
