// fma of double, correctly rounded: in doubles by rounding to odd (S. Boldo, G. Melquiond, "Emulation of a FMA and
// Correctly-Rounded Sums: Proved Algorithms Using Rounding to Odd", IEEE Trans. Comp. 57, 2008) where no part can
// overflow or become denormal, else in integers. Separate from the float version, since products take integers of 128
// bits, in pairs.

// (hi, lo)*2^(e-1139) rounded to nearest even, hi or lo not zero; what lies below may be summed up in the lowest bit.
ulong __clforge_fma_round_f64(ulong hi, ulong lo, int e)
{
    if (hi == 0ul) {
        hi = lo;
        lo = 0ul;
        e -= 64;
    }
    int n = (int)clz(hi);
    if (n != 0)
        hi = (hi << n) | (lo >> (64 - n));
    lo <<= n;
    if (lo != 0ul)
        hi |= 1ul; // the lowest 11 bits only decide the rounding
    e -= n - 11; // the biased exponent
    if (e >= 2047)
        return 0x7ff0000000000000ul;
    if (e < 1) { // denormal
        if (e < -52)
            return 0ul;
        if (e == -52)
            return hi > 0x8000000000000000ul ? 1ul : 0ul;
        ulong q = hi >> (12 - e);
        ulong tail = hi << (52 + e);
        return q + (tail > 0x8000000000000000ul || (tail == 0x8000000000000000ul && (q & 1ul) != 0ul) ? 1ul : 0ul);
    }
    ulong r = ((ulong)e << 52) + ((hi >> 11) & 0x000ffffffffffffful);
    ulong rest = hi << 53;
    return r + (rest > 0x8000000000000000ul || (rest == 0x8000000000000000ul && (r & 1ul) != 0ul) ? 1ul : 0ul);
}

// a*b + c for finite, non-zero a and b.
double __clforge_fma_exact_f64(double a, double b, double c)
{
    ulong ua = as_ulong(a);
    ulong ub = as_ulong(b);
    ulong uc = as_ulong(c);
    ulong ia = ua & 0x7ffffffffffffffful;
    ulong ib = ub & 0x7ffffffffffffffful;
    ulong ic = uc & 0x7ffffffffffffffful;
    ulong sp = (ua ^ ub) & 0x8000000000000000ul;
    ulong sc = uc & 0x8000000000000000ul;
    // significands; a denormal is not normalised, its product is exact too
    int ea = (int)(ia >> 52);
    int eb = (int)(ib >> 52);
    int ec = (int)(ic >> 52);
    ulong ma = (ia & 0x000ffffffffffffful) | (ea != 0 ? 0x0010000000000000ul : 0ul);
    ulong mb = (ib & 0x000ffffffffffffful) | (eb != 0 ? 0x0010000000000000ul : 0ul);
    ulong mc = (ic & 0x000ffffffffffffful) | (ec != 0 ? 0x0010000000000000ul : 0ul);
    ea = ea == 0 ? 1 : ea;
    eb = eb == 0 ? 1 : eb;
    ec = ec == 0 ? 1 : ec;
    ulong ph = mul_hi(ma, mb);
    ulong pl = ma * mb;
    // the value is (ph, pl)*2^(ep-1139), and the same for c below
    int ep = ea + eb - 1011;
    if (mc == 0ul)
        return as_double(sp | __clforge_fma_round_f64(ph, pl, ep));
    // both with the leading one at bit 126
    if (ph == 0ul) {
        ph = pl;
        pl = 0ul;
        ep -= 64;
    }
    int n = (int)clz(ph) - 1;
    if (n > 0) {
        ph = (ph << n) | (pl >> (64 - n));
        pl <<= n;
    } else if (n < 0) { // (ph, 0) of a product below 2^64 only
        pl = ph << 63;
        ph >>= 1;
    }
    ep -= n;
    n = (int)clz(mc) - 1;
    ulong qh = mc << n;
    ulong ql = 0ul;
    ec -= n;
    // the larger one first
    bool swap = ec > ep || (ec == ep && (qh > ph || (qh == ph && ql > pl)));
    ulong xh = swap ? qh : ph;
    ulong xl = swap ? ql : pl;
    ulong yh = swap ? ph : qh;
    ulong yl = swap ? pl : ql;
    int d = swap ? ec - ep : ep - ec;
    int e = swap ? ec : ep;
    // align, what falls off is summed up in the lowest bit
    ulong off = 0ul;
    if (d >= 64) {
        off = yl;
        yl = yh;
        yh = 0ul;
        d -= 64;
    }
    if (d >= 64) {
        off |= yl;
        yl = 0ul;
    } else if (d > 0) {
        off |= yl << (64 - d);
        yl = (yl >> d) | (yh << (64 - d));
        yh >>= d;
    }
    if (off != 0ul)
        yl |= 1ul;
    if (sp == sc) {
        xl += yl;
        xh += yh + (xl < yl ? 1ul : 0ul);
    } else {
        xh -= yh + (xl < yl ? 1ul : 0ul);
        xl -= yl;
    }
    if ((xh | xl) == 0ul)
        return 0.0;
    return as_double((swap ? sc : sp) | __clforge_fma_round_f64(xh, xl, e));
}

// a + b and in *low what it lost, in any order of magnitude (D. E. Knuth, TAOCP 2, 4.2.2).
double __clforge_two_sum_f64(double a, double b, double *low)
{
    double s = a + b;
    double t = s - a;
    *low = (a - (s - t)) + (b - t);
    return s;
}

double __clforge_fma_f64(double a, double b, double c)
{
    ulong ia = as_ulong(a) & 0x7ffffffffffffffful;
    ulong ib = as_ulong(b) & 0x7ffffffffffffffful;
    ulong ic = as_ulong(c) & 0x7ffffffffffffffful;
    // a zero product or anything inf or nan: the rounding of the product does not matter
    bool special = ia >= 0x7ff0000000000000ul || ib >= 0x7ff0000000000000ul || ic >= 0x7ff0000000000000ul;
    if (ia == 0ul || ib == 0ul || special)
        return ic >= 0x7ff0000000000000ul && ia < 0x7ff0000000000000ul && ib < 0x7ff0000000000000ul ? c : a * b + c;
    uint ea = (uint)(ia >> 52);
    uint eb = (uint)(ib >> 52);
    uint ec = (uint)(ic >> 52);
    if (ea - 60u > 1980u || eb - 60u > 1980u || ea + eb - 1400u > 1500u || (ic != 0ul && ec - 400u > 1500u))
        return __clforge_fma_exact_f64(a, b, c);
    // a*b = ph + pl by halves of 26 bits, rounded so that the lower ones have 26 bits too
    double ah = as_double((as_ulong(a) + 0x0000000004000000ul) & 0xfffffffff8000000ul);
    double bh = as_double((as_ulong(b) + 0x0000000004000000ul) & 0xfffffffff8000000ul);
    double al = a - ah;
    double bl = b - bh;
    double ph = a * b;
    double pl = ((ah * bh - ph) + ah * bl + al * bh) + al * bl;
    double tl;
    double th = __clforge_two_sum_f64(c, pl, &tl);
    double vl;
    double vh = __clforge_two_sum_f64(ph, th, &vl);
    // tl + vl rounded to odd
    double zl;
    double z = __clforge_two_sum_f64(tl, vl, &zl);
    ulong uz = as_ulong(z);
    if (zl != 0.0 && (uz & 1ul) == 0ul)
        z = as_double(((as_ulong(zl) ^ uz) >> 63) != 0ul ? uz - 1ul : uz + 1ul);
    return vh + z;
}
