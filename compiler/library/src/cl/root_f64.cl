// Roots of double: cbrt, rsqrt, hypot.

// Halley's iteration, which triples the number of right digits, from a polynomial estimate.
double __clforge_cbrt_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul || ix == 0ul)
        return ix > 0x7ff0000000000000ul ? as_double(ux | 0x0008000000000000ul) : x;
    uint e = (uint)(ix >> 52);
    if (e == 0u) { // denormal: normalised as an integer
        ix = as_ulong((double)ix);
        e = (uint)(ix >> 52) - 1074u;
    }
    e += 177u; // x = m*2^j*2^(3*(q-400))
    uint q = e / 3u;
    uint j = e - 3u * q;
    double m = as_double((ix & 0x000ffffffffffffful) | 0x3ff0000000000000ul);
    // relative error 2^-22.5 on [1, 2]
    double t = 0x1.c9df4b426a123p-2 + m * (0x1.e673b031f82dp-1 + m * (-0x1.5515c312bf4a5p-1 +
        m * (0x1.8a9dc81f1d5aap-2 + m * (-0x1.27e175daf32e9p-3 +
        m * (0x1.fa580432c8fbcp-6 - m * 0x1.76d3bc23881f2p-9)))));
    t *= j == 0u ? 1.0 : j == 1u ? 0x1.428a2f98d728bp0 : 0x1.965fea53d6e3dp0;
    m = as_double((ix & 0x000ffffffffffffful) | ((ulong)(1023u + j) << 52));
    t = as_double(as_ulong(t) & 0xfffffffff8000000ul); // 26 bits, so that the square is exact
    double u = m / (t * t);
    t = t + t * ((u - t) / ((t + t) + u));
    return as_double(as_ulong(t * as_double((ulong)(q + 623u) << 52)) | (ux & 0x8000000000000000ul));
}

double __clforge_rsqrt_f64(double x)
{
    return 1.0 / sqrt(x);
}

double __clforge_hypot_f64(double x, double y)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    ulong iy = as_ulong(y) & 0x7ffffffffffffffful;
    if (ix == 0x7ff0000000000000ul || iy == 0x7ff0000000000000ul)
        return as_double(0x7ff0000000000000ul);
    if (ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    if (ix == 0ul || iy == 0ul)
        return as_double(ix | iy);
    uint a = (uint)((ix > iy ? ix : iy) >> 52);
    // scaled away from overflow and underflow of the squares
    double up = a > 1523u ? 0x1p-600 : a < 573u ? 0x1p+600 : 1.0;
    double down = a > 1523u ? 0x1p+600 : a < 573u ? 0x1p-600 : 1.0;
    double u = as_double(ix) * up;
    double v = as_double(iy) * up;
    return sqrt(u * u + v * v) * down;
}
