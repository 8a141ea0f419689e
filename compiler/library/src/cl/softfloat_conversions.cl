// Conversions of double, and rounding to integers, for devices without Float64: see `softfloat.cl`.

// An integer without its sign.
ulong __clforge_f64_of_word(uint m)
{
    uint n = clz(m);
    m <<= n;
    // The hidden bit counts for one in the exponent.
    return m == 0u ? 0ul : OF_WORDS(((1053u - n) << 20) + (m >> 11), m << 21);
}

ulong __clforge_f64_of_uint(uint x)
{
    return __clforge_f64_of_word(x);
}

ulong __clforge_f64_of_int(int x)
{
    ulong r = __clforge_f64_of_word(x < 0 ? 0u - (uint)x : (uint)x);
    return r | OF_WORDS((uint)x & UPPER_SIGN, 0u);
}

// How a magnitude is rounded.
#define TO_NEAREST 0u
#define TOWARD_ZERO 1u
#define AWAY_FROM_ZERO 2u

// m / 2^n rounded, times 2^n but for the bits below, which are anything; 1 <= n < 31, and the sum must fit.
uint __clforge_f64_rounded_places(uint m, uint n, uint rounding)
{
    uint mask = (1u << n) - 1u;
    uint nearest = (mask >> 1) + (m >> n & 1u);
    return m + (rounding == TO_NEAREST ? nearest : rounding == TOWARD_ZERO ? 0u : mask);
}

// An integer without its sign.
ulong __clforge_f64_of_magnitude(ulong m, uint rounding)
{
    uint n = (uint)clz(m);
    m <<= n & 63u;
    // The lowest 11 bits are rounded.
    uint carry = __clforge_f64_rounded_places(LOWER(m) & 0xfffu, 11u, rounding) >> 11;
    carry -= LOWER(m) >> 11 & 1u;
    ulong r = (m >> 11) + OF_WORDS((1085u - n) << 20, carry);
    return m == 0ul ? 0ul : r;
}

ulong __clforge_f64_of_ulong(ulong x)
{
    return __clforge_f64_of_magnitude(x, TO_NEAREST);
}

ulong __clforge_f64_of_signed(long x, uint rounding)
{
    ulong r = __clforge_f64_of_magnitude(x < 0l ? 0ul - (ulong)x : (ulong)x, rounding);
    return r | ((ulong)x & SIGN_MASK);
}

ulong __clforge_f64_of_long(long x)
{
    return __clforge_f64_of_signed(x, TO_NEAREST);
}

// Conversions to integers, toward zero. What is out of range becomes anything, unless the conversion saturates (_sat): the
// nearest that there is, and zero of a NaN.

// The magnitude of x, less than 2^32.
uint __clforge_f64_word(ulong x)
{
    uint e = EXPONENT(x) - 1023u; // below 1: far too much to shift by
    uint m = (uint)(x >> 21) | 0x80000000u;
    return e < 32u ? m >> (31u - e) : 0u;
}

uint __clforge_f64_to_uint(ulong x)
{
    return __clforge_f64_word(x);
}

int __clforge_f64_to_int(ulong x)
{
    uint m = __clforge_f64_word(x);
    return (int)(UPPER(x) >= UPPER_SIGN ? 0u - m : m);
}

// The magnitude of x, less than 2^64.
ulong __clforge_f64_magnitude(ulong x)
{
    uint e = EXPONENT(x) - 1023u;
    ulong m = (x << 11) | SIGN_MASK;
    return e < 64u ? m >> (63u - e) : 0ul;
}

ulong __clforge_f64_to_ulong(ulong x)
{
    return __clforge_f64_magnitude(x);
}

long __clforge_f64_to_long(ulong x)
{
    ulong m = __clforge_f64_magnitude(x);
    return (long)(UPPER(x) >= UPPER_SIGN ? 0ul - m : m);
}

// Conversions from and to narrower floating-point types, by their bits.

ulong __clforge_f64_of_float(uint x)
{
    uint ix = x & 0x7fffffffu;
    uint n = 0u;
    if (ix - 0x00800000u >= 0x7f800000u - 0x00800000u) {
        if (ix >= 0x7f800000u) // a NaN becomes quiet
            return OF_WORDS((x & UPPER_SIGN) | UPPER_INF | (ix > 0x7f800000u ? 0x00080000u : 0u) | (ix >> 3 & UPPER_FRACTION),
                ix << 29);
        if (ix == 0u)
            return OF_WORDS(x, 0u);
        // To the place of the hidden bit, which counts for one in the exponent.
        n = clz(ix) - 8u;
        ix <<= n;
    }
    n = n == 0u ? 0x38000000u : 0x38000000u - (n << 20);
    return OF_WORDS((x & UPPER_SIGN) | ((ix >> 3) + n), ix << 29);
}

ulong __clforge_f64_of_half(uint x)
{
    uint ix = x & 0x7fffu;
    uint sign = (x & 0x8000u) << 16;
    uint n = 0u;
    if (ix - 0x0400u >= 0x7c00u - 0x0400u) {
        if (ix >= 0x7c00u)
            return OF_WORDS(sign | UPPER_INF | (ix > 0x7c00u ? 0x00080000u : 0u) | (ix << 10 & UPPER_FRACTION), 0u);
        if (ix == 0u)
            return OF_WORDS(sign, 0u);
        n = clz(ix) - 21u;
        ix <<= n;
    }
    return OF_WORDS(sign | ((ix << 10) + 0x3f000000u - (n << 20)), 0u);
}

// x in a type whose fraction has 31 - drop bits and whose exponent has that bias, without the sign.
uint __clforge_f64_narrowed(ulong x, uint drop, uint bias, uint rounding)
{
    uint inf = (2u * bias + 1u) << (31u - drop);
    uint ex = EXPONENT(x);
    if (__clforge_f64_isnan(x)) // with what is left of its payload
        return inf | 1u << (30u - drop) | ((UPPER(x) & UPPER_FRACTION) << 11 | LOWER(x) >> 21) >> drop;
    // The hidden bit is bit 31; what falls off is summed up in the lowest bit. Denormals are smaller than all of the type.
    uint m = (uint)(x >> 21) & 0x7fffffffu;
    m |= (ex != 0u ? 0x80000000u : 0u) | ((LOWER(x) & 0x001fffffu) != 0u ? 1u : 0u);
    int e = min((int)(ex + bias) - 1023, (int)(2u * bias + 1u));
    if (e < 1) { // denormal
        uint n = min((uint)(1 - e), 31u);
        uint t = m >> n;
        m = t | (t << n != m ? 1u : 0u);
        e = 1;
    }
    // The hidden bit counts for one in the exponent, and so may a carry.
    uint low = m & ((2u << drop) - 1u);
    uint carry = (__clforge_f64_rounded_places(low, drop, rounding) >> drop) - (low >> drop);
    uint r = ((uint)(e - 1) << (31u - drop)) + (m >> drop) + carry;
    uint greatest = rounding == TOWARD_ZERO && ex != 2047u ? inf - 1u : inf;
    return min(r, greatest);
}

uint __clforge_f64_float(ulong x, uint rounding)
{
    return __clforge_f64_narrowed(x, 8u, 127u, rounding) | (UPPER(x) & UPPER_SIGN);
}

uint __clforge_f64_to_float(ulong x)
{
    return __clforge_f64_float(x, TO_NEAREST);
}

uint __clforge_f64_half(ulong x, uint rounding)
{
    return __clforge_f64_narrowed(x, 21u, 15u, rounding) | (UPPER(x) & UPPER_SIGN) >> 16;
}

uint __clforge_f64_to_half(ulong x)
{
    return __clforge_f64_half(x, TO_NEAREST);
}

// Rounding to integers. Where the exponent says that a number is below 1, the result is zero or one.

// The bits of x that count less than 1, for 1 <= |x|; none from 2^52 on.
ulong __clforge_f64_fraction(ulong x)
{
    return FRACTION_MASK >> min(EXPONENT(x) - 1023u, 63u);
}

ulong __clforge_f64_trunc(ulong x)
{
    ulong r = __clforge_f64_quiet(x & ~__clforge_f64_fraction(x));
    return EXPONENT(x) < 1023u ? x & SIGN_MASK : r;
}

// Away from zero if that is so, else toward zero.
ulong __clforge_f64_away(ulong x, bool is_away)
{
    ulong fraction = __clforge_f64_fraction(x);
    // A carry counts for one in the exponent.
    ulong r = __clforge_f64_quiet((x + (is_away ? fraction : 0ul)) & ~fraction);
    bool is_one = is_away & (x & MAGNITUDE_MASK) != 0ul;
    return EXPONENT(x) < 1023u ? (x & SIGN_MASK) | (is_one ? ONE_BITS : 0ul) : r;
}

ulong __clforge_f64_floor(ulong x)
{
    return __clforge_f64_away(x, UPPER(x) >= UPPER_SIGN);
}

ulong __clforge_f64_ceil(ulong x)
{
    return __clforge_f64_away(x, UPPER(x) < UPPER_SIGN);
}

// To the nearest, and of two to the even one.
ulong __clforge_f64_rint(ulong x)
{
    ulong fraction = __clforge_f64_fraction(x);
    // From 1 to 2 the lowest bit is that of the exponent, which is set.
    bool is_odd = (x & (fraction + 1ul)) != 0ul;
    ulong r = (x + (fraction >> 1) + (is_odd & fraction != 0ul ? 1ul : 0ul)) & ~fraction;
    bool is_one = (x & MAGNITUDE_MASK) > 0x3fe0000000000000ul;
    return EXPONENT(x) < 1023u ? (x & SIGN_MASK) | (is_one ? ONE_BITS : 0ul) : __clforge_f64_quiet(r);
}
