// Powers of float: pow, powr, pown, rootn.
//
// x^y = 2^(y*log2(x)) with the logarithm and its product by y in pairs of floats. The pairs come from
// splitting operands into 12-bit halves by masking, so that every partial product is exact (after T. J.
// Dekker, "A Floating-Point Technique for Extending the Available Precision", Numer. Math. 18, 1971), with
// or without fused multiply-add and denormals.

// The upper 12 bits of the significand.
float __clforge_head_f32(float x)
{
    return as_float(as_uint(x) & 0xfffff000u);
}

// log2 of a finite x > 0 given by its bits, with a relative error of 2^-33: returns the head (12 bits), *tail the rest.
float __clforge_log2_pair_f32(uint ix, float *tail)
{
    int e = -127;
    if (ix < 0x00800000u) { // denormal: normalised as an integer
        ix = as_uint((float)ix);
        e = -127 - 149;
    }
    ix += 0x3f800000u - 0x3f3504f3u;
    float k = (float)((int)(ix >> 23) + e);
    float m = as_float((ix & 0x007fffffu) + 0x3f3504f3u);
    // s = (m-1)/(m+1) as a pair: the quotient, and its remainder divided again
    float f = m - 1.0f;
    float d = m + 1.0f;
    float rd = 1.0f / d;
    float sh = __clforge_head_f32(f * rd);
    float dh = __clforge_head_f32(d);
    float dl = m - (dh - 1.0f);
    float sl = ((f - sh * dh) - sh * dl) * rd;
    float s = sh + sl;
    float z = s * s;
    // log2(m) = 2/ln2*s + s^3*p; 2/ln2 = ch + cl with 12 bits in ch
    // relative error 2^-36.2 on [0, 0.1716]
    float p = 0x1.ec709ep-1f + z * (0x1.2776e8p-1f + z * (0x1.a5cad6p-2f + z * 0x1.5902a6p-2f));
    float h = sh * 0x1.714p1f;
    float l = (sl * 0x1.714p1f + s * 0x1.47652cp-11f) + s * z * p;
    float t = k + h;
    l += h - (t - k);
    h = __clforge_head_f32(t + l);
    *tail = (t - h) + l;
    return h;
}

// 2^((yh+yl)*log2(x)) for a finite x > 0 given by its bits; yh has 12 bits, |yh| < 2^40.
float __clforge_pow_core_f32(uint ix, float yh, float yl)
{
    float ll;
    float lh = __clforge_log2_pair_f32(ix, &ll);
    float p = yh * lh;
    float q = yh * ll + yl * (lh + ll);
    float t = p + q;
    if (t > 160.0f)
        return as_float(0x7f800000u);
    if (t < -160.0f)
        return 0.0f;
    float k = rint(t);
    float r = (p - k) + q;
    // 2^r = 1 + r*e, relative error 2^-28.0 on [-0.501, 0.501]
    float e = 0x1.62e43p-1f + r * (0x1.ebfbd8p-3f + r * (0x1.c6af72p-5f + r * (0x1.3b309p-7f +
        r * (0x1.5f0e12p-10f + r * 0x1.3fb5f2p-13f))));
    int n = (int)k;
    int h = n >> 1;
    return (1.0f + r * e) * as_float((uint)(h + 127) << 23) * as_float((uint)(n - h + 127) << 23);
}

float __clforge_pow_f32(float x, float y)
{
    uint ux = as_uint(x);
    uint uy = as_uint(y);
    uint ix = ux & 0x7fffffffu;
    uint iy = uy & 0x7fffffffu;
    if (iy == 0u || ux == 0x3f800000u) // whatever the other is, even nan
        return 1.0f;
    if (ix > 0x7f800000u || iy > 0x7f800000u)
        return as_float(0x7fc00000u);
    // 0: y is not an integer, 1: odd, 2: even
    uint parity = 0u;
    if (iy >= 0x4b800000u) {
        parity = 2u;
    } else if (iy >= 0x3f800000u) {
        uint shift = 150u - (iy >> 23);
        uint m = (iy & 0x007fffffu) | 0x00800000u;
        if ((m & ((1u << shift) - 1u)) == 0u)
            parity = ((m >> shift) & 1u) != 0u ? 1u : 2u;
    }
    uint sign = parity == 1u ? ux & 0x80000000u : 0u;
    if (ix == 0u || ix == 0x7f800000u) // inf where exactly one of a zero x and a negative y, else zero
        return as_float(sign | ((ix == 0u) == (uy >> 31 != 0u) ? 0x7f800000u : 0u));
    if (iy == 0x7f800000u) {
        if (ix == 0x3f800000u)
            return 1.0f;
        return as_float((ix > 0x3f800000u) == (uy >> 31 == 0u) ? 0x7f800000u : 0u);
    }
    if (ux >> 31 != 0u && parity == 0u)
        return as_float(0x7fc00000u);
    if (iy > 0x51000000u) // |y| > 2^35 over- or underflows as 2^35 does, unless |x| is 1
        y = as_float((uy & 0x80000000u) | 0x51000000u);
    float yh = __clforge_head_f32(y);
    return as_float(as_uint(__clforge_pow_core_f32(ix, yh, y - yh)) | sign);
}

float __clforge_powr_f32(float x, float y)
{
    uint ux = as_uint(x);
    uint uy = as_uint(y);
    uint iy = uy & 0x7fffffffu;
    if (ux > 0x7f800000u && ux != 0x80000000u) // nan or x < 0
        return as_float(0x7fc00000u);
    ux &= 0x7fffffffu;
    if (iy > 0x7f800000u)
        return as_float(0x7fc00000u);
    if (ux == 0u || ux == 0x7f800000u) {
        if (iy == 0u)
            return as_float(0x7fc00000u);
        return as_float((ux == 0u) == (uy >> 31 != 0u) ? 0x7f800000u : 0u);
    }
    if (iy == 0x7f800000u) {
        if (ux == 0x3f800000u)
            return as_float(0x7fc00000u);
        return as_float((ux > 0x3f800000u) == (uy >> 31 == 0u) ? 0x7f800000u : 0u);
    }
    if (iy > 0x51000000u)
        y = as_float((uy & 0x80000000u) | 0x51000000u);
    float yh = __clforge_head_f32(y);
    return __clforge_pow_core_f32(ux, yh, y - yh);
}

float __clforge_pown_f32(float x, int n)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (n == 0)
        return 1.0f;
    if (ix > 0x7f800000u)
        return as_float(ix | 0x00400000u);
    uint sign = (n & 1) != 0 ? ux & 0x80000000u : 0u;
    if (ix == 0u || ix == 0x7f800000u)
        return as_float(sign | ((ix == 0u) == (n < 0) ? 0x7f800000u : 0u));
    // |n| in two floats: its upper 12 bits and the rest
    uint a = n < 0 ? 0u - (uint)n : (uint)n;
    uint zeros = clz(a);
    uint low = zeros < 20u ? a & ((1u << (20u - zeros)) - 1u) : 0u;
    float yh = (float)(a - low);
    float yl = (float)low;
    yh = n < 0 ? -yh : yh;
    yl = n < 0 ? -yl : yl;
    return as_float(as_uint(__clforge_pow_core_f32(ix, yh, yl)) | sign);
}

float __clforge_rootn_f32(float x, int n)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    uint odd = (uint)n & 1u;
    if (n == 0 || ix > 0x7f800000u)
        return as_float(0x7fc00000u);
    uint sign = odd != 0u ? ux & 0x80000000u : 0u;
    if (ix == 0u)
        return as_float(sign | (n < 0 ? 0x7f800000u : 0u));
    if (ux >> 31 != 0u && odd == 0u)
        return as_float(0x7fc00000u);
    if (ix == 0x7f800000u)
        return as_float(sign | (n < 0 ? 0u : 0x7f800000u));
    // 1/n as a pair; n itself is rounded above 2^24, where it no longer matters
    float d = (float)n;
    float y = 1.0f / d;
    float yh = __clforge_head_f32(y);
    float dh = __clforge_head_f32(d);
    float yl = ((1.0f - yh * dh) - yh * (d - dh)) * y;
    return as_float(as_uint(__clforge_pow_core_f32(ix, yh, yl)) | sign);
}
