// Remainders of double, exact: fmod, remainder, remquo. Long division of the significands in integers, eleven
// bits of quotient at a time.

// The significand of a finite non-zero number, normalised, given by its bits without the sign; *e its exponent.
ulong __clforge_significand_f64(ulong ix, int *e)
{
    if (ix < 0x0010000000000000ul) {
        int n = (int)clz(ix) - 11;
        *e = 1 - n;
        return ix << n;
    }
    *e = (int)(ix >> 52);
    return (ix & 0x000ffffffffffffful) | 0x0010000000000000ul;
}

// The bits of m*2^(e-1075), exact: m < 2^53 and the value is no less than the smallest denormal's multiple.
ulong __clforge_compose_f64(ulong m, int e)
{
    if (m == 0ul)
        return 0ul;
    int n = (int)clz(m) - 11;
    if (e - n >= 1)
        return ((ulong)(e - n) << 52) + ((m << n) & 0x000ffffffffffffful);
    return e >= 1 ? m << (e - 1) : m >> (1 - e);
}

// |x| mod |y| for 0 < |y| <= |x| < inf, by their bits; *quotient receives the low bits of the quotient.
ulong __clforge_long_division_f64(ulong ix, ulong iy, uint *quotient)
{
    int ex;
    int ey;
    ulong mx = __clforge_significand_f64(ix, &ex);
    ulong my = __clforge_significand_f64(iy, &ey);
    ulong q = mx / my;
    mx -= q * my;
    int n = ex - ey;
    while (n > 0 && mx != 0ul) {
        int step = n < 11 ? n : 11;
        mx <<= step;
        ulong d = mx / my;
        mx -= d * my;
        q = (q << step) + d;
        n -= step;
    }
    *quotient = n > 31 ? 0u : (uint)q << n;
    return __clforge_compose_f64(mx, ey);
}

double __clforge_fmod_f64(double x, double y)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong iy = as_ulong(y) & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul || iy == 0ul)
        return as_double(0x7ff8000000000000ul);
    if (ix < iy)
        return x;
    uint q;
    return as_double(__clforge_long_division_f64(ix, iy, &q) | (ux & 0x8000000000000000ul));
}

double __clforge_remquo_f64(double x, double y, int *quo)
{
    ulong ux = as_ulong(x);
    ulong uy = as_ulong(y);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong iy = uy & 0x7ffffffffffffffful;
    *quo = 0;
    if (ix >= 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul || iy == 0ul)
        return as_double(0x7ff8000000000000ul);
    if (iy == 0x7ff0000000000000ul || ix == 0ul)
        return x;
    uint q = 0u;
    ulong r = ix;
    if (ix >= iy)
        r = __clforge_long_division_f64(ix, iy, &q);
    // nearest, ties to an even quotient: compare r with y - r in integers, on a common exponent
    int er = 1;
    int ey;
    ulong my = __clforge_significand_f64(iy, &ey);
    ulong mr = r == 0ul ? 0ul : __clforge_significand_f64(r, &er);
    ulong sign = ux & 0x8000000000000000ul;
    if (mr != 0ul && er >= ey - 1) { // |r| >= |y|/2 or near it
        // one bit more for r, which is below y
        ulong a = er == ey ? mr << 2 : mr << 1; // 2*r in units of half the last place of y
        ulong b = my << 1;
        if (a > b || (a == b && (q & 1u) != 0u)) {
            q += 1u;
            // y - r, exact, in halves of the last place
            ulong d = b - (a >> 1);
            sign ^= 0x8000000000000000ul;
            // halves: the exponent is one less
            if (d < 0x0020000000000000ul)
                r = __clforge_compose_f64(d, ey - 1);
            else
                r = __clforge_compose_f64(d >> 1, ey);
        }
    }
    int k = (int)(q & 127u);
    *quo = ((ux ^ uy) >> 63) != 0ul ? -k : k;
    return as_double(r | sign);
}

double __clforge_remainder_f64(double x, double y)
{
    int quo;
    return __clforge_remquo_f64(x, y, &quo);
}
