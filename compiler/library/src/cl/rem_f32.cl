// Remainders of float, exact: fmod, remainder, remquo. Long division of the significands in integers, eight
// bits of quotient at a time.

// The significand of a finite non-zero number, normalised, given by its bits without the sign; *e its exponent.
uint __clforge_significand_f32(uint ix, int *e)
{
    if (ix < 0x00800000u) {
        int n = (int)clz(ix) - 8;
        *e = 1 - n;
        return ix << n;
    }
    *e = (int)(ix >> 23);
    return (ix & 0x007fffffu) | 0x00800000u;
}

// The bits of m*2^(e-150), exact: m < 2^24 and the value is no less than the smallest denormal's multiple.
uint __clforge_compose_f32(uint m, int e)
{
    if (m == 0u)
        return 0u;
    int n = (int)clz(m) - 8;
    if (e - n >= 1)
        return ((uint)(e - n) << 23) + ((m << n) & 0x007fffffu);
    return e >= 1 ? m << (e - 1) : m >> (1 - e);
}

// |x| mod |y| for 0 < |y| <= |x| < inf, by their bits; *quotient receives the low bits of the quotient.
uint __clforge_long_division_f32(uint ix, uint iy, uint *quotient)
{
    int ex;
    int ey;
    uint mx = __clforge_significand_f32(ix, &ex);
    uint my = __clforge_significand_f32(iy, &ey);
    uint q = mx / my;
    mx -= q * my;
    int n = ex - ey;
    while (n > 0 && mx != 0u) {
        int step = n < 8 ? n : 8;
        mx <<= step;
        uint d = mx / my;
        mx -= d * my;
        q = (q << step) + d;
        n -= step;
    }
    *quotient = n > 31 ? 0u : q << n;
    return __clforge_compose_f32(mx, ey);
}

float __clforge_fmod_f32(float x, float y)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    uint iy = as_uint(y) & 0x7fffffffu;
    if (ix >= 0x7f800000u || iy > 0x7f800000u || iy == 0u)
        return as_float(0x7fc00000u);
    if (ix < iy)
        return x;
    uint q;
    return as_float(__clforge_long_division_f32(ix, iy, &q) | (ux & 0x80000000u));
}

float __clforge_remquo_f32(float x, float y, int *quo)
{
    uint ux = as_uint(x);
    uint uy = as_uint(y);
    uint ix = ux & 0x7fffffffu;
    uint iy = uy & 0x7fffffffu;
    *quo = 0;
    if (ix >= 0x7f800000u || iy > 0x7f800000u || iy == 0u)
        return as_float(0x7fc00000u);
    if (iy == 0x7f800000u || ix == 0u)
        return x;
    uint q = 0u;
    uint r = ix;
    if (ix >= iy)
        r = __clforge_long_division_f32(ix, iy, &q);
    // nearest, ties to an even quotient: compare r with y - r in integers, on a common exponent
    int er = 1;
    int ey;
    uint my = __clforge_significand_f32(iy, &ey);
    uint mr = r == 0u ? 0u : __clforge_significand_f32(r, &er);
    uint sign = ux & 0x80000000u;
    if (mr != 0u && er >= ey - 1) { // |r| >= |y|/2 or near it
        // one bit more for r, which is below y
        uint a = er == ey ? mr << 2 : mr << 1; // 2*r in units of half the last place of y
        uint b = my << 1;
        if (a > b || (a == b && (q & 1u) != 0u)) {
            q += 1u;
            // y - r, exact, in halves of the last place
            uint d = b - (a >> 1);
            sign ^= 0x80000000u;
            // halves: the exponent is one less
            if (d < 0x01000000u)
                r = __clforge_compose_f32(d, ey - 1);
            else
                r = __clforge_compose_f32(d >> 1, ey);
        }
    }
    int k = (int)(q & 127u);
    *quo = ((ux ^ uy) >> 31) != 0u ? -k : k;
    return as_float(r | sign);
}

float __clforge_remainder_f32(float x, float y)
{
    int quo;
    return __clforge_remquo_f32(x, y, &quo);
}
