// Numbers that several sources for float and double use. The expansions change with PER_WIDTH, so that one definition
// serves both.

#define LN2 PER_WIDTH(0x1.62e43p-1f, 0x1.62e42fefa39efp-1)
#define LOG2_E PER_WIDTH(0x1.715476p0f, 0x1.71547652b82fep0)
// ln2 in two parts: the high part has 12 (float) or 41 bits (double), so that small integers times it are exact.
#define LN2_HIGH PER_WIDTH(0x1.62ep-1f, 0x1.62e42fefa3p-1)
#define LN2_LOW PER_WIDTH(0x1.0bfbe8p-15f, 0x1.3de6af278ece6p-42)
// The same of log10(2).
#define LOG10_2_HIGH PER_WIDTH(0x1.344p-2f, 0x1.34413509f7p-2)
#define LOG10_2_LOW PER_WIDTH(0x1.3509f8p-18f, 0x1.3fde623e2566bp-43)
#define SQRT_HALF_BITS PER_WIDTH(0x3f3504f3u, 0x3fe6a09e667f3bcdul)
#define PI PER_WIDTH(0x1.921fb6p1f, 0x1.921fb54442d18p1)
#define HALF_PI PER_WIDTH(0x1.921fb6p0f, 0x1.921fb54442d18p0)
#define QUARTER_PI PER_WIDTH(0x1.921fb6p-1f, 0x1.921fb54442d18p-1)
#define ONE_OVER_PI PER_WIDTH(0x1.45f306p-2f, 0x1.45f306dc9c883p-2)
#define TWO_OVER_PI PER_WIDTH(0x1.45f306p-1f, 0x1.45f306dc9c883p-1)
// What is subtracted from pi or pi/2, less the low part of it: PI - LESS_PI_LOW(p) is pi - p.
#define LESS_PI_LOW(p) (PER_WIDTH(p + 0x1.777a5cp-24f, p - 0x1.1a62633145c07p-53))
#define LESS_HALF_PI_LOW(p) (PER_WIDTH(p + 0x1.777a5cp-25f, p - 0x1.1a62633145c07p-54))
// The high part of ln2 for logarithms has 15 (float) or 41 bits (double).
#define LOG_LN2_HIGH PER_WIDTH(0x1.62e4p-1f, 0x1.62e42fefa3p-1)
#define LOG_LN2_LOW PER_WIDTH(0x1.7f7d1cp-20f, 0x1.3de6af278ece6p-42)
// Added to a number of less than 2^22 (float), 2^51 (double), it rounds to an integer, which the last bits of the sum are.
#define ROUNDING_SUM PER_WIDTH(0x1.8p23f, 0x1.8p52)
