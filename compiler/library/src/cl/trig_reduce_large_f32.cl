// Reduction of large floats modulo pi/2 by the bits of 2/pi that matter, in integers (M. H. Payne, R. N. Hanek, "Radian
// Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983).
//
// Separate from the double version, since the 192 bits of 2/pi that a float can reach are selected without a table.

// x*2/pi for 6400 <= x < inf, given by its bits: returns the reduced argument in radians, *quadrant gets the
// low bits of the nearest integer.
float __clforge_trig_reduce_large_f32(uint ix, uint *quadrant)
{
    uint m = (ix & 0x007fffffu) | 0x00800000u;
    // x = m*2^(e-150); the window starts two bits above the binary point of the product. A leading word of
    // zeros stands for the integer part of 2/pi.
    uint pos = (ix >> 23) - 120u; // 19 .. 134
    uint w0 = 0x00000000u;
    uint w1 = 0xa2f9836eu;
    uint w2 = 0x4e441529u;
    uint w3 = 0xfc2757d1u;
    if (pos >= 96u) {
        w0 = w3;
        w1 = 0xf534ddc0u;
        w2 = 0xdb629599u;
        w3 = 0x3c439041u;
        pos -= 96u;
        if (pos >= 32u) {
            w0 = w1;
            w1 = w2;
            w2 = w3;
            w3 = 0xfe5163abu;
            pos -= 32u;
        }
    } else if (pos >= 64u) {
        w0 = w2;
        w1 = w3;
        w2 = 0xf534ddc0u;
        w3 = 0xdb629599u;
        pos -= 64u;
    } else if (pos >= 32u) {
        w0 = w1;
        w1 = w2;
        w2 = w3;
        w3 = 0xf534ddc0u;
        pos -= 32u;
    }
    if (pos != 0u) {
        w0 = (w0 << pos) | (w1 >> (32u - pos));
        w1 = (w1 << pos) | (w2 >> (32u - pos));
        w2 = (w2 << pos) | (w3 >> (32u - pos));
    }
    // the upper 64 bits of m*w modulo 2^96: two bits of integer, 62 of fraction
    uint lo = m * w1;
    uint hi = m * w0 + mul_hi(m, w1);
    uint t = mul_hi(m, w2);
    lo += t;
    hi += lo < t ? 1u : 0u;
    // to the nearest integer and a fraction of either sign
    uint q = hi >> 30;
    hi = (hi << 2) | (lo >> 30);
    lo <<= 2;
    uint sign = hi & 0x80000000u;
    if (sign != 0u) {
        q += 1u;
        hi = ~hi;
        lo = ~lo;
    }
    *quadrant = q;
    uint n = clz(hi); // at most 29 for any float (checked for all)
    if (n != 0u)
        hi = (hi << n) | (lo >> (32u - n));
    // times pi/2, rounded once, in the conversion
    float r = (float)mul_hi(hi, 0xc90fdaa2u) * as_float((96u - n) << 23);
    return as_float(as_uint(r) | sign);
}
