// Arc tangent of float: atan, atanpi, and what atan2 needs.
//
// A minimax polynomial up to 1, from there atan(a) = pi/2 - atan(1/a) (NIST Digital Library of Mathematical Functions,
// 4.24). Separate from the double version, which takes a shorter interval and makes the reciprocal part of its
// quotient.
//
// Greatest measured errors in ulp: atan 1.6, atanpi 2.5.

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
