// Parts of numbers of float and double: multiplication by a power of two, and the head of a significand.

// y * 2^k for |y| in [0.5, 2] and |k| <= 250 (float), |y| in [2^-20, 2] and |k| <= 2000 (double). By two powers of two,
// so that a denormal result is rounded once, in the last multiplication.
real FN(scale)(real y, int k)
{
    int h = k >> 1;
    return y * as_real((bits)(h + BIAS) << FRACTION_WIDTH) * as_real((bits)(k - h + BIAS) << FRACTION_WIDTH);
}

// The upper half of the significand, 12 (float) or 26 bits (double), so that the product of two heads is exact.
real FN(head)(real x)
{
    return as_real(as_bits(x) & HEAD_MASK);
}

// A quotient whose divisor is known to be between 2^-126 and 2^126, for which Vulkan's division is precise enough.
#undef QUOTIENT
#define QUOTIENT(x, y) PER_WIDTH(native_divide(x, y), (x) / (y))
