// Arc tangent of float: atan, atanpi, and what atan2 needs.
//
// A minimax polynomial up to 1, from there atan(a) = pi/2 - atan(1/a) (NIST Digital Library of Mathematical Functions,
// 4.24). Separate from the double version, which takes a shorter interval and makes the reciprocal part of its
// quotient.
//
// Greatest measured errors in ulp: atan 1.3, atanpi 2.9.

// p of atan(t) = t + t^3*p for 0 <= t <= 1, z = t^2; relative error of atan 2^-25.8. A coefficient less would be wrong by
// 2^-23.1.
float __clforge_atan_polynomial_f32(float z)
{
    return -0x1.5554dcp-2f + z * (0x1.9978ecp-3f + z * (-0x1.230a96p-3f + z * (0x1.b4dedep-4f +
        z * (-0x1.35519p-4f + z * (0x1.61f14p-5f + z * (-0x1.0c1c26p-6f + z * 0x1.7eb1a4p-9f))))));
}

// atan(t) for 0 <= t <= 1.
float __clforge_atan_kernel_f32(float t)
{
    float z = t * t;
    return t + t * z * __clforge_atan_polynomial_f32(z);
}

float __clforge_atan_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    float a = as_float(ix);
    bool large = ix > 0x3f800000u;
    // a huge divisor may give zero instead of a denormal, which is lost in the difference
    float t = large ? native_recip(a) : a;
    float z = t * t;
    float rest = t * z * __clforge_atan_polynomial_f32(z);
    // pi/2 - t, and what it lost, with the second part of pi/2
    float first = large ? 0x1.921fb6p0f - t : t;
    float lost = 0x1.921fb6p0f - first - t - 0x1.777a5cp-25f;
    float p = first + (large ? lost - rest : rest);
    // a denormal may be flushed before it is the result
    p = ix < 0x39000000u || ix > 0x7f800000u ? a : p; // |x| < 2^-13, nan
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
    return iy > ix ? 0x1.921fb6p0f - p : p;
}

float __clforge_atanpi_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    float a = as_float(ix);
    bool large = ix > 0x3f800000u;
    float p = __clforge_atan_kernel_f32(large ? native_recip(a) : a) * 0x1.45f306p-2f;
    if (large)
        p = 0.5f - p;
    return as_float(as_uint(p) | (ux & 0x80000000u));
}
