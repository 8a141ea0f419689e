// Trigonometric functions of float: sin, cos, tan, sinpi, cospi, tanpi.
//
// |x| < 6400 is reduced by a four-part pi/2 (W. J. Cody, W. Waite, 1980), everything else by the bits of 2/pi
// that matter, in integers (M. H. Payne, R. N. Hanek, "Radian Reduction for Trigonometric Functions", SIGNUM
// Newsletter 18, 1983). Both keep the relative precision of the reduced argument next to multiples of pi/2.

// x*2/pi for 6400 <= x < inf, given by its bits: returns the reduced argument in radians, *quadrant gets the
// low bits of the nearest integer.
float __clforge_trig_reduce_large_f32(uint ix, uint *quadrant)
{
    uint m = (ix & 0x007fffffu) | 0x00800000u;
    // x = m*2^(e-150); the window starts two bits above the binary point of the product. A leading word of
    // zeros stands for the integer part of 2/pi.
    uint pos = (ix >> 23) - 120u; // 19 .. 134
    uint w0 = 0x00000000u;
    uint w1 = 0xa2f9836eu;
    uint w2 = 0x4e441529u;
    uint w3 = 0xfc2757d1u;
    if (pos >= 96u) {
        w0 = w3;
        w1 = 0xf534ddc0u;
        w2 = 0xdb629599u;
        w3 = 0x3c439041u;
        pos -= 96u;
        if (pos >= 32u) {
            w0 = w1;
            w1 = w2;
            w2 = w3;
            w3 = 0xfe5163abu;
            pos -= 32u;
        }
    } else if (pos >= 64u) {
        w0 = w2;
        w1 = w3;
        w2 = 0xf534ddc0u;
        w3 = 0xdb629599u;
        pos -= 64u;
    } else if (pos >= 32u) {
        w0 = w1;
        w1 = w2;
        w2 = w3;
        w3 = 0xf534ddc0u;
        pos -= 32u;
    }
    if (pos != 0u) {
        w0 = (w0 << pos) | (w1 >> (32u - pos));
        w1 = (w1 << pos) | (w2 >> (32u - pos));
        w2 = (w2 << pos) | (w3 >> (32u - pos));
    }
    // the upper 64 bits of m*w modulo 2^96: two bits of integer, 62 of fraction
    uint lo = m * w1;
    uint hi = m * w0 + mul_hi(m, w1);
    uint t = mul_hi(m, w2);
    lo += t;
    hi += lo < t ? 1u : 0u;
    // to the nearest integer and a fraction of either sign
    uint q = hi >> 30;
    hi = (hi << 2) | (lo >> 30);
    lo <<= 2;
    uint sign = hi & 0x80000000u;
    if (sign != 0u) {
        q += 1u;
        hi = ~hi;
        lo = ~lo;
    }
    *quadrant = q;
    uint n = clz(hi); // at most 29 for any float (checked for all)
    if (n != 0u)
        hi = (hi << n) | (lo >> (32u - n));
    // times pi/2, rounded once, in the conversion
    float r = (float)mul_hi(hi, 0xc90fdaa2u) * as_float((96u - n) << 23);
    return as_float(as_uint(r) | sign);
}

// x = q*pi/2 + r for |x| < inf, given by its bits without the sign; |r| <= pi/4.
float __clforge_trig_reduce_f32(uint ix, uint *quadrant)
{
    if (ix >= 0x45c80000u) // |x| >= 6400
        return __clforge_trig_reduce_large_f32(ix, quadrant);
    float x = as_float(ix);
    float k = rint(x * 0x1.45f306p-1f);
    *quadrant = (uint)(int)k;
    // the first three parts have 12 bits, so that k times each is exact and so are the first two differences
    float r = (x - k * 0x1.92p+0f) - k * 0x1.fb4p-12f;
    float w = k * 0x1.444p-24f;
    float s = r - w;
    float c = (r - s) - w; // what s lost
    return s - (k * 0x1.68c234p-39f - c);
}

// sin(r) and cos(r) for |r| <= pi/4.
float __clforge_sin_kernel_f32(float r)
{
    float z = r * r;
    // sin(r) = r + r^3*p, relative error 2^-32.2 on [0, 0.786]
    float p = -0x1.555556p-3f + z * (0x1.111164p-7f + z * (-0x1.a0485ep-13f + z * 0x1.77de1p-19f));
    return r + r * z * p;
}

float __clforge_cos_kernel_f32(float r)
{
    float z = r * r;
    // cos(r) = 1 - r^2/2 + r^4*p, relative error 2^-33.0 on [0, 0.786]
    float p = 0x1.55554ap-5f + z * (-0x1.6c0c2ap-10f + z * 0x1.99e8fcp-16f);
    return 1.0f - (0.5f * z - z * z * p);
}

float __clforge_sin_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix | 0x7fc00000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    uint q;
    float r = __clforge_trig_reduce_f32(ix, &q);
    float y = (q & 1u) != 0u ? __clforge_cos_kernel_f32(r) : __clforge_sin_kernel_f32(r);
    return as_float(as_uint(y) ^ ((q << 30) & 0x80000000u) ^ (ux & 0x80000000u));
}

float __clforge_cos_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix | 0x7fc00000u);
    uint q;
    float r = __clforge_trig_reduce_f32(ix, &q);
    float y = (q & 1u) != 0u ? __clforge_sin_kernel_f32(r) : __clforge_cos_kernel_f32(r);
    return as_float(as_uint(y) ^ (((q + 1u) << 30) & 0x80000000u));
}

// tan(r) in quadrant q.
float __clforge_tan_kernel_f32(float r, uint q)
{
    float s = __clforge_sin_kernel_f32(r);
    float c = __clforge_cos_kernel_f32(r);
    return (q & 1u) != 0u ? -(c / s) : s / c;
}

float __clforge_tan_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix | 0x7fc00000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    uint q;
    float r = __clforge_trig_reduce_f32(ix, &q);
    return as_float(as_uint(__clforge_tan_kernel_f32(r, q)) ^ (ux & 0x80000000u));
}

// |x| = q/2 + r/pi exactly, given by its bits without the sign, for |x| < 2^24; larger ones are even.
float __clforge_trigpi_reduce_f32(uint ix, uint *quadrant)
{
    float x = ix >= 0x4b800000u ? 0.0f : as_float(ix);
    float k = rint(x + x);
    *quadrant = (uint)(int)k;
    return (x - 0.5f * k) * 0x1.921fb6p1f;
}

float __clforge_sinpi_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix | 0x7fc00000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x * 0x1.921fb6p1f;
    uint q;
    float r = __clforge_trigpi_reduce_f32(ix, &q);
    float y = (q & 1u) != 0u ? __clforge_cos_kernel_f32(r) : __clforge_sin_kernel_f32(r);
    uint s = (q << 30) & 0x80000000u;
    if (r == 0.0f && (q & 1u) == 0u) // a zero has the sign of x
        return as_float(ux & 0x80000000u);
    return as_float(as_uint(y) ^ s ^ (ux & 0x80000000u));
}

float __clforge_cospi_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix | 0x7fc00000u);
    uint q;
    float r = __clforge_trigpi_reduce_f32(ix, &q);
    float y = (q & 1u) != 0u ? __clforge_sin_kernel_f32(r) : __clforge_cos_kernel_f32(r);
    if (r == 0.0f && (q & 1u) != 0u)
        return 0.0f;
    return as_float(as_uint(y) ^ (((q + 1u) << 30) & 0x80000000u));
}

float __clforge_tanpi_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix | 0x7fc00000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x * 0x1.921fb6p1f;
    uint q;
    float r = __clforge_trigpi_reduce_f32(ix, &q);
    if (r == 0.0f) {
        // quadrants 0 and 1: +0 and +inf; 2 and 3: -0 and -inf; the other way round for a negative x, but for
        // the infinities, whose sign alternates along the axis
        uint s = (q << 30) & 0x80000000u;
        if ((q & 1u) == 0u)
            return as_float(s ^ (ux & 0x80000000u));
        return as_float(0x7f800000u ^ s ^ (ux & 0x80000000u));
    }
    return as_float(as_uint(__clforge_tan_kernel_f32(r, q)) ^ (ux & 0x80000000u));
}
