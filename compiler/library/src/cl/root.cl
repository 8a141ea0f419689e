// Roots of float and double: cbrt, rsqrt.
//
// Greatest measured errors in ulp (float / double where they differ): cbrt 1.2 / 0.7, rsqrt 1.6 / 1.5.

// Halley's iteration, which triples the number of right digits, from a polynomial estimate.
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
    // relative error 2^-13.7 (float), 2^-22.5 (double) on [1, 2]
    real t = PER_WIDTH(
        0x1.1b0ba8p-1f + m * (0x1.2c9a46p-1f + m * (-0x1.4dc31ep-3f + m * 0x1.7a8d5ep-6f)),
        0x1.c9df4b426a123p-2 + m * (0x1.e673b031f82dp-1 + m * (-0x1.5515c312bf4a5p-1 +
        m * (0x1.8a9dc81f1d5aap-2 + m * (-0x1.27e175daf32e9p-3 +
        m * (0x1.fa580432c8fbcp-6 - m * 0x1.76d3bc23881f2p-9))))));
    t *= j == 0u ? R(1.0)
        : j == 1u ? PER_WIDTH(0x1.428a3p0f, 0x1.428a2f98d728bp0)
        : PER_WIDTH(0x1.965feap0f, 0x1.965fea53d6e3dp0); // 2^(j/3)
    m = as_real((ix & FRACTION_MASK) | ((bits)(PER_WIDTH(127u, 1023u) + j) << FRACTION_WIDTH));
    t = as_real(as_bits(t) & HEAD_MASK); // so that the square is exact
    real u = m / (t * t);
    t = t + t * ((u - t) / ((t + t) + u));
    return as_real(as_bits(t * as_real((bits)(q + PER_WIDTH(27u, 623u)) << FRACTION_WIDTH)) | (ux & SIGN_MASK));
}

real FN(rsqrt)(real x)
{
    return R(1.0) / sqrt(x);
}
