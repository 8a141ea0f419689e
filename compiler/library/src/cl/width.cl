// What the sources for float and for double have in common, by WIDTH: names of types, functions and parts of numbers.

#undef FN
#undef PER_WIDTH
#undef real
#undef bits
#undef signed_bits
#undef as_real
#undef as_bits
#undef R
#undef B
#undef SIGN_POSITION
#undef FRACTION_WIDTH
#undef EXPONENT_WIDTH
#undef EXPONENT_MASK
#undef BIAS
#undef DENORMAL_EXPONENT
#undef SIGN_MASK
#undef MAGNITUDE_MASK
#undef FRACTION_MASK
#undef HEAD_MASK
#undef HIDDEN_BIT
#undef QUIET_BIT
#undef INF_BITS
#undef MINUS_INF_BITS
#undef NAN_BITS
#undef ONE_BITS

#if WIDTH == 32
#define FN(name) __clforge_##name##_f32 // a function of the library
#define PER_WIDTH(float, double) float  // the first for float, the second for double
#define real float
#define bits uint
#define signed_bits int
#define as_real as_float
#define as_bits as_uint
#define R(literal) literal##f // a floating constant
#define B(literal) literal##u // an integer constant of the type `bits`
#define SIGN_POSITION 31
#define FRACTION_WIDTH 23
#define EXPONENT_WIDTH 8
#define EXPONENT_MASK 255
#define BIAS 127
#define DENORMAL_EXPONENT 149 // the least denormal number is 2^-149
#define SIGN_MASK 0x80000000u
#define MAGNITUDE_MASK 0x7fffffffu
#define FRACTION_MASK 0x007fffffu
#define HEAD_MASK 0xfffff000u  // with the upper 12 bits of a significand
#define HIDDEN_BIT 0x00800000u // of a significand; also the least normal number
#define QUIET_BIT 0x00400000u
#define INF_BITS 0x7f800000u
#define MINUS_INF_BITS 0xff800000u
#define NAN_BITS 0x7fc00000u
#define ONE_BITS 0x3f800000u
#else
#define FN(name) __clforge_##name##_f64
#define PER_WIDTH(float, double) double
#define real double
#define bits ulong
#define signed_bits long
#define as_real as_double
#define as_bits as_ulong
#define R(literal) literal
#define B(literal) literal##ul
#define SIGN_POSITION 63
#define FRACTION_WIDTH 52
#define EXPONENT_WIDTH 11
#define EXPONENT_MASK 2047
#define BIAS 1023
#define DENORMAL_EXPONENT 1074
#define SIGN_MASK 0x8000000000000000ul
#define MAGNITUDE_MASK 0x7ffffffffffffffful
#define FRACTION_MASK 0x000ffffffffffffful
#define HEAD_MASK 0xfffffffff8000000ul
#define HIDDEN_BIT 0x0010000000000000ul
#define QUIET_BIT 0x0008000000000000ul
#define INF_BITS 0x7ff0000000000000ul
#define MINUS_INF_BITS 0xfff0000000000000ul
#define NAN_BITS 0x7ff8000000000000ul
#define ONE_BITS 0x3ff0000000000000ul
#endif
