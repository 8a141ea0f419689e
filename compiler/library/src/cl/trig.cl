// Trigonometric functions of float and double: sin, cos, tan, sinpi, cospi, tanpi.
//
// |x| < 6400 (float), 1.5*2^20 (double) is reduced by a pi/2 in four (float) or three parts (double; W. J. Cody, W.
// Waite, "Software Manual for the Elementary Functions", 1980), everything else by `trig_reduce_large`. Both keep the
// relative precision of the reduced argument next to multiples of pi/2.
//
// Greatest measured errors in ulp (float / double where they differ): sin 2.0 / 1.5, cos 2.0 / 1.5, tan 4.3 / 3.1, sinpi 2.5 /
// 1.8, cospi 2.5 / 1.8, tanpi 4.8 / 3.5.

// Moves the second bit of a quadrant to the sign.
#undef QUADRANT_SHIFT
#define QUADRANT_SHIFT PER_WIDTH(30, 62)

// x = q*pi/2 + r for |x| < inf, given by its bits without the sign; |r| <= pi/4.
real FN(trig_reduce)(bits ix, uint *quadrant)
{
    if (ix >= PER_WIDTH(0x45c80000u, 0x4138000000000000ul)) // |x| >= 6400 (float), 1.5*2^20 (double)
        return FN(trig_reduce_large)(ix, quadrant);
    real x = as_real(ix);
#if WIDTH == 32
    float k = rint(x * TWO_OVER_PI);
    *quadrant = (uint)(int)k;
#else
    double t = x * TWO_OVER_PI + ROUNDING_SUM;
    double k = t - ROUNDING_SUM;
    *quadrant = (uint)as_ulong(t);
#endif
    // the leading parts have 12 (float) or 33 bits (double), so that k times each is exact and so are all differences
    // but the last
    real r = PER_WIDTH((x - k * 0x1.92p+0f) - k * 0x1.fb4p-12f, x - k * 0x1.921fb544p0);
    real w = k * PER_WIDTH(0x1.444p-24f, 0x1.0b4611a6p-34);
    real s = r - w;
    real c = (r - s) - w; // what s lost
    return s - (k * PER_WIDTH(0x1.68c234p-39f, 0x1.3198a2e037073p-69) - c);
}

// sin(r) and cos(r) for |r| <= pi/4.
real FN(sin_kernel)(real r)
{
    real z = r * r;
    // sin(r) = r + r^3*p, relative error 2^-32.2 (float), 2^-62.9 (double) on [0, 0.786]
    real p = PER_WIDTH(
        -0x1.555556p-3f + z * (0x1.111164p-7f + z * (-0x1.a0485ep-13f + z * 0x1.77de1p-19f)),
        -0x1.5555555555555p-3 + z * (0x1.111111111108bp-7 + z * (-0x1.a01a01a006dbp-13 +
        z * (0x1.71de3a401fe54p-19 + z * (-0x1.ae643d50495fp-26 +
        z * (0x1.6114b01f5910ap-33 - z * 0x1.a562bbe121606p-41))))));
    return r + r * z * p;
}

real FN(cos_kernel)(real r)
{
    real z = r * r;
    // cos(r) = 1 - r^2/2 + r^4*p, relative error 2^-33.0 (float), 2^-63.9 (double) on [0, 0.786]
    real p = PER_WIDTH(
        0x1.55554ap-5f + z * (-0x1.6c0c2ap-10f + z * 0x1.99e8fcp-16f),
        0x1.555555555554bp-5 + z * (-0x1.6c16c16c1500cp-10 + z * (0x1.a01a019c8d949p-16 +
        z * (-0x1.27e4f7f008783p-22 + z * (0x1.1ee9da88f4795p-29 - z * 0x1.8fa5c165deabdp-37)))));
    return R(1.0) - (R(0.5) * z - z * z * p);
}

// The same as precise as sin and cos need it.
#undef SIN_KERNEL
#undef COS_KERNEL
#define SIN_KERNEL PER_WIDTH(FN(sin_short), FN(sin_kernel))
#define COS_KERNEL PER_WIDTH(FN(cos_short), FN(cos_kernel))

#if WIDTH == 32
float __clforge_sin_short_f32(float r)
{
    float z = r * r;
    // sin(r) = r*(1 + z*s), relative error 2^-27.9 on [0, 0.786]; a coefficient less would be wrong by 2^-19
    return r * (1.0f + z * (-0x1.555546p-3f + z * (0x1.110776p-7f - z * 0x1.9952ecp-13f)));
}

float __clforge_cos_short_f32(float r)
{
    float z = r * r;
    // cos(r) = 1 + z*c, relative error 2^-24.6 on [0, 0.786]; a coefficient less would be wrong by 2^-17
    return 1.0f + z * (-0x1.ffffb2p-2f + z * (0x1.553e5ep-5f - z * 0x1.6447c6p-10f));
}
#endif

// sin(q*pi/2 + r) for |r| <= pi/4.
real FN(sin_quadrant)(real r, uint q)
{
#if WIDTH == 32
    // both, since neighbouring work-items differ in their quadrants
    float s = SIN_KERNEL(r);
    float c = COS_KERNEL(r);
    float y = (q & 1u) != 0u ? c : s;
#else
    double y = (q & 1u) != 0u ? COS_KERNEL(r) : SIN_KERNEL(r);
#endif
    return as_real(as_bits(y) ^ ((bits)q << QUADRANT_SHIFT & SIGN_MASK));
}

// The same, with cos(q*pi/2 + r).
real FN(sincos_quadrant)(real r, uint q, real *cosine)
{
    real s = SIN_KERNEL(r);
    real c = COS_KERNEL(r);
    bool odd = (q & 1u) != 0u;
    *cosine = as_real(as_bits(odd ? s : c) ^ ((bits)(q + 1u) << QUADRANT_SHIFT & SIGN_MASK));
    return as_real(as_bits(odd ? c : s) ^ ((bits)q << QUADRANT_SHIFT & SIGN_MASK));
}

real FN(sin)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return as_real(ix | NAN_BITS);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    uint q;
    real r = FN(trig_reduce)(ix, &q);
    return as_real(as_bits(FN(sin_quadrant)(r, q)) ^ (ux & SIGN_MASK));
}

real FN(cos)(real x)
{
    bits ix = as_bits(x) & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return as_real(ix | NAN_BITS);
    uint q;
    real r = FN(trig_reduce)(ix, &q);
    return FN(sin_quadrant)(r, q + 1u);
}

// sin(x), with cos(x).
real FN(sincos)(real x, real *cosine)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= INF_BITS) {
        *cosine = as_real(ix | NAN_BITS);
        return as_real(ix | NAN_BITS);
    }
    uint q;
    real r = FN(trig_reduce)(ix, &q);
    real y = FN(sincos_quadrant)(r, q, cosine);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    return as_real(as_bits(y) ^ (ux & SIGN_MASK));
}

// tan(r) in quadrant q.
real FN(tan_kernel)(real r, uint q)
{
    real s = FN(sin_kernel)(r);
    real c = FN(cos_kernel)(r);
    return (q & 1u) != 0u ? -QUOTIENT(c, s) : QUOTIENT(s, c);
}

real FN(tan)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return as_real(ix | NAN_BITS);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x;
    uint q;
    real r = FN(trig_reduce)(ix, &q);
    return as_real(as_bits(FN(tan_kernel)(r, q)) ^ (ux & SIGN_MASK));
}

// |x| = q/2 + r/pi exactly, given by its bits without the sign, for |x| < 2^24 (float), 2^53 (double); larger ones are
// even.
real FN(trigpi_reduce)(bits ix, uint *quadrant)
{
    real x = ix >= PER_WIDTH(0x4b800000u, 0x4340000000000000ul) ? R(0.0) : as_real(ix);
    real k = rint(x + x);
    *quadrant = (uint)PER_WIDTH((int)k, (long)k);
    return (x - R(0.5) * k) * PI;
}

// sin(pi*x + quarter*pi/2) for |x| < 2^21 (float), 2^50 (double): x = k/2 + r/pi exactly.
real FN(sinpi_near)(real x, uint quarter)
{
    // the sum rounds to an integer, whose low bits are the last bits of the sum
    real t = x * R(2.0) + ROUNDING_SUM;
    real k = t - ROUNDING_SUM;
    return FN(sin_quadrant)((x - R(0.5) * k) * PI, (uint)as_bits(t) + quarter);
}

// Whether `sinpi_near` does not take a number, given by its bits.
#undef IS_FAR
#define IS_FAR(ux) ((ux & MAGNITUDE_MASK) >= PER_WIDTH(0x4a000000u, 0x4310000000000000ul))

// x less an even integer, in [0, 2), for x of any size; nan for inf and nan.
real FN(even_rest)(real x)
{
    real a = as_real(as_bits(x) & MAGNITUDE_MASK);
    return a < as_real(INF_BITS) ? a - R(2.0) * trunc(R(0.5) * a) : as_real(NAN_BITS);
}

real FN(sinpi)(real x)
{
    bits ux = as_bits(x);
    real y = FN(sinpi_near)(x, 0u);
    if (IS_FAR(ux))
        y = as_real(as_bits(FN(sinpi_near)(FN(even_rest)(x), 0u)) ^ (ux & SIGN_MASK));
    return y == R(0.0) ? as_real(ux & SIGN_MASK) : y; // a zero has the sign of x
}

real FN(cospi)(real x)
{
    real y = FN(sinpi_near)(x, 1u);
    if (IS_FAR(as_bits(x)))
        y = FN(sinpi_near)(FN(even_rest)(x), 1u);
    return as_bits(y) == SIGN_MASK ? R(0.0) : y;
}

real FN(tanpi)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= INF_BITS)
        return as_real(ix | NAN_BITS);
    if (ix < PER_WIDTH(0x39000000u, 0x3e40000000000000ul)) // |x| < 2^-13 (float), 2^-27 (double)
        return x * PI;
    uint q;
    real r = FN(trigpi_reduce)(ix, &q);
    if (r == R(0.0)) {
        // quadrants 0 and 1: +0 and +inf; 2 and 3: -0 and -inf; the other way round for a negative x, but for
        // the infinities, whose sign alternates along the axis
        bits s = (bits)q << QUADRANT_SHIFT & SIGN_MASK;
        if ((q & 1u) == 0u)
            return as_real(s ^ (ux & SIGN_MASK));
        return as_real(INF_BITS ^ s ^ (ux & SIGN_MASK));
    }
    return as_real(as_bits(FN(tan_kernel)(r, q)) ^ (ux & SIGN_MASK));
}
