// Reduction of large doubles modulo pi/2 by the bits of 2/pi that matter, in integers (M. H. Payne, R. N. Hanek,
// "Radian Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983).
//
// Separate from the float version, since the bits of 2/pi that a double can reach are a table.

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
