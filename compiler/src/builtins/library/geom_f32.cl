// Geometric functions of float on up to four components, absent ones zero: length (distance is the length of the
// difference) and normalize, without overflow or underflow in between.

// A power of two that brings the largest component, given by its bits, where squares are safe, or 1.
float __clforge_geom_scale_f32(uint largest)
{
    return largest > 0x5e000000u ? 0x1p-70f : largest < 0x30000000u ? 0x1p+80f : 1.0f;
}

uint __clforge_geom_largest_f32(float x, float y, float z, float w)
{
    uint a = as_uint(x) & 0x7fffffffu;
    uint b = as_uint(y) & 0x7fffffffu;
    uint c = as_uint(z) & 0x7fffffffu;
    uint d = as_uint(w) & 0x7fffffffu;
    a = a > b ? a : b;
    c = c > d ? c : d;
    return a > c ? a : c;
}

float __clforge_length_f32(float x, float y, float z, float w)
{
    uint m = __clforge_geom_largest_f32(x, y, z, w);
    if (m >= 0x7f800000u)
        return as_float(m > 0x7f800000u ? 0x7fc00000u : m);
    float s = __clforge_geom_scale_f32(m);
    x *= s;
    y *= s;
    z *= s;
    w *= s;
    float r = sqrt((x * x + y * y) + (z * z + w * w));
    return s == 1.0f ? r : s < 1.0f ? r * 0x1p70f : r * 0x1p-80f;
}

// In place.
void __clforge_normalize_f32(float *x, float *y, float *z, float *w)
{
    uint m = __clforge_geom_largest_f32(*x, *y, *z, *w);
    if (m == 0u)
        return;
    if (m > 0x7f800000u) {
        *x = *y = *z = *w = as_float(0x7fc00000u);
        return;
    }
    if (m == 0x7f800000u) { // infinities become ones, all else zeros
        uint a = as_uint(*x);
        uint b = as_uint(*y);
        uint c = as_uint(*z);
        uint d = as_uint(*w);
        *x = as_float((a & 0x80000000u) | ((a & 0x7fffffffu) == m ? 0x3f800000u : 0u));
        *y = as_float((b & 0x80000000u) | ((b & 0x7fffffffu) == m ? 0x3f800000u : 0u));
        *z = as_float((c & 0x80000000u) | ((c & 0x7fffffffu) == m ? 0x3f800000u : 0u));
        *w = as_float((d & 0x80000000u) | ((d & 0x7fffffffu) == m ? 0x3f800000u : 0u));
    }
    m = __clforge_geom_largest_f32(*x, *y, *z, *w);
    float s = __clforge_geom_scale_f32(m);
    float p = *x * s;
    float q = *y * s;
    float r = *z * s;
    float t = *w * s;
    float l = (p * p + q * q) + (r * r + t * t);
    if (l == 0.0f) // denormals that the device flushes
        return;
    l = sqrt(l);
    *x = p / l;
    *y = q / l;
    *z = r / l;
    *w = t / l;
}
