// Arc tangent of a quotient, of float and double: atan2, atan2pi.
//
// The quadrant's arc tangent (`atan2_quadrant`), and from pi where x is negative; pi has two parts.
//
// Greatest measured errors in ulp (float / double where they differ): atan2 3.1 / 1.6, atan2pi 3.9 / 2.3.

// Of whatever there is; of doubles this is atan2 itself.
#undef ATAN2
#define ATAN2 PER_WIDTH(FN(atan2_unusual), FN(atan2))
real ATAN2(real y, real x)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    if (ix > INF_BITS || iy > INF_BITS)
        return as_real(NAN_BITS);
    real p;
    if (iy == B(0))
        p = R(0.0);
    else if (ix == INF_BITS)
        p = iy == INF_BITS ? QUARTER_PI : R(0.0);
    else
        p = FN(atan2_quadrant)(iy, ix);
    if (ux >> SIGN_POSITION != B(0))
        p = PI - LESS_PI_LOW(p);
    return as_real(as_bits(p) | (uy & SIGN_MASK));
}

#if WIDTH == 32
float __clforge_atan2_f32(float y, float x)
{
    uint ux = as_uint(x);
    uint uy = as_uint(y);
    uint ix = ux & 0x7fffffffu;
    uint iy = uy & 0x7fffffffu;
    uint a = iy > ix ? ix : iy;
    uint b = iy > ix ? iy : ix;
    float p = __clforge_atan_kernel_f32(native_divide(as_float(a), as_float(b)));
    p = iy > ix ? HALF_PI - p : p;
    p = (ux >> 31) != 0u ? PI - p : p;
    p = as_float(as_uint(p) | (uy & 0x80000000u));
    if (b - 0x21800000u >= 0x7e800000u - 0x21800000u) // the larger one is below 2^-60 or from 2^126 on, inf or nan
        p = __clforge_atan2_unusual_f32(y, x);
    return p;
}
#endif

real FN(atan2pi)(real y, real x)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    if (ix > INF_BITS || iy > INF_BITS)
        return as_real(NAN_BITS);
    real p;
    if (iy == B(0))
        p = R(0.0);
    else if (ix == INF_BITS)
        p = iy == INF_BITS ? R(0.25) : R(0.0);
    else if (iy == INF_BITS || ix == B(0))
        p = R(0.5);
    else
        p = FN(atan2_quadrant)(iy, ix) * ONE_OVER_PI;
    if (ux >> SIGN_POSITION != B(0))
        p = R(1.0) - p;
    return as_real(as_bits(p) | (uy & SIGN_MASK));
}
