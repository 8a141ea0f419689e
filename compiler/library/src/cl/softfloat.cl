// Arithmetic of double in integers, for devices without Float64. Doubles are given and returned as their bits; halves as the
// lower bits of a `uint`. All results are correctly rounded, to nearest even unless the name says otherwise, denormals
// included; NaNs are quiet.
//
// Devices may lack integers of 64 bits too: what is done to a `ulong` is cheap as a pair of words (sums, shifts by constants,
// comparisons), significands are multiplied as words, and words are divided and their roots taken by estimates in float, which
// integers put right. Shifts of a `ulong` by variables, which take branches or selections of words, are as few as possible.
//
// A function computes the result of normal numbers; the others, as far as they need it, take a branch before that in which
// denormals are normalised. Results that are denormal are rounded in a branch of their own.
//
// The names of the macros are those of `width.cl` for a WIDTH of 64.

// The upper and lower word.
#define UPPER(x) ((uint)((x) >> 32))
#define LOWER(x) ((uint)(x))
#define OF_WORDS(upper, lower) (((ulong)(upper) << 32) | (ulong)(lower))
// Of the upper word.
#define UPPER_SIGN 0x80000000u
#define UPPER_FRACTION 0x000fffffu
#define UPPER_HIDDEN_BIT 0x00100000u
#define UPPER_INF 0x7ff00000u
// The biased exponent.
#define EXPONENT(x) (UPPER(x) >> 20 & 2047u)
// Whether a biased exponent is that of a normal number.
#define IS_NORMAL(e) ((e) - 1u < 2046u)
// Of a normal number.
#define SIGNIFICAND(x) (((x) & FRACTION_MASK) | HIDDEN_BIT)

// The lower word of two that are shifted to the right, and the upper one of two that are shifted to the left, by n < 32. By two
// shifts, since one by 32 is undefined.
#define SHIFTED_RIGHT(upper, lower, n) (((upper) << 1) << (31u - (n)) | (lower) >> (n))
#define SHIFTED_LEFT(upper, lower, n) ((upper) << (n) | ((lower) >> 1) >> (31u - (n)))

// m >> n for n < 64; what falls off is summed up in the lowest bit.
ulong __clforge_f64_shift_right(ulong m, uint n)
{
    bool is_far = n >= 32u;
    uint upper = is_far ? 0u : UPPER(m), lower = is_far ? UPPER(m) : LOWER(m), off = is_far ? LOWER(m) : 0u;
    n &= 31u;
    off |= SHIFTED_RIGHT(lower, 0u, n);
    return OF_WORDS(upper >> n, SHIFTED_RIGHT(upper, lower, n) | (off != 0u ? 1u : 0u));
}

// m >> 10, to nearest even.
ulong __clforge_f64_nearest(ulong m)
{
    return (m + (ulong)(0x1ffu + (LOWER(m) >> 10 & 1u))) >> 10;
}

// The magnitude m*2^(e-1084), m from 2^62 to 2^63, whose lowest bit may sum up what lies below: e is the biased exponent less
// one, at most 4094.
ulong __clforge_f64_round(int e, ulong m)
{
    if (e < 0) {
        m = __clforge_f64_shift_right(m, min(0u - (uint)e, 63u));
        e = 0;
    }
    // The hidden bit counts for one in the exponent, and so may a carry.
    ulong r = __clforge_f64_nearest(m) + OF_WORDS((uint)e << 20, 0u);
    return UPPER(r) >= UPPER_INF ? INF_BITS : r;
}

// The fraction, with the hidden bit of a normal number, whose biased exponent is e.
#define UNSHIFTED(x, e) (((x) & FRACTION_MASK) | ((e) != 0u ? HIDDEN_BIT : 0ul))

// The significand of a finite non-zero number, normalised; *e its biased exponent.
ulong __clforge_f64_significand(ulong x, int *e)
{
    uint ex = EXPONENT(x);
    ulong m = UNSHIFTED(x, ex);
    int n = (int)clz(m) - 11;
    *e = (int)max(ex, 1u) - n;
    return m << n;
}

// The lower 64 bits of a*b.
ulong __clforge_f64_multiple(uint a, ulong b)
{
    return (ulong)a * (ulong)LOWER(b) + OF_WORDS(a * UPPER(b), 0u);
}

// The upper 64 bits of a*b, and the lower ones. No sum overflows.
ulong __clforge_f64_product(ulong a, ulong b, ulong *low)
{
    uint a0 = LOWER(a), a1 = UPPER(a), b0 = LOWER(b), b1 = UPPER(b);
    ulong lowest = (ulong)a0 * (ulong)b0;
    ulong middle = (ulong)a1 * (ulong)b0 + (ulong)UPPER(lowest);
    ulong other = (ulong)a0 * (ulong)b1 + (ulong)LOWER(middle);
    *low = OF_WORDS(LOWER(other), LOWER(lowest));
    return (ulong)a1 * (ulong)b1 + (ulong)UPPER(middle) + (ulong)UPPER(other);
}

bool __clforge_f64_isnan(ulong x)
{
    return (x & MAGNITUDE_MASK) > INF_BITS;
}

// A NaN becomes quiet.
ulong __clforge_f64_quiet(ulong x)
{
    return x | (__clforge_f64_isnan(x) ? QUIET_BIT : 0ul);
}

// Comparisons; with a NaN they are false.

bool __clforge_f64_eq(ulong x, ulong y)
{
    ulong ix = x & MAGNITUDE_MASK, iy = y & MAGNITUDE_MASK;
    // Of a NaN, y is equal to x only if it is one too.
    return (x == y & ix <= INF_BITS) | (ix | iy) == 0ul;
}

bool __clforge_f64_lt(ulong x, ulong y)
{
    ulong ix = x & MAGNITUDE_MASK, iy = y & MAGNITUDE_MASK;
    bool is_ordered = ix <= INF_BITS & iy <= INF_BITS & (ix | iy) != 0ul;
    // Below as integers; the other way round if both are negative.
    return is_ordered & x != y & ((long)x < (long)y) != ((UPPER(x) & UPPER(y)) >= UPPER_SIGN);
}

bool __clforge_f64_le(ulong x, ulong y)
{
    ulong ix = x & MAGNITUDE_MASK, iy = y & MAGNITUDE_MASK;
    bool is_below = ((long)x < (long)y) != ((UPPER(x) & UPPER(y)) >= UPPER_SIGN);
    return ix <= INF_BITS & iy <= INF_BITS & (is_below | x == y | (ix | iy) == 0ul);
}

// The greater and the lesser; with a NaN, the other one. Of two zeros either.

ulong __clforge_f64_fmax(ulong x, ulong y)
{
    bool is_first = __clforge_f64_isnan(y) | __clforge_f64_lt(y, x);
    return __clforge_f64_quiet(is_first ? x : y);
}

ulong __clforge_f64_fmin(ulong x, ulong y)
{
    bool is_first = __clforge_f64_isnan(y) | __clforge_f64_lt(x, y);
    return __clforge_f64_quiet(is_first ? x : y);
}

// x + y, where x is infinite or a NaN, and has no smaller magnitude than y.
ulong __clforge_f64_add_special(ulong x, ulong y)
{
    ulong ix = x & MAGNITUDE_MASK;
    return ix > INF_BITS || (ix == (y & MAGNITUDE_MASK) && x != y) ? NAN_BITS : x;
}

ulong __clforge_f64_add(ulong a, ulong b)
{
    bool is_less = (a & MAGNITUDE_MASK) < (b & MAGNITUDE_MASK);
    ulong x = is_less ? b : a, y = is_less ? a : b;
    uint ex = EXPONENT(x), ey = EXPONENT(y);
    // The hidden bits are at bit 61, and denormals have the exponent of the least normal numbers.
    ulong mx = UNSHIFTED(x, ex) << 9, my = UNSHIFTED(y, ey) << 9;
    uint e = max(ex, 1u);
    my = __clforge_f64_shift_right(my, min(e - max(ey, 1u), 63u));
    uint sign = UPPER(x) & UPPER_SIGN;
    bool is_difference = (UPPER(x) ^ UPPER(y)) >= UPPER_SIGN;
    ulong m = is_difference ? mx - my : mx + my;
    // To bit 62, unless the result is denormal, and exact then.
    uint n = min((uint)clz(m) - 1u, e);
    ulong r = __clforge_f64_nearest(m << n) + OF_WORDS((e - n) << 20, 0u);
    r = UPPER(r) >= UPPER_INF ? INF_BITS : r;
    if (m == 0ul) {
        r = 0ul;
        sign = is_difference ? 0u : sign;
    }
    r |= OF_WORDS(sign, 0u);
    if (ex == 2047u)
        r = __clforge_f64_add_special(x, y);
    return r;
}

ulong __clforge_f64_sub(ulong a, ulong b)
{
    return __clforge_f64_add(a, b ^ SIGN_MASK);
}

ulong __clforge_f64_mul(ulong a, ulong b)
{
    ulong sign = (a ^ b) & SIGN_MASK;
    int ea = (int)EXPONENT(a), eb = (int)EXPONENT(b);
    ulong ma = SIGNIFICAND(a), mb = SIGNIFICAND(b);
    if (!IS_NORMAL((uint)ea) | !IS_NORMAL((uint)eb)) {
        ulong ia = a & MAGNITUDE_MASK, ib = b & MAGNITUDE_MASK;
        if (ia > INF_BITS || ib > INF_BITS)
            return NAN_BITS;
        if (ia == 0ul || ib == 0ul) // of infinity: NaN
            return ea == 2047 || eb == 2047 ? NAN_BITS : sign;
        if (ea == 2047 || eb == 2047)
            return sign | INF_BITS;
        ma = __clforge_f64_significand(a, &ea);
        mb = __clforge_f64_significand(b, &eb);
    }
    // The product's first bit is bit 125 or 126.
    ulong low;
    ulong m = __clforge_f64_product(ma << 10, mb << 11, &low);
    m |= low != 0ul ? 1ul : 0ul;
    bool is_short = UPPER(m) < 0x40000000u;
    m = is_short ? m + m : m;
    return sign | __clforge_f64_round(ea + eb - 1023 - (is_short ? 1 : 0), m);
}

// 2^63/y for y >= 2^31, at most 4 less and no more, even if y is less than one more.
// From an estimate of float with a relative error of no more than 2^-19 by a step of Newton's.
uint __clforge_f64_recip_word(uint y)
{
    // Less than 2^62/y, by 2^-18 of it or less: in any case less than 2^31.
    uint v = (uint)(native_recip((float)y) * 0x1.ffffcp61f);
    ulong error = 0x4000000000000000ul - (ulong)y * (ulong)v;
    return 2u * v + (mul_hi(v, (uint)(error >> 16)) >> 13) - 2u;
}

ulong __clforge_f64_div(ulong a, ulong b)
{
    ulong sign = (a ^ b) & SIGN_MASK;
    int ea = (int)EXPONENT(a), eb = (int)EXPONENT(b);
    ulong ma = SIGNIFICAND(a), mb = SIGNIFICAND(b);
    if (!IS_NORMAL((uint)ea) | !IS_NORMAL((uint)eb)) {
        ulong ia = a & MAGNITUDE_MASK, ib = b & MAGNITUDE_MASK;
        if (ia > INF_BITS || ib > INF_BITS || (ia == ib && (ia == 0ul || ia == INF_BITS)))
            return NAN_BITS;
        if (ia == INF_BITS || ib == 0ul)
            return sign | INF_BITS;
        if (ia == 0ul || ib == INF_BITS)
            return sign;
        ma = __clforge_f64_significand(a, &ea);
        mb = __clforge_f64_significand(b, &eb);
    }
    bool is_less = ma < mb;
    ma = is_less ? ma + ma : ma;
    // The quotient ma*2^54/mb, of 55 bits, by two digits of 27 bits; each may be one too small.
    uint v = __clforge_f64_recip_word((uint)(mb >> 21));
    uint upper = mul_hi((uint)(ma >> 22), v) >> 3;
    ulong rest = (ma << 27) - __clforge_f64_multiple(upper, mb);
    uint lower = mul_hi((uint)(rest >> 22), v) >> 3;
    rest = (rest << 27) - __clforge_f64_multiple(lower, mb);
    bool is_small = rest >= mb;
    rest = is_small ? rest - mb : rest;
    ulong q = ((ulong)upper << 27) + (ulong)(lower + (is_small ? 1u : 0u));
    ulong m = (q << 8) | (rest != 0ul ? 1ul : 0ul);
    return sign | __clforge_f64_round(ea - eb + 1022 - (is_less ? 1 : 0), m);
}

ulong __clforge_f64_sqrt(ulong x)
{
    int e = (int)EXPONENT(x);
    ulong m = SIGNIFICAND(x);
    if (UPPER(x) - UPPER_HIDDEN_BIT >= UPPER_INF - UPPER_HIDDEN_BIT) { // not positive and normal
        ulong ix = x & MAGNITUDE_MASK;
        if (ix == 0ul || x == INF_BITS)
            return x;
        if (x > INF_BITS)
            return NAN_BITS;
        m = __clforge_f64_significand(x, &e);
    }
    // x is m*2^k with an even k, and m from 2^62 to 2^64.
    m = (e & 1) != 0 ? m << 10 : m << 11;
    uint w = UPPER(m);
    // 2^63/sqrt(m), from an estimate of float with a relative error of no more than 2^-19 by a step of Newton's: y is less than
    // 2^39/sqrt(w), by 2^-18 of it or less, and w*y*y is 2^78 - error.
    uint y = (uint)(native_rsqrt((float)w) * 0x1.ffffcp38f);
    ulong error = 0ul - __clforge_f64_multiple(w, (ulong)y * (ulong)y);
    uint r = (y << 8) + (mul_hi(y << 8, UPPER(error)) >> 15);
    // The root of m, of 32 bits, no more than 5 too small; from what remains 23 more bits, which are off by one or less.
    uint upper = (uint)((ulong)w * (ulong)r >> 31);
    ulong rest = m - (ulong)upper * (ulong)upper;
    uint lower = mul_hi((uint)(rest >> 4), r) >> 5;
    // The last two bits are rounded. Whether the root reaches the middle, its remainder tells; it is never half-way, since the
    // square of that has more bits than x.
    lower = (lower & ~3u) | 2u;
    rest = (rest << 46) - ((ulong)upper * (ulong)lower << 24) - (ulong)lower * (ulong)lower;
    ulong q = ((ulong)upper << 21) + (ulong)((lower >> 2) + (UPPER(rest) < UPPER_SIGN ? 1u : 0u));
    return q + OF_WORDS((uint)((e + 1021) >> 1) << 20, 0u);
}

// a*b + c, where a or b is zero or one of the numbers infinite or a NaN.
ulong __clforge_f64_fma_special(ulong a, ulong b, ulong c)
{
    ulong ia = a & MAGNITUDE_MASK, ib = b & MAGNITUDE_MASK, ic = c & MAGNITUDE_MASK;
    ulong sign = (a ^ b) & SIGN_MASK;
    if (ia > INF_BITS || ib > INF_BITS || ic > INF_BITS)
        return NAN_BITS;
    if (ia == INF_BITS || ib == INF_BITS) {
        bool is_nan = ia == 0ul || ib == 0ul || (ic == INF_BITS && (c & SIGN_MASK) != sign);
        return is_nan ? NAN_BITS : sign | INF_BITS;
    }
    return ic == 0ul ? sign & c : c;
}

// Rounded once.
ulong __clforge_f64_fma(ulong a, ulong b, ulong c)
{
    int ea = (int)EXPONENT(a), eb = (int)EXPONENT(b), ec = (int)EXPONENT(c);
    ulong ma = SIGNIFICAND(a), mb = SIGNIFICAND(b);
    if (!IS_NORMAL((uint)ea) | !IS_NORMAL((uint)eb) | ec == 2047) {
        ulong ia = a & MAGNITUDE_MASK, ib = b & MAGNITUDE_MASK;
        if (ia == 0ul || ib == 0ul || ea == 2047 || eb == 2047 || ec == 2047)
            return __clforge_f64_fma_special(a, b, c);
        ma = __clforge_f64_significand(a, &ea);
        mb = __clforge_f64_significand(b, &eb);
    }
    // In 128 bits; the hidden bit is bit 125, and the product's first bit that or the next one. A denormal c is not
    // normalised: its last place is where the result is rounded, if that is denormal.
    ulong pl;
    ulong ph = __clforge_f64_product(ma << 10, mb << 11, &pl);
    int ep = ea + eb - 1023;
    ulong ch = UNSHIFTED(c, (uint)ec) << 9;
    ec = max(ec, 1);
    // The one with the greater exponent, x, and the other, which is aligned to it. What falls off is summed up in the
    // lowest bit: if much cancels, nothing has fallen off.
    bool is_less = ep < ec;
    ulong xh = is_less ? ch : ph, xl = is_less ? 0ul : pl;
    ulong yh = is_less ? ph : ch, yl = is_less ? pl : 0ul;
    int e = is_less ? ec : ep;
    uint n = min((uint)(is_less ? ec - ep : ep - ec), 127u);
    uint off = 0u;
    if (n >= 64u) {
        off = LOWER(yl) | UPPER(yl);
        yl = yh;
        yh = 0ul;
    }
    uint y3 = UPPER(yh), y2 = LOWER(yh), y1 = UPPER(yl), y0 = LOWER(yl);
    if ((n & 32u) != 0u) {
        off |= y0;
        y0 = y1;
        y1 = y2;
        y2 = y3;
        y3 = 0u;
    }
    n &= 31u;
    off |= SHIFTED_RIGHT(y0, 0u, n);
    y0 = SHIFTED_RIGHT(y1, y0, n) | (off != 0u ? 1u : 0u);
    yl = OF_WORDS(SHIFTED_RIGHT(y2, y1, n), y0);
    yh = OF_WORDS(y3 >> n, SHIFTED_RIGHT(y3, y2, n));
    // The sum, or the difference, which may be negative.
    uint sign = (is_less ? UPPER(c) : UPPER(a) ^ UPPER(b)) & UPPER_SIGN;
    if ((UPPER(a) ^ UPPER(b) ^ UPPER(c)) < UPPER_SIGN) {
        xl += yl;
        xh += yh + (xl < yl ? 1ul : 0ul);
    } else {
        xh -= yh + (xl < yl ? 1ul : 0ul);
        xl -= yl;
        if ((xh | xl) == 0ul)
            return 0ul;
        if (UPPER(xh) >= UPPER_SIGN) {
            xh = ~xh + (xl == 0ul ? 1ul : 0ul);
            xl = 0ul - xl;
            sign ^= UPPER_SIGN;
        }
    }
    // The first bit to bit 127, and to bit 62 of the upper 64 bits.
    if (xh == 0ul) {
        xh = xl;
        xl = 0ul;
        e -= 64;
    }
    uint x3 = UPPER(xh), x2 = LOWER(xh), x1 = UPPER(xl), x0 = LOWER(xl);
    if (x3 == 0u) {
        x3 = x2;
        x2 = x1;
        x1 = x0;
        x0 = 0u;
        e -= 32;
    }
    n = clz(x3);
    x3 = SHIFTED_LEFT(x3, x2, n);
    x2 = SHIFTED_LEFT(x2, x1, n);
    x0 |= x1 << n | (x2 & 1u);
    ulong m = OF_WORDS(x3 >> 1, SHIFTED_RIGHT(x3, x2, 1u) | (x0 != 0u ? 1u : 0u));
    return OF_WORDS(sign, 0u) | __clforge_f64_round(e + 1 - (int)n, m);
}

// Conversions from integers. Toward zero (_rtz), up (_rtp) and down (_rtn) those that may be inexact.
