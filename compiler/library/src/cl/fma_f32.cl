// fma of float, correctly rounded: in floats by rounding to odd (S. Boldo, G. Melquiond, "Emulation of a FMA and
// Correctly-Rounded Sums: Proved Algorithms Using Rounding to Odd", IEEE Trans. Comp. 57, 2008) where no part can
// overflow or become denormal, else in integers. Separate from the double version, since products fit integers of 64
// bits.

// m*2^(e-150) rounded to nearest even, m != 0; bits below m may be summed up in its lowest bit.
uint __clforge_fma_round_f32(ulong m, int e)
{
    int n = (int)clz(m);
    m <<= n; // 1.xxx at bit 63
    e += 40 - n; // the biased exponent
    if (e >= 255)
        return 0x7f800000u;
    if (e < 1) { // denormal
        if (e < -23)
            return 0u;
        if (e == -23)
            return m > 0x8000000000000000ul ? 1u : 0u;
        uint q = (uint)(m >> (41 - e));
        ulong tail = m << (23 + e);
        return q + (tail > 0x8000000000000000ul || (tail == 0x8000000000000000ul && (q & 1u) != 0u) ? 1u : 0u);
    }
    uint r = ((uint)e << 23) + ((uint)(m >> 40) & 0x007fffffu);
    ulong rest = m << 24;
    return r + (rest > 0x8000000000000000ul || (rest == 0x8000000000000000ul && (r & 1u) != 0u) ? 1u : 0u);
}

// a*b + c for finite, non-zero a and b.
float __clforge_fma_exact_f32(float a, float b, float c)
{
    uint ua = as_uint(a);
    uint ub = as_uint(b);
    uint uc = as_uint(c);
    uint ia = ua & 0x7fffffffu;
    uint ib = ub & 0x7fffffffu;
    uint ic = uc & 0x7fffffffu;
    uint sp = (ua ^ ub) & 0x80000000u;
    uint sc = uc & 0x80000000u;
    // significands with the exponent of the last place; a denormal is not normalised, its product is exact too
    uint ma = ia < 0x00800000u ? ia : (ia & 0x007fffffu) | 0x00800000u;
    uint mb = ib < 0x00800000u ? ib : (ib & 0x007fffffu) | 0x00800000u;
    uint mc = ic < 0x00800000u ? ic : (ic & 0x007fffffu) | 0x00800000u;
    int ea = ia < 0x00800000u ? 1 : (int)(ia >> 23);
    int eb = ib < 0x00800000u ? 1 : (int)(ib >> 23);
    int ec = ic < 0x00800000u ? 1 : (int)(ic >> 23);
    ulong p = (ulong)ma * (ulong)mb;
    int ep = ea + eb - 150;
    if (mc == 0u)
        return as_float(sp | __clforge_fma_round_f32(p, ep));
    // both with the leading one at bit 62
    int n = (int)clz(p) - 1;
    p <<= n;
    ep -= n;
    n = (int)clz((ulong)mc) - 1;
    ulong q = (ulong)mc << n;
    ec -= n;
    // the larger one first
    bool swap = ec > ep || (ec == ep && q > p);
    ulong x = swap ? q : p;
    ulong y = swap ? p : q;
    int d = swap ? ec - ep : ep - ec;
    int e = swap ? ec : ep;
    uint s = swap ? sc : sp;
    // align, what falls off is summed up in the lowest bit
    ulong t = d > 62 ? 0ul : y >> d;
    if (d > 62 || (t << d) != y)
        t |= 1ul;
    x = sp == sc ? x + t : x - t;
    if (x == 0ul)
        return 0.0f;
    return as_float(s | __clforge_fma_round_f32(x, e));
}

// a + b and in *low what it lost, in any order of magnitude (D. E. Knuth, TAOCP 2, 4.2.2).
float __clforge_two_sum_f32(float a, float b, float *low)
{
    float s = a + b;
    float t = s - a;
    *low = (a - (s - t)) + (b - t);
    return s;
}

float __clforge_fma_f32(float a, float b, float c)
{
    uint ia = as_uint(a) & 0x7fffffffu;
    uint ib = as_uint(b) & 0x7fffffffu;
    uint ic = as_uint(c) & 0x7fffffffu;
    // a zero product or anything inf or nan: the rounding of the product does not matter
    if (ia == 0u || ib == 0u || ia >= 0x7f800000u || ib >= 0x7f800000u || ic >= 0x7f800000u)
        return ic >= 0x7f800000u && ia < 0x7f800000u && ib < 0x7f800000u ? c : a * b + c;
    uint ea = ia >> 23;
    uint eb = ib >> 23;
    if (ea < 30u || eb < 30u || ea + eb - 190u > 160u || (ic != 0u && (ic >> 23) - 64u > 160u))
        return __clforge_fma_exact_f32(a, b, c);
    // a*b = ph + pl
    float ah = as_float(as_uint(a) & 0xfffff000u);
    float bh = as_float(as_uint(b) & 0xfffff000u);
    float al = a - ah;
    float bl = b - bh;
    float ph = a * b;
    float pl = ((ah * bh - ph) + ah * bl + al * bh) + al * bl;
    float tl;
    float th = __clforge_two_sum_f32(c, pl, &tl);
    float vl;
    float vh = __clforge_two_sum_f32(ph, th, &vl);
    // tl + vl rounded to odd
    float zl;
    float z = __clforge_two_sum_f32(tl, vl, &zl);
    uint uz = as_uint(z);
    if (zl != 0.0f && (uz & 1u) == 0u)
        z = as_float(((as_uint(zl) ^ uz) >> 31) != 0u ? uz - 1u : uz + 1u);
    return vh + z;
}
