// Inverse trigonometric functions of float: asin, acos, atan, atan2 and the same over pi.

// atan(t) for 0 <= t <= 1.
float __clforge_atan_kernel_f32(float t)
{
    float z = t * t;
    // atan(t) = t + t^3*p, relative error 2^-28.5 on [0, 1]
    float p = -0x1.55553ep-2f + z * (0x1.9991ecp-3f + z * (-0x1.24211ap-3f + z * (0x1.c0946cp-4f +
        z * (-0x1.5825f2p-4f + z * (0x1.da9c2ep-5f + z * (-0x1.fe7d24p-6f +
        z * (0x1.6551e2p-7f - z * 0x1.d5a1aap-10f)))))));
    return t + t * z * p;
}

float __clforge_atan_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    float a = as_float(ix);
    bool large = ix > 0x3f800000u;
    float p = __clforge_atan_kernel_f32(large ? 1.0f / a : a);
    if (large)
        p = 0x1.921fb6p0f - (p + 0x1.777a5cp-25f);
    return as_float(as_uint(p) | (ux & 0x80000000u));
}

// atan(y/x) of magnitudes given by their bits (none nan, not both zero or inf): in [0, pi/2].
float __clforge_atan2_quadrant_f32(uint iy, uint ix)
{
    uint a = iy > ix ? ix : iy;
    uint b = iy > ix ? iy : ix;
    float q = 0.0f;
    if (b < 0x30000000u) // denormals as integers, the others scaled
        q = (a < 0x00800000u ? (float)a * 0x1p-85f : as_float(a) * 0x1p64f) /
            (b < 0x00800000u ? (float)b * 0x1p-85f : as_float(b) * 0x1p64f);
    else
        q = as_float(a) / as_float(b);
    float p = __clforge_atan_kernel_f32(q);
    return iy > ix ? 0x1.921fb6p0f - (p + 0x1.777a5cp-25f) : p;
}

float __clforge_atan2_f32(float y, float x)
{
    uint ux = as_uint(x);
    uint uy = as_uint(y);
    uint ix = ux & 0x7fffffffu;
    uint iy = uy & 0x7fffffffu;
    if (ix > 0x7f800000u || iy > 0x7f800000u)
        return as_float(0x7fc00000u);
    float p;
    if (iy == 0u)
        p = 0.0f;
    else if (ix == 0x7f800000u)
        p = iy == 0x7f800000u ? 0x1.921fb6p-1f : 0.0f;
    else
        p = __clforge_atan2_quadrant_f32(iy, ix);
    if (ux >> 31 != 0u)
        p = 0x1.921fb6p1f - (p + 0x1.777a5cp-24f);
    return as_float(as_uint(p) | (uy & 0x80000000u));
}

float __clforge_atanpi_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    float a = as_float(ix);
    bool large = ix > 0x3f800000u;
    float p = __clforge_atan_kernel_f32(large ? 1.0f / a : a) * 0x1.45f306p-2f;
    if (large)
        p = 0.5f - p;
    return as_float(as_uint(p) | (ux & 0x80000000u));
}

float __clforge_atan2pi_f32(float y, float x)
{
    uint ux = as_uint(x);
    uint uy = as_uint(y);
    uint ix = ux & 0x7fffffffu;
    uint iy = uy & 0x7fffffffu;
    if (ix > 0x7f800000u || iy > 0x7f800000u)
        return as_float(0x7fc00000u);
    float p;
    if (iy == 0u)
        p = 0.0f;
    else if (ix == 0x7f800000u)
        p = iy == 0x7f800000u ? 0.25f : 0.0f;
    else if (iy == 0x7f800000u || ix == 0u)
        p = 0.5f;
    else
        p = __clforge_atan2_quadrant_f32(iy, ix) * 0x1.45f306p-2f;
    if (ux >> 31 != 0u)
        p = 1.0f - p;
    return as_float(as_uint(p) | (uy & 0x80000000u));
}

// asin(s) = s + s*asin_kernel(s*s) for 0 <= s <= 1/2.
float __clforge_asin_kernel_f32(float z)
{
    // asin(s) = s + s*z*p with z = s^2, relative error 2^-27.6 on [0, 0.5001]
    float p = 0x1.5555c8p-3f + z * (0x1.3301fep-4f + z * (0x1.747cbep-5f + z * (0x1.8c30b4p-6f +
        z * 0x1.596a7ep-5f)));
    return z * p;
}

float __clforge_asin_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x3f800000u)
        return as_float(0x7fc00000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    float a = as_float(ix);
    bool large = ix > 0x3f000000u;
    // asin(a) = pi/2 - 2*asin(sqrt((1-a)/2))
    float z = large ? 0.5f - 0.5f * a : a * a;
    float s = large ? sqrt(z) : a;
    float p = s * __clforge_asin_kernel_f32(z);
    p = large ? 0x1.921fb6p0f - (2.0f * (s + p) + 0x1.777a5cp-25f) : s + p;
    return as_float(as_uint(p) | (ux & 0x80000000u));
}

float __clforge_acos_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x3f800000u)
        return as_float(0x7fc00000u);
    float a = as_float(ix);
    bool large = ix > 0x3f000000u;
    float z = large ? 0.5f - 0.5f * a : a * a;
    float s = large ? sqrt(z) : a;
    float p = s * __clforge_asin_kernel_f32(z);
    if (!large) { // pi/2 - asin(x)
        s = ux >> 31 != 0u ? -s : s;
        p = ux >> 31 != 0u ? -p : p;
        return 0x1.921fb6p0f - (s + (p + 0x1.777a5cp-25f));
    }
    p = 2.0f * (s + p);
    return ux >> 31 != 0u ? 0x1.921fb6p1f - (p + 0x1.777a5cp-24f) : p;
}

float __clforge_asinpi_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x3f800000u)
        return as_float(0x7fc00000u);
    float a = as_float(ix);
    bool large = ix > 0x3f000000u;
    float z = large ? 0.5f - 0.5f * a : a * a;
    float s = large ? sqrt(z) : a;
    float p = s + s * __clforge_asin_kernel_f32(z);
    p = large ? 0.5f - p * 0x1.45f306p-1f : p * 0x1.45f306p-2f;
    return as_float(as_uint(p) | (ux & 0x80000000u));
}

float __clforge_acospi_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x3f800000u)
        return as_float(0x7fc00000u);
    float a = as_float(ix);
    bool large = ix > 0x3f000000u;
    float z = large ? 0.5f - 0.5f * a : a * a;
    float s = large ? sqrt(z) : a;
    float p = s + s * __clforge_asin_kernel_f32(z);
    if (!large)
        return ux >> 31 != 0u ? 0.5f + p * 0x1.45f306p-2f : 0.5f - p * 0x1.45f306p-2f;
    p *= 0x1.45f306p-1f;
    return ux >> 31 != 0u ? 1.0f - p : p;
}
