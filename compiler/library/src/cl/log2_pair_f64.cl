// Logarithm to base 2 in a pair of doubles, for powers and gamma.
//
// Separate from the float version, since the cubic term, too, must be a pair of doubles here.

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
