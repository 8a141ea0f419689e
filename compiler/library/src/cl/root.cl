// Roots of float and double: cbrt, rsqrt.
//
// Greatest measured errors in ulp (float / double where they differ): cbrt 1.0 / 0.9, rsqrt 1.6 / 1.5.

// The cube root is m*y^2 for y = m^(-1/3), and one step of Newton's iteration for the root corrects it. Neither that step nor the
// one for y divides.
real FN(cbrt)(real x)
{
    bits ux = as_bits(x);
    bits ix = ux & MAGNITUDE_MASK;
    if (ix >= INF_BITS || ix == B(0))
        return ix > INF_BITS ? as_real(ux | QUIET_BIT) : x;
    uint e = (uint)(ix >> FRACTION_WIDTH);
    if (e == 0u) { // denormal: normalised as an integer
        ix = as_bits((real)ix);
        e = (uint)(ix >> FRACTION_WIDTH) - PER_WIDTH(149u, 1074u);
    }
    e += PER_WIDTH(173u, 177u); // x = m*2^j*2^(3*(q-100)) (float), m*2^j*2^(3*(q-400)) (double)
    uint q = e / 3u;
    uint j = e - 3u * q;
    real m = as_real((ix & FRACTION_MASK) | ONE_BITS);
    // m^(-1/3), relative error 2^-17.4 on [1, 2]
    real y = PER_WIDTH(
        0x1.c7f35cp0f + m * (-0x1.90e71ep0f + m * (0x1.3e6886p0f + m * (-0x1.321c16p-1f +
        m * (0x1.3fa206p-3f - m * 0x1.16d686p-6f)))),
        0x1.c7f35c1846d6bp0 + m * (-0x1.90e71e56979a5p0 + m * (0x1.3e68865b6b0fbp0 +
        m * (-0x1.321c165bacc06p-1 + m * (0x1.3fa205b9164bep-3 - m * 0x1.16d6847c5192dp-6)))));
    y *= j == 0u ? R(1.0)
        : j == 1u ? PER_WIDTH(0x1.965feap-1f, 0x1.965fea53d6e3dp-1)
        : PER_WIDTH(0x1.428a3p-1f, 0x1.428a2f98d728bp-1); // 2^(-j/3)
    m = as_real((ix & FRACTION_MASK) | ((bits)(PER_WIDTH(127u, 1023u) + j) << FRACTION_WIDTH));
#if WIDTH == 64
    real h = R(1.0) - m * y * (y * y);
    y += y * h * (0x1.5555555555555p-2 + h * 0x1.c71c71c71c71cp-3); // relative error 2^-48
#endif
    real t = m * (y * y);
    // (m - t^3)/(3*t^2)
    t += (m - t * t * t) * (y * y * R(0x1.5555555555555p-2));
    return as_real(as_bits(t * as_real((bits)(q + PER_WIDTH(27u, 623u)) << FRACTION_WIDTH)) | (ux & SIGN_MASK));
}

real FN(rsqrt)(real x)
{
    return R(1.0) / sqrt(x);
}
