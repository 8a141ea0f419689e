// Cases of quotients and square roots of floats whose correctly rounded results are known in integers. What is wrong leaves its
// mark in `failed`: by the device's division, by one that corrects it, and the same of square roots.

// The number of work-items is the macro ITEMS, since the runtime's own launches set no ND-range.

#define DIVIDE 0
#define DIVIDE_CORRECTED 1
#define SQRT 2
#define SQRT_CORRECTED 3

// A significand of 24 bits with an exponent.
float number(uint significand, int exponent)
{
    return as_float(((uint)(127 + exponent) << 23) + (significand - (1u << 23)));
}

// Exponents far from both ends, other ones for each case.
int exponent(uint seed)
{
    seed *= 0x9e3779b1u;
    return (int)((seed >> 16) % 81u) - 40;
}

// x / y of significands is quotient * 2^exponent, rounded.
void check_quotient(global uint *failed, uint x, uint y, uint quotient, int e, uint seed)
{
    int ex = exponent(seed), ey = exponent(seed + 12345u);
    float a = number(x, ex), b = number(y, ey), expected = number(quotient, ex - ey + e);
    if (native_divide(a, b) != expected)
        failed[DIVIDE] = 1u;
    if (a / b != expected)
        failed[DIVIDE_CORRECTED] = 1u;
}

// The quotient that is m + remainder/y half units in the last place, where m is odd, if there is a dividend for it. A quotient
// cannot be nearer to the middle between two floats than such a one with a small remainder.
void check_near_middle(global uint *failed, uint y, uint m, int remainder)
{
    uint quotient = remainder > 0 ? (m >> 1) + 1u : m >> 1;
    ulong product = (ulong)m * y + (ulong)(long)remainder; // x * 2^24 where x is y or more, else x * 2^25
    uint x = (uint)(product >> 24);
    if ((product & 0xffffffu) == 0u && x >= y && x < 1u << 24)
        check_quotient(failed, x, y, quotient, 0, y + m);
    x = (uint)(product >> 25);
    if ((product & 0x1ffffffu) == 0u && x < y && x >= 1u << 23)
        check_quotient(failed, x, y, quotient, -1, y + m);
}

uint trailing_zeros(uint x)
{
    return 31u - clz(x & (0u - x));
}

// All quotients by y with a remainder of up to 4.
void check_divisor(global uint *failed, uint y)
{
    uint twos = trailing_zeros(y), odd = y >> twos;
    uint inverse = odd; // modulo 2^3, and of twice as many bits in each step
    for (int i = 0; i < 4; i++)
        inverse *= 2u - odd * inverse;
    for (int remainder = -4; remainder <= 4; remainder++) {
        uint magnitude = (uint)abs(remainder);
        if (magnitude == 0u || trailing_zeros(magnitude) != twos)
            continue; // m would be even, or not a whole number
        uint m = (0u - (uint)(remainder >> twos)) * inverse; // m * odd + (remainder >> twos) is 0 modulo 2^32
        uint period = 1u << (24u - twos);
        for (uint i = 0; i < 1u << twos; i++)
            check_near_middle(failed, y, (1u << 24) + (m & (period - 1u)) + i * period, remainder);
    }
    // and one in no special place
    uint x = (1u << 23) | (y * 0x9e3779b1u >> 9);
    uint e = x < y ? 1u : 0u;
    ulong dividend = (ulong)x << (24u + e);
    uint halves = (uint)(dividend / y);
    bool up = (halves & 1u) != 0u && ((ulong)halves * y != dividend || (halves & 2u) != 0u);
    check_quotient(failed, x, y, (halves >> 1) + (up ? 1u : 0u), -(int)e, y);
}

// Whether y is the float next to the square root of x*2^odd*2^(2*e).
bool is_root(float y, uint x, uint odd, int e)
{
    ulong square = (ulong)x << (25u + odd); // of twice the root in units of the last place
    uint r = as_uint(y) - ((uint)(127 + e) << 23);
    if (r >= 1u << 23)
        return false;
    ulong twice = 2ul * (r + (1u << 23));
    return (twice - 1ul) * (twice - 1ul) < square && square < (twice + 1ul) * (twice + 1ul);
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void probe(global uint *failed, uint stride)
{
    for (uint i = (uint)get_global_id(0) * stride; i < 1u << 23; i += ITEMS * stride) {
        uint x = (1u << 23) + i;
        check_divisor(failed, x);
        for (uint odd = 0u; odd < 2u; odd++) {
            int e = exponent(x + odd) / 2;
            float square = number(x, 2 * e + (int)odd);
            if (!is_root(native_sqrt(square), x, odd, e))
                failed[SQRT] = 1u;
            if (!is_root(sqrt(square), x, odd, e))
                failed[SQRT_CORRECTED] = 1u;
        }
    }
}
