// The cube root of double for devices whose exp2 of float is as precise as OpenCL's: a variant of cbrt, called instead of it.
//
// Greatest measured error in ulp: 0.9.

double __clforge_cbrt_by_exp2_f64(double x)
{
    ulong ix = as_ulong(x) & MAGNITUDE_MASK;
    // x = m*2^(3*(q-400)) with m in [1, 8)
    uint e = (uint)(ix >> 52) + 177u;
    uint q = e / 3u;
    ulong um = (ix & FRACTION_MASK) | ((ulong)(1023u + e - 3u * q) << 52);
    double m = as_double(um);
    // m^(-1/3), relative error less than 2^-16, by the float that m is cut to
    float estimate = native_exp2(native_log2(as_float((uint)(um >> 29) - (896u << 23))) * -0x1.555556p-2f);
    double y = as_double(((ulong)as_uint(estimate) << 29) + (896ul << 52));
    // two steps of Newton's iterations, for y and for the root m*y^2
    y += y * ((1.0 - m * y * (y * y)) * 0x1.5555555555555p-2);
    double z = y * y;
    double t = m * z;
    t += (m - t * t * t) * (z * 0x1.5555555555555p-2);
    t = copysign(t * as_double((ulong)(q + 623u) << 52), x);
    if (ix - HIDDEN_BIT >= INF_BITS - HIDDEN_BIT) // not normal
        t = __clforge_cbrt_f64(x);
    return t;
}
