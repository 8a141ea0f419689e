// Gamma functions of float: tgamma, lgamma, lgamma_r.
//
// Stirling's series above 16 (lgamma: 4), the recurrence to [1, 2] below, the reflection formula for negative arguments (NIST
// Digital Library of Mathematical Functions, 5.5 and 5.11). Separate from the double version, whose series need more terms.
//
// Greatest measured error in ulp: tgamma 7.6. lgamma has no limit; it is worst near its zeros.

// 1/gamma(1+t) for 0 <= t <= 1, a function without poles.
float __clforge_rgamma1p_f32(float t)
{
    // relative error 2^-29.5 on [0, 1]
    return 0x1p0f + t * (0x1.2788cep-1f + t * (-0x1.4fcefp-1f + t * (-0x1.58548cp-5f + t * (0x1.55697ep-3f +
        t * (-0x1.5da82ap-5f + t * (-0x1.223f18p-7f + t * (0x1.b2d198p-8f - t * 0x1.2231f6p-10f)))))));
}

// gamma(x) for 2^-120 < x < 16: (x-1)*(x-2)*...*(1+t)*gamma(1+t), or gamma(1+t)/x for x < 1.
float __clforge_gamma_small_f32(float x)
{
    float a = x;
    float p = 1.0f;
    while (a >= 9.0f) {
        a -= 1.0f;
        p *= a;
    }
    // without branches; a factor below 1 counts as 1
    p *= ((fmax(a - 1.0f, 1.0f) * fmax(a - 2.0f, 1.0f)) * (fmax(a - 3.0f, 1.0f) * fmax(a - 4.0f, 1.0f))) *
        ((fmax(a - 5.0f, 1.0f) * fmax(a - 6.0f, 1.0f)) * fmax(a - 7.0f, 1.0f));
    return native_divide(p, __clforge_rgamma1p_f32(a - floor(a)) * fmin(x, 1.0f));
}

// gamma(x) = y*2^(*n) for 2^-120 < x < 44, y in [0.5, 2^122].
float __clforge_gamma_positive_f32(float x, int *n)
{
    *n = 0;
    if (x < 16.0f)
        return __clforge_gamma_small_f32(x);
    // sqrt(2*pi)*x^(x-1/2)*exp(-x)*(1 + s(1/x)), the powers as a power of two with a pair of floats
    float ll;
    float lh = __clforge_log2_pair_f32(as_uint(x), &ll);
    float y = x - 0.5f;
    float yh = __clforge_head_f32(y);
    float yl = y - yh;
    float xh = __clforge_head_f32(x);
    float xl = x - xh;
    // log2(e) = 0x1.714p0 + 0x1.47652cp-12
    float p = yh * lh;
    float q = xh * 0x1.714p0f;
    float d = p - q; // p > q
    float e = (p - (d + q)) + ((yh * ll + yl * (lh + ll)) - (xl * 0x1.714p0f + x * 0x1.47652cp-12f));
    float k = rint(d + e);
    float r = (d - k) + e;
    // 2^r = 1 + r*g, relative error 2^-27.8 on [-0.51, 0.51]
    float g = 0x1.62e43p-1f + r * (0x1.ebfbd6p-3f + r * (0x1.c6af6p-5f + r * (0x1.3b31c6p-7f +
        r * (0x1.5f1aeep-10f + r * 0x1.3f14bap-13f))));
    float v = native_recip(x);
    // sqrt(2*pi)*(1 + s(v)), relative error 2^-29.4 on [0.0225, 0.2501]
    float s = 0x1.40d932p1f + v * (0x1.abcc04p-3f + v * (0x1.1dcc5p-7f + v * (-0x1.c7553p-8f +
        v * 0x1.1f79f4p-11f)));
    *n = (int)k;
    return s * (1.0f + r * g);
}

// y*2^n; a denormal result is rounded once.
float __clforge_gamma_scale_f32(float y, int n)
{
    int h = n >> 1;
    return y * as_float((uint)(h + 127) << 23) * as_float((uint)(n - h + 127) << 23);
}

// tgamma of what is not in [2^-25, 16).
float __clforge_tgamma_unusual_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u || ux == 0xff800000u)
        return as_float(0x7fc00000u);
    if (ix < 0x33000000u) // |x| < 2^-25: 1/x
        return ix < 0x00200000u ? as_float((ux & 0x80000000u) | 0x7f800000u) : 1.0f / x;
    if (ux < 0x80000000u) {
        if (ix >= 0x42100000u) // 36
            return as_float(0x7f800000u);
        int n;
        float y = __clforge_gamma_positive_f32(x, &n);
        return __clforge_gamma_scale_f32(y, n);
    }
    float a = as_float(ix);
    if (a == floor(a))
        return as_float(0x7fc00000u);
    bool negative = ((int)(ix < 0x4b000000u ? a : 0.0f) & 1) == 0;
    if (ix >= 0x42300000u) // 44
        return negative ? -0.0f : 0.0f;
    // pi/(x*sin(pi*x)*gamma(-x))
    int n;
    float y = __clforge_gamma_positive_f32(a, &n);
    y = 0x1.921fb6p1f / (y * (a * __clforge_sinpi_f32(a)));
    return -__clforge_gamma_scale_f32(y, -n);
}

float __clforge_tgamma_f32(float x)
{
    if (as_uint(x) - 0x33000000u < 0x41800000u - 0x33000000u)
        return __clforge_gamma_small_f32(x);
    return __clforge_tgamma_unusual_f32(x);
}

// log(gamma(x)) for x >= 2^-25. Of both ranges, since neighbouring work-items are in both; they share the logarithm.
float __clforge_lgamma_positive_f32(float x)
{
    float t = x < 1.0f ? x : x < 2.0f ? x - 1.0f : x < 3.0f ? x - 2.0f : x - 3.0f;
    // log(gamma(1+t)) = t*(1-t)*p, relative error 2^-25.0 on [0, 1]
    float p = -0x1.2788dp-1f + t * (0x1.f645a4p-3f + t * (-0x1.3e38fap-3f + t * (0x1.d5011p-4f +
        t * (-0x1.69e78p-4f + t * (0x1.05554p-4f + t * (-0x1.2ecbbp-5f +
        t * (0x1.ce25f6p-7f - t * 0x1.4b41f2p-9f)))))));
    p *= t * (1.0f - t);
    float l = __clforge_log_normal_f32(as_uint(
        x < 1.0f || x >= 4.0f ? x : x < 2.0f ? 1.0f : x < 3.0f ? x - 1.0f : (x - 1.0f) * (x - 2.0f)));
    float v = native_recip(x);
    // relative error 2^-24.7 on [0, 0.2501]
    float s = 0x1.acfe38p-2f + v * (0x1.55570ep-4f + v * (-0x1.d9ba7ap-16f - v * 0x1.5a7d8ep-9f));
    return x < 4.0f ? p + (x < 1.0f ? -l : l) : (x - 0.5f) * (l - 1.0f) + s;
}

float __clforge_lgamma_r_f32(float x, int *sign)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    *sign = 1;
    if (ix >= 0x7f800000u)
        return as_float(ix > 0x7f800000u ? ux | 0x00400000u : ix);
    float a = as_float(ix);
    if (ux >> 31 != 0u || ix == 0u) {
        if (ix == 0u || ix >= 0x4b000000u || (ix >= 0x3f800000u && a == floor(a))) {
            *sign = 0;
            return as_float(0x7f800000u);
        }
        *sign = ((int)a & 1) == 0 ? -1 : 1;
    }
    if (ix < 0x33000000u) // |x| < 2^-25
        return -__clforge_log_f32(a);
    float y = __clforge_lgamma_positive_f32(a);
    if (ux >> 31 != 0u)
        y = __clforge_log_f32(0x1.921fb6p1f / (a * fabs(__clforge_sinpi_f32(a)))) - y;
    return y;
}

float __clforge_lgamma_f32(float x)
{
    int sign;
    return __clforge_lgamma_r_f32(x, &sign);
}
