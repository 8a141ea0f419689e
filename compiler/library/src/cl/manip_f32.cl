// Multiplying by a power of two: ldexp. Through integers, so that a device that flushes denormals agrees with one
// that keeps them.

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
