// Taking floats apart and putting them together: frexp, ldexp, modf, fract, nextafter, round, fdim, fmin, fmax,
// minmag, maxmag, copysign. Comparisons and results go through integers, so that a device that flushes
// denormals agrees with one that keeps them.

// A key that orders floats as integers; both zeros are 0.
int __clforge_order_f32(float x)
{
    uint ux = as_uint(x);
    return (ux >> 31) != 0u ? -(int)(ux & 0x7fffffffu) : (int)ux;
}

bool __clforge_isnan_f32(float x)
{
    return (as_uint(x) & 0x7fffffffu) > 0x7f800000u;
}

float __clforge_copysign_f32(float x, float y)
{
    return as_float((as_uint(x) & 0x7fffffffu) | (as_uint(y) & 0x80000000u));
}

float __clforge_fmax_f32(float x, float y)
{
    if (__clforge_isnan_f32(x))
        return y;
    return !__clforge_isnan_f32(y) && __clforge_order_f32(x) < __clforge_order_f32(y) ? y : x;
}

float __clforge_fmin_f32(float x, float y)
{
    if (__clforge_isnan_f32(x))
        return y;
    return !__clforge_isnan_f32(y) && __clforge_order_f32(y) < __clforge_order_f32(x) ? y : x;
}

float __clforge_maxmag_f32(float x, float y)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    uint iy = as_uint(y) & 0x7fffffffu;
    if (ix == iy || ix > 0x7f800000u || iy > 0x7f800000u)
        return __clforge_fmax_f32(x, y);
    return ix > iy ? x : y;
}

float __clforge_minmag_f32(float x, float y)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    uint iy = as_uint(y) & 0x7fffffffu;
    if (ix == iy || ix > 0x7f800000u || iy > 0x7f800000u)
        return __clforge_fmin_f32(x, y);
    return ix < iy ? x : y;
}

float __clforge_fdim_f32(float x, float y)
{
    if (__clforge_isnan_f32(x) || __clforge_isnan_f32(y))
        return as_float(0x7fc00000u);
    return __clforge_order_f32(x) > __clforge_order_f32(y) ? x - y : 0.0f;
}

float __clforge_nextafter_f32(float x, float y)
{
    uint ux = as_uint(x);
    if (__clforge_isnan_f32(x) || __clforge_isnan_f32(y))
        return as_float(0x7fc00000u);
    int a = __clforge_order_f32(x);
    int b = __clforge_order_f32(y);
    if (a == b)
        return y;
    if (a == 0)
        return as_float(b > 0 ? 1u : 0x80000001u);
    return as_float((a < b) == (a > 0) ? ux + 1u : ux - 1u);
}

// Half away from zero.
float __clforge_round_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x4b000000u) // an integer already, inf or nan
        return ix > 0x7f800000u ? as_float(ux | 0x00400000u) : x;
    if (ix < 0x3f000000u)
        return as_float(ux & 0x80000000u);
    if (ix < 0x3f800000u)
        return as_float(0x3f800000u | (ux & 0x80000000u));
    uint s = (ix >> 23) - 127u; // bits of the significand before the point
    ix = (ix + (0x00400000u >> s)) & ~(0x007fffffu >> s);
    return as_float(ix | (ux & 0x80000000u));
}

float __clforge_frexp_f32(float x, int *e)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    *e = 0;
    if (ix >= 0x7f800000u || ix == 0u)
        return ix > 0x7f800000u ? as_float(ux | 0x00400000u) : x;
    int n = -126;
    if (ix < 0x00800000u) {
        ix = as_uint((float)ix);
        n = -126 - 149;
    }
    *e = (int)(ix >> 23) + n;
    return as_float((ux & 0x80000000u) | (ix & 0x007fffffu) | 0x3f000000u);
}

// Rounded once, to nearest even, where the result is denormal.
float __clforge_ldexp_f32(float x, int k)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    uint sign = ux & 0x80000000u;
    if (ix >= 0x7f800000u || ix == 0u)
        return ix > 0x7f800000u ? as_float(ux | 0x00400000u) : x;
    int n = 0;
    if (ix < 0x00800000u) {
        ix = as_uint((float)ix);
        n = -149;
    }
    k = k > 1000 ? 1000 : k < -1000 ? -1000 : k;
    int e = (int)(ix >> 23) + n + k;
    if (e >= 255)
        return as_float(sign | 0x7f800000u);
    if (e >= 1)
        return as_float(sign | ((uint)e << 23) | (ix & 0x007fffffu));
    if (e < -24)
        return as_float(sign);
    uint m = (ix & 0x007fffffu) | 0x00800000u;
    uint s = (uint)(1 - e); // 1 .. 25
    uint r = m >> s;
    uint rest = m << (32u - s);
    r += rest > 0x80000000u || (rest == 0x80000000u && (r & 1u) != 0u) ? 1u : 0u;
    return as_float(sign | r);
}

float __clforge_modf_f32(float x, float *whole)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    uint sign = ux & 0x80000000u;
    if (ix > 0x7f800000u) {
        *whole = as_float(ux | 0x00400000u);
        return as_float(ux | 0x00400000u);
    }
    if (ix >= 0x4b000000u) { // an integer, or inf
        *whole = x;
        return as_float(sign);
    }
    if (ix < 0x3f800000u) {
        *whole = as_float(sign);
        return x;
    }
    float t = as_float(ix & ~(0x007fffffu >> ((ix >> 23) - 127u)));
    *whole = as_float(as_uint(t) | sign);
    return as_float(as_uint(as_float(ix) - t) | sign);
}

float __clforge_fract_f32(float x, float *whole)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u) {
        *whole = as_float(ux | 0x00400000u);
        return as_float(ux | 0x00400000u);
    }
    if (ix == 0u || ix >= 0x4b000000u) { // zero, an integer, or inf
        *whole = x;
        return as_float(ux & (ix == 0u || ix == 0x7f800000u ? 0x80000000u : 0u));
    }
    if (ix < 0x00800000u) { // denormal, which floor may flush
        *whole = ux >> 31 != 0u ? -1.0f : 0.0f;
        return ux >> 31 != 0u ? 0x1.fffffep-1f : x;
    }
    float f = floor(x);
    *whole = f;
    float r = x - f;
    return r < 1.0f ? r : 0x1.fffffep-1f;
}
