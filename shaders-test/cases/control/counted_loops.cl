// Loops of lengths that are only known when they begin, over memory: every comparison, steps of both signs, counters of 32 and
// 64 bits, bounds near the ends of the types, and lengths around those of groups of iterations.
// RUN: kernel=k global=48
// ARG: buffer:uint=0..256
// ARG: buffer:bytes=3072
// ARG: uint=48
// ARG: int=-5
// EXPECT: pocl
#define H(x) ((x) * 2654435761u >> 9)
kernel void k(global const uint *in, global uint *out, uint size, int below)
{
    const uint n = get_global_id(0);
    uint sums[16];
    for (int i = 0; i < 16; i++) sums[i] = i;
    for (uint i = 0; i < n; i++) sums[0] = sums[0] * 31 + H(in[i]);
    for (int i = below; i <= (int)n; i += 3) sums[1] = sums[1] * 31 + H(in[i + 8]);
    for (int i = n; i > below; i--) sums[2] = sums[2] * 31 + H(in[i + 8]);
    for (uint i = n; i != 0; i--) sums[3] = sums[3] * 31 + H(in[i]);
    for (size_t i = n; i < get_global_size(0); i++) sums[4] = sums[4] * 31 + H(in[i]);
    for (ulong i = 0xFFFFFFFFFFFFFFF0u + (n & 7); i < 0xFFFFFFFFFFFFFFFFu; i++) sums[5] = sums[5] * 31 + H(in[i & 255]);
    for (int i = 0x7FFFFFFF - n; i < 0x7FFFFFFF; i++) sums[6] = sums[6] * 31 + H(in[i & 255]);
    for (uint i = size; i >= n + 1; i -= 1) sums[7] = sums[7] * 31 + H(in[i]);
    for (uint i = 0; i < size; i++) {
        if (H(in[i]) & 1) continue;
        sums[8] = sums[8] * 31 + H(in[H(in[i]) & 255]);
    }
    for (uint i = 0; i < H(in[n]) % 40; i += 2) sums[9] = sums[9] * 31 + H(in[i]);
    for (ushort i = n; i < 50; i++) sums[10] = sums[10] * 31 + H(in[i]);
    uint at = 0;
    while (at < n) { sums[11] = sums[11] * 31 + H(in[at * 5]); at += 7; }
    sums[12] = at;
    for (int i = 0; i < (int)n; i++) switch (H(in[i]) & 3) {
        case 0: sums[13] += i; break;
        case 1: sums[13] ^= H(in[i]) >> 3; break;
        case 2: if (sums[13] & 1) sums[13]++; break;
        default: sums[13] *= 3;
    }
    for (uint i = 0; i < n; i++) out[n * 16 + 14] = H(in[i]);
    for (uint i = 0; i < n; i++) { sums[15] += H(in[i]); if (sums[15] & 0x80000000u) break; }
    for (int i = 0; i < 16; i++) if (i != 14 || n == 0) out[n * 16 + i] = sums[i];
}
