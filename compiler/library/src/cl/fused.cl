// Functions for devices that have an exact fused multiply-add, of float and double: variants of sin, cos, sincos, tan, and of float
// those of pow, powr, pown. A variant is called instead of the function whose name it begins with.
//
// Greatest measured errors in ulp (float / double where they differ): sin 2.1 / 1.5, cos 2.0 / 1.5, tan 3.0 / 3.1, pow 8.1,
// powr 8.1, pown 8.1, of which the device's exp2 has 2.1.

// What `fused_trig_reduce` does not reduce.
real FN(fused_trig_reduce_unusual)(bits ux, uint *quadrant)
{
    bits ix = ux & MAGNITUDE_MASK;
    *quadrant = 0u;
    if (ix >= INF_BITS)
        return as_real(NAN_BITS);
    uint q;
    real r = FN(trig_reduce_large)(ix, &q);
    bool negative = ux >> SIGN_POSITION != B(0);
    *quadrant = negative ? 0u - q : q;
    return negative ? -r : r;
}

// x = q*pi/2 + r, |r| <= pi/4, by a pi/2 in three parts (W. J. Cody, W. Waite, "Software Manual for the Elementary
// Functions", 1980). The first difference is exact, since its last place is that of the first part, and of the second no
// more is lost than its last place; so the relative precision stays next to multiples of pi/2. All parts are rounded down,
// so that a zero keeps its sign.
real FN(fused_trig_reduce)(real x, uint *quadrant)
{
    real t = fma(x, TWO_OVER_PI, ROUNDING_SUM);
    real k = t - ROUNDING_SUM;
    real r = fma(k, -PER_WIDTH(0x1.921fb4p0f, 0x1.921fb54442d18p0), x);
    r = fma(k, -PER_WIDTH(0x1.4442dp-24f, 0x1.1a62633145c06p-54), r);
    r = fma(k, -PER_WIDTH(0x1.84698ap-48f, 0x1.c1cd129024e09p-107), r);
    uint q = (uint)as_bits(t);
    // |x| >= 2^16 (float), 1.5*2^20 (double)
    if (PER_WIDTH((as_bits(x) & MAGNITUDE_MASK) >= 0x47800000u,
            ((uint)(as_bits(x) >> 32) & 0x7fffffffu) >= 0x41380000u))
        r = FN(fused_trig_reduce_unusual)(as_bits(x), &q);
    *quadrant = q;
    return r;
}

real FN(sin_fused)(real x)
{
    uint q;
    real r = FN(fused_trig_reduce)(x, &q);
    real y = FN(sin_quadrant)(r, q);
    return PER_WIDTH(y, r == 0.0 ? r : y); // a zero keeps its sign
}

real FN(cos_fused)(real x)
{
    uint q;
    real r = FN(fused_trig_reduce)(x, &q);
    return FN(sin_quadrant)(r, q + 1u);
}

real FN(sincos_fused)(real x, real *cosine)
{
    uint q;
    real r = FN(fused_trig_reduce)(x, &q);
    real y = FN(sincos_quadrant)(r, q, cosine);
    return PER_WIDTH(y, r == 0.0 ? r : y); // a zero keeps its sign
}

real FN(tan_fused)(real x)
{
    uint q;
    real r = FN(fused_trig_reduce)(x, &q);
    bool odd = (q & 1u) != 0u;
#if WIDTH == 32
    float z = r * r;
    // tan(r) = r + r*z*p, relative error 2^-25.7 on [0, 0.7862]
    float p = 0x1.5554dep-2f + z * (0x1.112dfap-3f + z * (0x1.b581eap-5f + z * (0x1.908eb8p-6f +
        z * (0x1.94ebd4p-9f + z * 0x1.3429bap-7f))));
    float t = r + r * z * p;
    return odd ? -native_recip(t) : t;
#else
    double s = FN(sin_kernel)(r);
    double c = FN(cos_kernel)(r);
    return r == R(0.0) ? r : (odd ? c : s) / (odd ? -s : c); // a zero keeps its sign
#endif
}

#if WIDTH == 32
// log2 of a positive normal number, given by its bits, as a sum with a relative error of 2^-30.
float __clforge_fused_log2_pair_f32(uint ux, float *low)
{
    uint scaling = (ux - SQRT_HALF_BITS) & ~FRACTION_MASK; // k, where a float has its exponent
    float k = (float)((int)scaling >> FRACTION_WIDTH);
    float m = as_float(ux - scaling);
    // log2(m) = 2/ln2*atanh(s) with s = (m-1)/(m+1) as a pair: the quotient, and its remainder divided again
    float f = m - 1.0f;
    float d = m + 1.0f;
    float reciprocal = native_recip(d);
    float s = f * reciprocal;
    float rest = fma(-s, m - (d - 1.0f), fma(-s, d, f));
    float sl = rest * reciprocal;
    float z = s * s;
    // log2(m) = 2/ln2*s + s^3*p, relative error 2^-30.2 on [0, 0.1716]; a coefficient less would be wrong by 2^-22.7
    float p = 0x1.ec70d2p-1f + z * (0x1.274cap-1f + z * 0x1.b93ec2p-2f);
    float h = s * 0x1.715476p1f;
    float l = fma(s, 0x1.4ae0cp-25f, fma(s, 0x1.715476p1f, -h));
    l = fma(s * z, p, fma(sl, 0x1.715476p1f, l));
    float high = k + h;
    *low = (h - (high - k)) + l;
    return high;
}

// 2^(y*log2(x)) for a positive normal x, given by its bits; *exponent is about y*log2(x), and the result is right where that
// is a number of less than 126.
float __clforge_fused_power_f32(uint ux, float y, float *exponent)
{
    float low;
    float high = __clforge_fused_log2_pair_f32(ux, &low);
    float p = y * high;
    float q = fma(y, low, fma(y, high, -p));
    float sum = p + q;
    float rest = (p - sum) + q;
    *exponent = sum;
    float power = exp2(sum);
    return fma(power, rest * LN2, power);
}

// pow of an x that is not positive and normal; `power` is that of the magnitude of a negative normal x, if that is right.
float __clforge_fused_pow_unusual_f32(float x, float y, float power, float exponent)
{
    uint ux = as_uint(x);
    if (ux == 0u && y > 0.0f) // often beside work-items with a positive x
        return 0.0f;
    if (ux - (SIGN_MASK | HIDDEN_BIT) >= INF_BITS - HIDDEN_BIT || !(fabs(exponent) < 126.0f))
        return __clforge_pow_f32(x, y);
    if (rint(y) != y)
        return as_float(NAN_BITS);
    bool odd = fabs(y) < 0x1p24f && ((int)y & 1) != 0;
    return odd ? -power : power;
}

// Whether `fused_power` has not the result: x, given by its bits, is not positive and normal, or the exponent is large or nan.
#define IS_UNUSUAL_POWER(ux) (ux - HIDDEN_BIT >= INF_BITS - HIDDEN_BIT || !(fabs(exponent) < 126.0f))

float __clforge_pow_fused_f32(float x, float y)
{
    uint ux = as_uint(x);
    float exponent;
    float power = __clforge_fused_power_f32(ux & MAGNITUDE_MASK, y, &exponent);
    if (IS_UNUSUAL_POWER(ux))
        power = __clforge_fused_pow_unusual_f32(x, y, power, exponent);
    return power;
}

float __clforge_powr_fused_f32(float x, float y)
{
    uint ux = as_uint(x);
    float exponent;
    float power = __clforge_fused_power_f32(ux, y, &exponent);
    if (IS_UNUSUAL_POWER(ux))
        power = ux == 0u && y > 0.0f && y < as_float(INF_BITS) ? 0.0f : __clforge_powr_f32(x, y);
    return power;
}

float __clforge_pown_fused_f32(float x, int n)
{
    uint ux = as_uint(x);
    uint ix = ux & MAGNITUDE_MASK;
    float exponent;
    float power = __clforge_fused_power_f32(ix, (float)n, &exponent);
    power = as_float(as_uint(power) | ((n & 1) != 0 ? ux & SIGN_MASK : 0u));
    // an int of more than 24 bits does not fit a float
    if (IS_UNUSUAL_POWER(ix) || (uint)n + 0x01000000u > 0x02000000u)
        power = __clforge_pown_f32(x, n);
    return power;
}
#endif
