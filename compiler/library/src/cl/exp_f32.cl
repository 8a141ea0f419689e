// Exponentials of float: exp, exp2, exp10, expm1.
//
// x = k*ln2 + r with |r| <= ln2/2 by a two-part constant (W. J. Cody, W. Waite, "Software Manual for the
// Elementary Functions", 1980), then a minimax polynomial (coefficients found with Sollya's fpminimax:
// N. Brisebarre, S. Chevillard, "Efficient polynomial L-approximations", ARITH-18, 2007). The result is
// scaled by two powers of two, so that a denormal result is rounded once, in the last multiplication.

// y * 2^k for |y| in [0.5, 2] and |k| <= 250.
float __clforge_scale_f32(float y, int k)
{
    int h = k >> 1;
    return y * as_float((uint)(h + 127) << 23) * as_float((uint)(k - h + 127) << 23);
}

// exp(r) for |r| <= 0.3475.
float __clforge_exp_kernel_f32(float r)
{
    // exp(r) = 1 + r + r^2*p, relative error 2^-28.2 on [-0.3475, 0.3475]
    float p = 0x1.fffffap-2f + r * (0x1.55549p-3f + r * (0x1.555a22p-5f + r * (0x1.123b04p-7f +
        r * 0x1.695414p-10f)));
    return 1.0f + (r + r * r * p);
}

// 2^n*exp(x) for |x| < 105 and |n| <= 80.
float __clforge_exp_scaled_f32(float x, int n)
{
    float k = rint(x * 0x1.715476p0f);
    // the high part has 12 bits, so k times it is exact
    float r = (x - k * 0x1.62ep-1f) - k * 0x1.0bfbe8p-15f;
    return __clforge_scale_f32(__clforge_exp_kernel_f32(r), (int)k + n);
}

float __clforge_exp_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x42d20000u) { // |x| >= 105: overflow, underflow, inf or nan
        if (ix > 0x7f800000u)
            return as_float(ix | 0x00400000u);
        return as_uint(x) >> 31 != 0u ? 0.0f : as_float(0x7f800000u);
    }
    return __clforge_exp_scaled_f32(x, 0);
}

float __clforge_exp2_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x43180000u) { // |x| >= 152
        if (ix > 0x7f800000u)
            return as_float(ix | 0x00400000u);
        return as_uint(x) >> 31 != 0u ? 0.0f : as_float(0x7f800000u);
    }
    float k = rint(x);
    float r = x - k;
    // 2^r = 1 + r*p, relative error 2^-28.0 on [-0.501, 0.501]
    float p = 0x1.62e43p-1f + r * (0x1.ebfbd8p-3f + r * (0x1.c6af72p-5f + r * (0x1.3b309p-7f +
        r * (0x1.5f0e12p-10f + r * 0x1.3fb5f2p-13f))));
    return __clforge_scale_f32(1.0f + r * p, (int)k);
}

float __clforge_exp10_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x42380000u) { // |x| >= 46
        if (ix > 0x7f800000u)
            return as_float(ix | 0x00400000u);
        return as_uint(x) >> 31 != 0u ? 0.0f : as_float(0x7f800000u);
    }
    float k = rint(x * 0x1.a934fp1f);
    float r = (x - k * 0x1.344p-2f) - k * 0x1.3509f8p-18f;
    // 10^r = 1 + r*p, relative error 2^-28.3 on [-0.151, 0.151]
    float p = 0x1.26bb1cp1f + r * (0x1.535248p1f + r * (0x1.046f98p1f + r * (0x1.2bdbdp0f +
        r * (0x1.156d96p-1f + r * 0x1.a4aac2p-3f))));
    return __clforge_scale_f32(1.0f + r * p, (int)k);
}

float __clforge_expm1_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix > 0x7f800000u)
        return as_float(ix | 0x00400000u);
    if (ix < 0x33000000u) // |x| < 2^-25: x itself, which keeps zeros and denormals
        return x;
    if (as_uint(x) >= 0xc1900000u) // x <= -18
        return -1.0f;
    if (ix >= 0x42d20000u)
        return as_float(0x7f800000u);
    float k = rint(x * 0x1.715476p0f);
    float h = x - k * 0x1.62ep-1f;
    float w = k * 0x1.0bfbe8p-15f;
    float r = h - w;
    float c = (h - r) - w; // what r lost
    // exp(r) - 1 = r + r^2*p, relative error 2^-31.0 on [-0.3475, 0.3475]
    float p = 0x1p-1f + r * (0x1.555554p-3f + r * (0x1.5554fp-5f + r * (0x1.111306p-7f + r * (0x1.6d43c2p-10f +
        r * 0x1.9e0de4p-13f))));
    float q = r * r * p + (c + c * r);
    if (k == 0.0f)
        return r + q;
    int n = (int)k;
    if (n >= 25) // 1 is below the last place
        return __clforge_scale_f32(1.0f + (r + q), n);
    // 2^n*(exp(r) - 2^-n)
    float m = as_float((uint)(127 - n) << 23);
    float s = as_float((uint)(127 + n) << 23);
    return n < 0 ? s * (r + q) - (1.0f - s) : s * ((1.0f - m) + (r + q));
}
