// Trigonometric functions of double: sin, cos, tan, sinpi, cospi, tanpi.
//
// |x| < 1.5*2^20 is reduced by a three-part pi/2 (W. J. Cody, W. Waite, 1980), everything else by the bits of
// 2/pi that matter, in integers (M. H. Payne, R. N. Hanek, "Radian Reduction for Trigonometric Functions",
// SIGNUM Newsletter 18, 1983). Both keep the relative precision of the reduced argument next to multiples of pi/2.

// A word of zeros for the integer part and the first 1216 bits of 2/pi.
constant ulong __clforge_two_over_pi[20] = {
    0x0000000000000000ul, 0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul, 0xdb6295993c439041ul,
    0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul, 0x06492eea09d1921cul, 0xfe1deb1cb129a73eul,
    0xe88235f52ebb4484ul, 0xe99c7026b45f7e41ul, 0x3991d639835339f4ul, 0x9c845f8bbdf9283bul,
    0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul, 0x4f463f669e5fea2dul,
    0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul, 0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul,
};

// x*2/pi for 1.5*2^20 <= x < inf, given by its bits: returns the reduced argument in radians, *quadrant gets the
// low bits of the nearest integer.
double __clforge_trig_reduce_large_f64(ulong ix, uint *quadrant)
{
    ulong m = (ix & 0x000ffffffffffffful) | 0x0010000000000000ul;
    // x = m*2^(e-1075); the window starts two bits above the binary point of the product
    uint pos = (uint)(ix >> 52) - 1013u; // 30 .. 1033
    uint i = pos >> 6;
    pos &= 63u;
    ulong w0 = __clforge_two_over_pi[i];
    ulong w1 = __clforge_two_over_pi[i + 1u];
    ulong w2 = __clforge_two_over_pi[i + 2u];
    if (pos != 0u) {
        ulong w3 = __clforge_two_over_pi[i + 3u];
        w0 = (w0 << pos) | (w1 >> (64u - pos));
        w1 = (w1 << pos) | (w2 >> (64u - pos));
        w2 = (w2 << pos) | (w3 >> (64u - pos));
    }
    // the upper 128 bits of m*w modulo 2^192: two bits of integer, 126 of fraction
    ulong lo = m * w1;
    ulong hi = m * w0 + mul_hi(m, w1);
    ulong t = mul_hi(m, w2);
    lo += t;
    hi += lo < t ? 1ul : 0ul;
    // to the nearest integer and a fraction of either sign
    uint q = (uint)(hi >> 62);
    hi = (hi << 2) | (lo >> 62);
    lo <<= 2;
    ulong sign = hi & 0x8000000000000000ul;
    if (sign != 0ul) {
        q += 1u;
        hi = ~hi;
        lo = ~lo;
    }
    *quadrant = q;
    uint n = (uint)clz(hi); // below 64: no double is that near to a multiple of pi/2
    if (n != 0u)
        hi = (hi << n) | (lo >> (64u - n));
    // times pi/2, rounded once, in the conversion
    double r = (double)mul_hi(hi, 0xc90fdaa22168c235ul) * as_double((ulong)(960u - n) << 52);
    return as_double(as_ulong(r) | sign);
}

// x = q*pi/2 + r for |x| < inf, given by its bits without the sign; |r| <= pi/4.
double __clforge_trig_reduce_f64(ulong ix, uint *quadrant)
{
    if (ix >= 0x4138000000000000ul) // |x| >= 1.5*2^20
        return __clforge_trig_reduce_large_f64(ix, quadrant);
    double x = as_double(ix);
    double k = rint(x * 0x1.45f306dc9c883p-1);
    *quadrant = (uint)(int)k;
    // the first two parts have 33 bits, so that k times each is exact and so is the first difference
    double r = x - k * 0x1.921fb544p0;
    double w = k * 0x1.0b4611a6p-34;
    double s = r - w;
    double c = (r - s) - w; // what s lost
    return s - (k * 0x1.3198a2e037073p-69 - c);
}

// sin(r) and cos(r) for |r| <= pi/4.
double __clforge_sin_kernel_f64(double r)
{
    double z = r * r;
    // sin(r) = r + r^3*p, relative error 2^-62.9 on [0, 0.786]
    double p = -0x1.5555555555555p-3 + z * (0x1.111111111108bp-7 + z * (-0x1.a01a01a006dbp-13 +
        z * (0x1.71de3a401fe54p-19 + z * (-0x1.ae643d50495fp-26 +
        z * (0x1.6114b01f5910ap-33 - z * 0x1.a562bbe121606p-41)))));
    return r + r * z * p;
}

double __clforge_cos_kernel_f64(double r)
{
    double z = r * r;
    // cos(r) = 1 - r^2/2 + r^4*p, relative error 2^-63.9 on [0, 0.786]
    double p = 0x1.555555555554bp-5 + z * (-0x1.6c16c16c1500cp-10 + z * (0x1.a01a019c8d949p-16 +
        z * (-0x1.27e4f7f008783p-22 + z * (0x1.1ee9da88f4795p-29 - z * 0x1.8fa5c165deabdp-37))));
    return 1.0 - (0.5 * z - z * z * p);
}

double __clforge_sin_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix | 0x7ff8000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    uint q;
    double r = __clforge_trig_reduce_f64(ix, &q);
    double y = (q & 1u) != 0u ? __clforge_cos_kernel_f64(r) : __clforge_sin_kernel_f64(r);
    return as_double(as_ulong(y) ^ ((ulong)q << 62 & 0x8000000000000000ul) ^ (ux & 0x8000000000000000ul));
}

double __clforge_cos_f64(double x)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix | 0x7ff8000000000000ul);
    uint q;
    double r = __clforge_trig_reduce_f64(ix, &q);
    double y = (q & 1u) != 0u ? __clforge_sin_kernel_f64(r) : __clforge_cos_kernel_f64(r);
    return as_double(as_ulong(y) ^ ((ulong)(q + 1u) << 62 & 0x8000000000000000ul));
}

// tan(r) in quadrant q.
double __clforge_tan_kernel_f64(double r, uint q)
{
    double s = __clforge_sin_kernel_f64(r);
    double c = __clforge_cos_kernel_f64(r);
    return (q & 1u) != 0u ? -(c / s) : s / c;
}

double __clforge_tan_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix | 0x7ff8000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    uint q;
    double r = __clforge_trig_reduce_f64(ix, &q);
    return as_double(as_ulong(__clforge_tan_kernel_f64(r, q)) ^ (ux & 0x8000000000000000ul));
}

// |x| = q/2 + r/pi exactly, given by its bits without the sign, for |x| < 2^53; larger ones are even.
double __clforge_trigpi_reduce_f64(ulong ix, uint *quadrant)
{
    double x = ix >= 0x4340000000000000ul ? 0.0 : as_double(ix);
    double k = rint(x + x);
    *quadrant = (uint)(long)k;
    return (x - 0.5 * k) * 0x1.921fb54442d18p1;
}

double __clforge_sinpi_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix | 0x7ff8000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x * 0x1.921fb54442d18p1;
    uint q;
    double r = __clforge_trigpi_reduce_f64(ix, &q);
    double y = (q & 1u) != 0u ? __clforge_cos_kernel_f64(r) : __clforge_sin_kernel_f64(r);
    ulong s = (ulong)q << 62 & 0x8000000000000000ul;
    if (r == 0.0 && (q & 1u) == 0u) // a zero has the sign of x
        return as_double(ux & 0x8000000000000000ul);
    return as_double(as_ulong(y) ^ s ^ (ux & 0x8000000000000000ul));
}

double __clforge_cospi_f64(double x)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix | 0x7ff8000000000000ul);
    uint q;
    double r = __clforge_trigpi_reduce_f64(ix, &q);
    double y = (q & 1u) != 0u ? __clforge_sin_kernel_f64(r) : __clforge_cos_kernel_f64(r);
    if (r == 0.0 && (q & 1u) != 0u)
        return 0.0;
    return as_double(as_ulong(y) ^ ((ulong)(q + 1u) << 62 & 0x8000000000000000ul));
}

double __clforge_tanpi_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix >= 0x7ff0000000000000ul)
        return as_double(ix | 0x7ff8000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x * 0x1.921fb54442d18p1;
    uint q;
    double r = __clforge_trigpi_reduce_f64(ix, &q);
    if (r == 0.0) {
        // quadrants 0 and 1: +0 and +inf; 2 and 3: -0 and -inf; the other way round for a negative x, but for
        // the infinities, whose sign alternates along the axis
        ulong s = (ulong)q << 62 & 0x8000000000000000ul;
        if ((q & 1u) == 0u)
            return as_double(s ^ (ux & 0x8000000000000000ul));
        return as_double(0x7ff0000000000000ul ^ s ^ (ux & 0x8000000000000000ul));
    }
    return as_double(as_ulong(__clforge_tan_kernel_f64(r, q)) ^ (ux & 0x8000000000000000ul));
}
