// Powers of double: pow, powr, pown, rootn.
//
// x^y = 2^(y*log2(x)) with the logarithm and its product by y in pairs of doubles. The pairs come from
// splitting operands into halves by masking, so that every partial product is exact (after T. J. Dekker, "A
// Floating-Point Technique for Extending the Available Precision", Numer. Math. 18, 1971), with or without
// fused multiply-add.

// The upper 26 bits of the significand.
double __clforge_head_f64(double x)
{
    return as_double(as_ulong(x) & 0xfffffffff8000000ul);
}

// log2 of a finite x > 0 given by its bits, with a relative error of 2^-64: returns the head (26 bits), *tail the rest.
double __clforge_log2_pair_f64(ulong ix, double *tail)
{
    int e = -1023;
    if (ix < 0x0010000000000000ul) { // denormal: normalised as an integer
        ix = as_ulong((double)ix);
        e = -1023 - 1074;
    }
    ix += 0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul;
    double k = (double)((int)(ix >> 52) + e);
    double m = as_double((ix & 0x000ffffffffffffful) + 0x3fe6a09e667f3bcdul);
    // s = (m-1)/(m+1) as a pair: the quotient, and its remainder divided again
    double f = m - 1.0;
    double d = m + 1.0;
    double rd = 1.0 / d;
    double sh = __clforge_head_f64(f * rd);
    double dh = __clforge_head_f64(d);
    double dl = m - (dh - 1.0);
    double sl = ((f - sh * dh) - sh * dl) * rd;
    double s = sh + sl;
    // s^2 and s^3 as pairs, as the cubic term needs more than a double
    double zh = __clforge_head_f64(sh * sh);
    double zl = (sh * sh - zh) + sl * (sh + s);
    double z = zh + zl;
    double wh = __clforge_head_f64(sh * zh);
    double wl = (sh * zh - wh) + (sh * zl + sl * z);
    // log2(m) = 2/ln2*s + 2/(3*ln2)*s^3 + s^5*p; the constants have 26 bits in their first parts
    // relative error 2^-73.4 on [0, 0.1716]
    double p = 0x1.2776c50ef9bfcp-1 + z * (0x1.a61762a7aedd4p-2 + z * (0x1.484b13d6adc12p-2 +
        z * (0x1.0c9a853a81196p-2 + z * (0x1.c68ee99f513a1p-3 + z * (0x1.8a09ae458694p-3 +
        z * (0x1.58fd89fc94ecfp-3 + z * 0x1.61eae3f5ce01bp-3))))));
    double h = sh * 0x1.715476p1;
    double g = wh * 0x1.ec709d8p-1;
    double l = (sl * 0x1.715476p1 + s * 0x1.4ae0bf85ddf44p-25) +
        (wl * 0x1.ec709dc3a03fdp-1 + wh * 0x1.0e80ff5d27f05p-27);
    l += s * z * z * p;
    double t = k + h;
    double c = h - (t - k);
    double u = t + g;
    l += c + (g - (u - t));
    h = __clforge_head_f64(u + l);
    *tail = (u - h) + l;
    return h;
}

// 2^((yh+yl)*log2(x)) for a finite x > 0 given by its bits; yh has 26 bits, |yh| < 2^80.
double __clforge_pow_core_f64(ulong ix, double yh, double yl)
{
    double ll;
    double lh = __clforge_log2_pair_f64(ix, &ll);
    double p = yh * lh;
    double q = yh * ll + yl * (lh + ll);
    double t = p + q;
    if (t > 1100.0)
        return as_double(0x7ff0000000000000ul);
    if (t < -1100.0)
        return 0.0;
    double k = rint(t);
    double r = (p - k) + q;
    // 2^r = 1 + r*e, relative error 2^-57.3 on [-0.501, 0.501]
    double e = 0x1.62e42fefa39efp-1 + r * (0x1.ebfbdff82c5a6p-3 + r * (0x1.c6b08d704a128p-5 +
        r * (0x1.3b2ab6fb9fd4bp-7 + r * (0x1.5d87fe789f8c1p-10 + r * (0x1.4309130f8b404p-13 +
        r * (0x1.ffcbfc61b2e73p-17 + r * (0x1.62bfc5f526e95p-20 + r * (0x1.b5252c940fc5p-24 +
        r * (0x1.e61e117ea7f08p-28 + r * 0x1.e9650ee6e54fap-32)))))))));
    int n = (int)k;
    int h = n >> 1;
    return (1.0 + r * e) * as_double((ulong)(h + 1023) << 52) * as_double((ulong)(n - h + 1023) << 52);
}

double __clforge_pow_f64(double x, double y)
{
    ulong ux = as_ulong(x);
    ulong uy = as_ulong(y);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong iy = uy & 0x7ffffffffffffffful;
    if (iy == 0ul || ux == 0x3ff0000000000000ul) // whatever the other is, even nan
        return 1.0;
    if (ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    // 0: y is not an integer, 1: odd, 2: even
    uint parity = 0u;
    if (iy >= 0x4340000000000000ul) {
        parity = 2u;
    } else if (iy >= 0x3ff0000000000000ul) {
        uint shift = 1075u - (uint)(iy >> 52);
        ulong m = (iy & 0x000ffffffffffffful) | 0x0010000000000000ul;
        if ((m & ((1ul << shift) - 1ul)) == 0ul)
            parity = ((m >> shift) & 1ul) != 0ul ? 1u : 2u;
    }
    ulong sign = parity == 1u ? ux & 0x8000000000000000ul : 0ul;
    if (ix == 0ul || ix == 0x7ff0000000000000ul) // inf where exactly one of a zero x and a negative y, else zero
        return as_double(sign | ((ix == 0ul) == (uy >> 63 != 0ul) ? 0x7ff0000000000000ul : 0ul));
    if (iy == 0x7ff0000000000000ul) {
        if (ix == 0x3ff0000000000000ul)
            return 1.0;
        return as_double((ix > 0x3ff0000000000000ul) == (uy >> 63 == 0ul) ? 0x7ff0000000000000ul : 0ul);
    }
    if (ux >> 63 != 0ul && parity == 0u)
        return as_double(0x7ff8000000000000ul);
    if (iy > 0x4430000000000000ul) // |y| > 2^68 over- or underflows as 2^68 does, unless |x| is 1
        y = as_double((uy & 0x8000000000000000ul) | 0x4430000000000000ul);
    double yh = __clforge_head_f64(y);
    return as_double(as_ulong(__clforge_pow_core_f64(ix, yh, y - yh)) | sign);
}

double __clforge_powr_f64(double x, double y)
{
    ulong ux = as_ulong(x);
    ulong uy = as_ulong(y);
    ulong iy = uy & 0x7ffffffffffffffful;
    if (ux > 0x7ff0000000000000ul && ux != 0x8000000000000000ul) // nan or x < 0
        return as_double(0x7ff8000000000000ul);
    ux &= 0x7ffffffffffffffful;
    if (iy > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    if (ux == 0ul || ux == 0x7ff0000000000000ul) {
        if (iy == 0ul)
            return as_double(0x7ff8000000000000ul);
        return as_double((ux == 0ul) == (uy >> 63 != 0ul) ? 0x7ff0000000000000ul : 0ul);
    }
    if (iy == 0x7ff0000000000000ul) {
        if (ux == 0x3ff0000000000000ul)
            return as_double(0x7ff8000000000000ul);
        return as_double((ux > 0x3ff0000000000000ul) == (uy >> 63 == 0ul) ? 0x7ff0000000000000ul : 0ul);
    }
    if (iy > 0x4430000000000000ul)
        y = as_double((uy & 0x8000000000000000ul) | 0x4430000000000000ul);
    double yh = __clforge_head_f64(y);
    return __clforge_pow_core_f64(ux, yh, y - yh);
}

double __clforge_pown_f64(double x, int n)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (n == 0)
        return 1.0;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ix | 0x0008000000000000ul);
    ulong sign = (n & 1) != 0 ? ux & 0x8000000000000000ul : 0ul;
    if (ix == 0ul || ix == 0x7ff0000000000000ul)
        return as_double(sign | ((ix == 0ul) == (n < 0) ? 0x7ff0000000000000ul : 0ul));
    double y = (double)n;
    double yh = __clforge_head_f64(y);
    double yl = y - yh;
    return as_double(as_ulong(__clforge_pow_core_f64(ix, yh, yl)) | sign);
}

double __clforge_rootn_f64(double x, int n)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    uint odd = (uint)n & 1u;
    if (n == 0 || ix > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    ulong sign = odd != 0u ? ux & 0x8000000000000000ul : 0ul;
    if (ix == 0ul)
        return as_double(sign | (n < 0 ? 0x7ff0000000000000ul : 0ul));
    if (ux >> 63 != 0ul && odd == 0u)
        return as_double(0x7ff8000000000000ul);
    if (ix == 0x7ff0000000000000ul)
        return as_double(sign | (n < 0 ? 0ul : 0x7ff0000000000000ul));
    // 1/n as a pair
    double d = (double)n;
    double y = 1.0 / d;
    double yh = __clforge_head_f64(y);
    double dh = __clforge_head_f64(d);
    double yl = ((1.0 - yh * dh) - yh * (d - dh)) * y;
    return as_double(as_ulong(__clforge_pow_core_f64(ix, yh, yl)) | sign);
}
