// Functions of float for devices whose exp2 is as precise as OpenCL's, and which have an exact fused multiply-add: variants of
// exp, exp10, sinh, cosh, tanh, erf, cbrt. A variant is called instead of the function whose name it begins with.
//
// exp(x) = 2^p*2^q with p the rounded product x*log2(e) and q what that lost: 2^q is 1 + q*ln2 with an error of q^2.
//
// Greatest measured errors in ulp, of which the device's exp2 has 2.1: exp 2.6, exp10 2.6, sinh 3.2, cosh 2.3,
// tanh 2.1, erf 1.3, cbrt 0.8.

// 2^(x*(high + low)), where overflow is inf and underflow zero.
float __clforge_power_by_exp2_f32(float x, float high, float low)
{
    float p = x * high;
    float q = fma(x, low, fma(x, high, -p));
    float y = native_exp2(p);
    float z = fma(y, q * LN2, y); // q*y could be a denormal that is flushed
    return z == z ? z : y; // nan where y is inf, and q negative or nan
}

float __clforge_exp_by_exp2_f32(float x)
{
    return __clforge_power_by_exp2_f32(x, LOG2_E, 0x1.4ae0cp-26f);
}

float __clforge_exp10_by_exp2_f32(float x)
{
    return __clforge_power_by_exp2_f32(x, 0x1.a934fp1f, 0x1.2f346ep-24f);
}

float __clforge_tanh_by_exp2_f32(float x)
{
    float a = fabs(x);
    float y;
    if (a >= 0.5625f) {
        // 1 - 2/(exp(2*a) + 1); from 10 on it rounds to 1
        float power = native_exp2(fmin(a, 10.0f) * (2.0f * LOG2_E));
        y = copysign(1.0f - native_divide(2.0f, power + 1.0f), x);
    } else {
        float z = a * a;
        // tanh(x) = x*(1 + z*p), relative error 2^-24.4 on [0, 0.5626]
        y = x * (1.0f + z * (-0x1.555422p-2f + z * (0x1.10c638p-3f + z * (-0x1.ae9a4p-5f + z * 0x1.09ebb6p-6f))));
        y = a < 0x1p-13f ? x : y; // a denormal may be flushed
    }
    return y;
}

// exp(a)/2 + sign*exp(-a)/2 for a >= 0.
float __clforge_half_sum_by_exp2_f32(float a, float sign)
{
    float p = a * LOG2_E;
    float q = fma(a, 0x1.4ae0cp-26f, fma(a, LOG2_E, -p));
    float y = native_exp2(p - 2.0f); // exp(a)/4, since exp(a)/2 may be inf where the result is not
    float other = native_divide(0.0625f, fmin(y, 0x1p60f));
    float z = fma(y, q * LN2, y + sign * other);
    z = z == z ? z : y; // nan where y is inf, and q negative or nan
    return z + z;
}

float __clforge_sinh_by_exp2_f32(float x)
{
    float a = fabs(x);
    float large = __clforge_half_sum_by_exp2_f32(a, -1.0f);
    float z = a * a;
    // sinh(x) = x + x^3*p, relative error 2^-31.4 on [0, 1]
    float p = 0x1.555556p-3f + z * (0x1.1110eap-7f + z * (0x1.a01c22p-13f + z * 0x1.76771ep-19f));
    float small = a < 0x1p-13f ? a : a + a * z * p; // a denormal may be flushed
    return copysign(a >= 1.0f ? large : small, x);
}

float __clforge_cosh_by_exp2_f32(float x)
{
    return __clforge_half_sum_by_exp2_f32(fabs(x), 1.0f);
}

float __clforge_erf_by_exp2_f32(float x)
{
    float a = fabs(x);
    float small = __clforge_erf_small_f32(a);
    float large = 1.0f - native_exp2(__clforge_erf_exponent_f32(fmin(a, 4.0f)));
    return copysign(a >= 1.0f ? large : small, x);
}

float __clforge_cbrt_by_exp2_f32(float x)
{
    float a = fabs(x);
    float y = native_exp2(native_log2(a) * -0x1.555556p-2f); // a^(-1/3), relative error less than 2^-16
    float z = y * y;
    float t = a * z;
    t = fma(fma(-t * t, t, a), z * 0x1.555556p-2f, t); // a step of Newton's iteration
    t = copysign(t, x);
    // |x| is below 2^-100 or at least 2^126, where what is computed above may be a denormal or inf, or x is zero, inf or nan
    if (as_uint(a) - 0x0d800000u >= 0x7e800000u - 0x0d800000u)
        t = __clforge_cbrt_f32(x);
    return t;
}
