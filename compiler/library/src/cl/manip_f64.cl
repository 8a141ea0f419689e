// Multiplying by a power of two: ldexp. Through integers, so that a device that flushes denormals agrees with one
// that keeps them.

// Rounded once, to nearest even, where the result is denormal.
double __clforge_ldexp_f64(double x, int k)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong sign = ux & 0x8000000000000000ul;
    if (ix >= 0x7ff0000000000000ul || ix == 0ul)
        return ix > 0x7ff0000000000000ul ? as_double(ux | 0x0008000000000000ul) : x;
    int n = 0;
    if (ix < 0x0010000000000000ul) {
        ix = as_ulong((double)ix);
        n = -1074;
    }
    k = k > 5000 ? 5000 : k < -5000 ? -5000 : k;
    int e = (int)(ix >> 52) + n + k;
    if (e >= 2047)
        return as_double(sign | 0x7ff0000000000000ul);
    if (e >= 1)
        return as_double(sign | ((ulong)e << 52) | (ix & 0x000ffffffffffffful));
    if (e < -53)
        return as_double(sign);
    ulong m = (ix & 0x000ffffffffffffful) | 0x0010000000000000ul;
    uint s = (uint)(1 - e); // 1 .. 54
    ulong r = m >> s;
    ulong rest = m << (64u - s);
    r += rest > 0x8000000000000000ul || (rest == 0x8000000000000000ul && (r & 1ul) != 0ul) ? 1ul : 0ul;
    return as_double(sign | r);
}
