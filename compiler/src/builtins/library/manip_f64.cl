// Taking doubles apart and putting them together: frexp, ldexp, modf, fract, nextafter, round, fdim, fmin, fmax,
// minmag, maxmag, copysign. Comparisons and results go through integers, so that a device that flushes
// denormals agrees with one that keeps them.

// A key that orders doubles as integers; both zeros are 0.
long __clforge_order_f64(double x)
{
    ulong ux = as_ulong(x);
    return ux >> 63 != 0ul ? -(long)(ux & 0x7ffffffffffffffful) : (long)ux;
}

bool __clforge_isnan_f64(double x)
{
    return (as_ulong(x) & 0x7ffffffffffffffful) > 0x7ff0000000000000ul;
}

double __clforge_copysign_f64(double x, double y)
{
    return as_double((as_ulong(x) & 0x7ffffffffffffffful) | (as_ulong(y) & 0x8000000000000000ul));
}

double __clforge_fmax_f64(double x, double y)
{
    if (__clforge_isnan_f64(x))
        return y;
    return !__clforge_isnan_f64(y) && __clforge_order_f64(x) < __clforge_order_f64(y) ? y : x;
}

double __clforge_fmin_f64(double x, double y)
{
    if (__clforge_isnan_f64(x))
        return y;
    return !__clforge_isnan_f64(y) && __clforge_order_f64(y) < __clforge_order_f64(x) ? y : x;
}

double __clforge_maxmag_f64(double x, double y)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    ulong iy = as_ulong(y) & 0x7ffffffffffffffful;
    if (ix == iy || ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return __clforge_fmax_f64(x, y);
    return ix > iy ? x : y;
}

double __clforge_minmag_f64(double x, double y)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    ulong iy = as_ulong(y) & 0x7ffffffffffffffful;
    if (ix == iy || ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return __clforge_fmin_f64(x, y);
    return ix < iy ? x : y;
}

double __clforge_fdim_f64(double x, double y)
{
    if (__clforge_isnan_f64(x) || __clforge_isnan_f64(y))
        return as_double(0x7ff8000000000000ul);
    return __clforge_order_f64(x) > __clforge_order_f64(y) ? x - y : 0.0;
}

double __clforge_nextafter_f64(double x, double y)
{
    ulong ux = as_ulong(x);
    if (__clforge_isnan_f64(x) || __clforge_isnan_f64(y))
        return as_double(0x7ff8000000000000ul);
    long a = __clforge_order_f64(x);
    long b = __clforge_order_f64(y);
    if (a == b)
        return y;
    if (a == 0)
        return as_double(b > 0 ? 1ul : 0x8000000000000001ul);
    return as_double((a < b) == (a > 0) ? ux + 1ul : ux - 1ul);
}

// Half away from zero.
double __clforge_round_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x4330000000000000ul) // an integer already, inf or nan
        return ix > 0x7ff0000000000000ul ? as_double(ux | 0x0008000000000000ul) : x;
    if (ix < 0x3fe0000000000000ul)
        return as_double(ux & 0x8000000000000000ul);
    if (ix < 0x3ff0000000000000ul)
        return as_double(0x3ff0000000000000ul | (ux & 0x8000000000000000ul));
    ulong s = (ix >> 52) - 1023ul; // bits of the significand before the point
    ix = (ix + (0x0008000000000000ul >> s)) & ~(0x000ffffffffffffful >> s);
    return as_double(ix | (ux & 0x8000000000000000ul));
}

double __clforge_frexp_f64(double x, int *e)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    *e = 0;
    if (ix >= 0x7ff0000000000000ul || ix == 0ul)
        return ix > 0x7ff0000000000000ul ? as_double(ux | 0x0008000000000000ul) : x;
    int n = -1022;
    if (ix < 0x0010000000000000ul) {
        ix = as_ulong((double)ix);
        n = -1022 - 1074;
    }
    *e = (int)(ix >> 52) + n;
    return as_double((ux & 0x8000000000000000ul) | (ix & 0x000ffffffffffffful) | 0x3fe0000000000000ul);
}

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

double __clforge_modf_f64(double x, double *whole)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong sign = ux & 0x8000000000000000ul;
    if (ix > 0x7ff0000000000000ul) {
        *whole = as_double(ux | 0x0008000000000000ul);
        return as_double(ux | 0x0008000000000000ul);
    }
    if (ix >= 0x4330000000000000ul) { // an integer, or inf
        *whole = x;
        return as_double(sign);
    }
    if (ix < 0x3ff0000000000000ul) {
        *whole = as_double(sign);
        return x;
    }
    double t = as_double(ix & ~(0x000ffffffffffffful >> ((ix >> 52) - 1023ul)));
    *whole = as_double(as_ulong(t) | sign);
    return as_double(as_ulong(as_double(ix) - t) | sign);
}

double __clforge_fract_f64(double x, double *whole)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul) {
        *whole = as_double(ux | 0x0008000000000000ul);
        return as_double(ux | 0x0008000000000000ul);
    }
    if (ix == 0ul || ix >= 0x4330000000000000ul) { // zero, an integer, or inf
        *whole = x;
        return as_double(ux & (ix == 0ul || ix == 0x7ff0000000000000ul ? 0x8000000000000000ul : 0ul));
    }
    if (ix < 0x0010000000000000ul) { // denormal, which floor may flush
        *whole = ux >> 63 != 0ul ? -1.0 : 0.0;
        return ux >> 63 != 0ul ? 0x1.fffffffffffffp-1 : x;
    }
    double f = floor(x);
    *whole = f;
    double r = x - f;
    return r < 1.0 ? r : 0x1.fffffffffffffp-1;
}
