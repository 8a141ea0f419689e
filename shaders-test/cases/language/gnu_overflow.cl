// Arithmetic that tells when it does not fit, for all pairs of edge values, added up with weights. The expected sums are
// those of the same functions of a C compiler on the host.
// RUN: kernel=k global=1
// ARG: buffer:long=0,1,-1,2,-2,127,-128,255,65535,2147483647,-2147483648,2147483648,4294967295,4294967296,9223372036854775807,-9223372036854775808,6074001000,3037000500
// ARG: buffer:ulong=0..18
// EXPECT 1: ulong=18446728396679483509,18446721827725644720,18446714497926888684,209177393025945,235821421307564,175839618414417,1159146849227390,82366534506648,14052895213894710514,1159146849369332,82366534803290,14052895213894877733,9394330,4966190170,18446744073709551615,9223372036854775808,18446728396679483525,175839618414429
#define EACH(M) \
    M(0, int, sadd) M(1, int, ssub) M(2, int, smul) M(3, uint, uadd) M(4, uint, usub) M(5, uint, umul) \
    M(6, long, saddl) M(7, long, ssubl) M(8, long, smull) M(9, ulong, uaddl) M(10, ulong, usubl) M(11, ulong, umull) \
    M(12, char, add) M(13, ushort, mul) M(14, ulong, sub) M(15, long, mul) M(16, int, add) M(17, uint, mul)

#define ONE(index, type, name)                                                          \
    {                                                                                   \
        type result = 77;                                                               \
        type left = (type)values[i], right = (type)values[j];                           \
        int lost = __builtin_##name##_overflow(left, right, &result);                   \
        sums[index] += (ulong)(result * 3 + lost * 7) * (ulong)(i * 31 + j * 17 + 1);   \
    }

kernel void k(global const long *values, global ulong *sums)
{
    for (int i = 0; i < 18; i++)
        for (int j = 0; j < 18; j++) {
            EACH(ONE)
        }
    // Operands and object of different types.
    uchar small;
    short medium;
    sums[12] += 1000 * __builtin_add_overflow(200, 55, &small) + small;
    sums[12] += 1000 * __builtin_add_overflow(200, 56, &small) + small;
    sums[12] += 1000 * __builtin_mul_overflow(values[9], 2, &medium) + (ushort)medium;
    sums[12] += 1000 * __builtin_sub_overflow(3u, 4u, &medium) + (ushort)medium;
    sums[12] += 1000 * __builtin_sub_overflow((ulong)values[1], 2, &sums[14]);
    if (__builtin_add_overflow(values[14], 1l, (global long *)&sums[15]))
        sums[12] += 5;
}
// SKIP sanitized: lavapipe takes minutes to compile it with all checks
