// Hyperbolic functions of float: sinh, cosh, tanh, asinh, acosh, atanh.

float __clforge_sinh_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    float a = as_float(ix);
    float y;
    if (ix >= 0x42b60000u) { // 91
        y = as_float(0x7f800000u);
    } else if (ix >= 0x3f800000u) {
        float h = __clforge_exp_scaled_f32(a, -1);
        y = h - 0.25f / h;
    } else {
        float z = a * a;
        // sinh(x) = x + x^3*p, relative error 2^-31.4 on [0, 1]
        float p = 0x1.555556p-3f + z * (0x1.1110eap-7f + z * (0x1.a01c22p-13f + z * 0x1.76771ep-19f));
        y = a + a * z * p;
    }
    return as_float(as_uint(y) | (ux & 0x80000000u));
}

float __clforge_cosh_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x42b60000u)
        return as_float(ix > 0x7f800000u ? ix | 0x00400000u : 0x7f800000u);
    float h = __clforge_exp_scaled_f32(as_float(ix), -1);
    return h + 0.25f / h;
}

float __clforge_tanh_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    float a = as_float(ix);
    float y;
    if (ix >= 0x41200000u) { // 10
        y = 1.0f;
    } else if (ix >= 0x3f100000u) { // 0.5625
        y = 1.0f - 1.0f / (__clforge_exp_scaled_f32(a + a, -1) + 0.5f);
    } else {
        float z = a * a;
        // tanh(x) = x + x^3*p, relative error 2^-29.4 on [0, 0.5626]
        float p = -0x1.555548p-2f + z * (0x1.110c64p-3f + z * (-0x1.b90754p-5f +
            z * (0x1.5821fap-6f - z * 0x1.94bbfap-8f)));
        y = a + a * z * p;
    }
    return as_float(as_uint(y) | (ux & 0x80000000u));
}

float __clforge_asinh_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return ix > 0x7f800000u ? as_float(ux | 0x00400000u) : x;
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    float a = as_float(ix);
    float y;
    if (ix >= 0x46000000u) { // 2^13: log(2*x)
        y = __clforge_log_f32(a) + 0x1.62e43p-1f;
    } else {
        float z = a * a;
        y = __clforge_log1p_f32(a + z / (1.0f + sqrt(1.0f + z)));
    }
    return as_float(as_uint(y) | (ux & 0x80000000u));
}

float __clforge_acosh_f32(float x)
{
    uint ux = as_uint(x);
    if (ux >= 0x46000000u) { // 2^13 and more, inf, nan, negative
        if (ux > 0x7f800000u)
            return as_float(0x7fc00000u);
        return __clforge_log_f32(x) + 0x1.62e43p-1f;
    }
    if (ux < 0x3f800000u)
        return as_float(0x7fc00000u);
    float t = x - 1.0f;
    return __clforge_log1p_f32(t + sqrt(t * (2.0f + t)));
}

float __clforge_atanh_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x3f800000u)
        return as_float(ix == 0x3f800000u ? ux + 0x40000000u : 0x7fc00000u);
    if (ix < 0x39000000u) // |x| < 2^-13
        return x;
    float a = as_float(ix);
    float y = 0.5f * __clforge_log1p_f32((a + a) / (1.0f - a));
    return as_float(as_uint(y) | (ux & 0x80000000u));
}
