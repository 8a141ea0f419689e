// Exponentials of float for devices whose exp2 is as precise as OpenCL's, and which have an exact fused multiply-add: variants
// of exp, exp10, tanh. A variant is called instead of the function whose name it begins with.
//
// exp(x) = 2^p*2^q with p the rounded product x*log2(e) and q what that lost: 2^q is 1 + q*ln2 with an error of q^2.
//
// Greatest measured errors in ulp, of which the device's exp2 has 2.1: exp 2.6, exp10 2.6, tanh 2.1.

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
