// Integers of several widths.

kernel void multiply_modulo(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong x = in[i], sum = 1;
    for (int k = 0; k < 256; k++) {
        ulong high = mul_hi(x, sum), low = x * sum;
        sum = low + high * 0x9e3779b97f4a7c15ul + (sum >> 7);
    }
    out[i] = sum;
}

kernel void divide(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i] | 1, sum = 0;
    for (uint k = 1; k < 65; k++)
        sum += (0xfffffff0u - k) / (x + k) + k * x % (x + 2 * k);
    out[i] = sum;
}

kernel void divide_long(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong x = in[i] | 1, sum = 0;
    for (ulong k = 1; k < 17; k++)
        sum += (0xfffffffffffffff0ul - k) / (x + k) + k * x % (x + 2 * k);
    out[i] = sum;
}

// A generator of random numbers (xorshift) counts points in a quarter of a circle.
kernel void random_points(global const uint *seeds, global uint *out)
{
    size_t i = get_global_id(0);
    uint s = seeds[i] | 1, inside = 0;
    for (int k = 0; k < 512; k++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        uint x = s & 0xffff, y = s >> 16;
        inside += (x * x >> 1) + (y * y >> 1) < 0x7fff0001u;
    }
    out[i] = inside;
}

kernel void bits(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i], sum = 0;
    for (int k = 0; k < 128; k++) {
        sum += popcount(x) + clz(x | 1);
        x = x * 1664525u + 1013904223u;
    }
    out[i] = sum;
}

kernel void shorts(global const short8 *in, global short8 *out)
{
    size_t i = get_global_id(0);
    short8 x = in[i], y = (short8)(3);
    for (int k = 0; k < 64; k++) {
        y = add_sat(y, x) - mul_hi(x, y);
        x = max(x, y >> (short8)(1));
    }
    out[i] = y;
}

// Bytes through a table that is an object of the function, as a substitution in a cipher has it.
kernel void table(global const uint *in, global uint *out)
{
    const uchar squares[64] = {
#define SQUARE(k) (k) * (k) & 255
#define FOUR(k) SQUARE(k), SQUARE(k + 1), SQUARE(k + 2), SQUARE(k + 3)
#define SIXTEEN(k) FOUR(k), FOUR(k + 4), FOUR(k + 8), FOUR(k + 12)
        SIXTEEN(3), SIXTEEN(19), SIXTEEN(35), SIXTEEN(51)
    };
    size_t i = get_global_id(0);
    uint x = in[i];
    for (int k = 0; k < 32; k++)
        x = x << 8 | x >> 24 ^ squares[x >> 13 & 63];
    out[i] = x;
}

// The rounds of BLAKE2b (RFC 7693), with the table of the orders of the message's words.
constant uchar order[10][16] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }, { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
    { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 }, { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
    { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 }, { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
    { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 }, { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
    { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 }, { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 }
};

void mix(ulong *v, int a, int b, int c, int d, ulong x, ulong y)
{
    v[a] += v[b] + x, v[d] = rotate(v[d] ^ v[a], 32ul), v[c] += v[d], v[b] = rotate(v[b] ^ v[c], 40ul);
    v[a] += v[b] + y, v[d] = rotate(v[d] ^ v[a], 48ul), v[c] += v[d], v[b] = rotate(v[b] ^ v[c], 1ul);
}

kernel void orders(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong m[16], v[16];
    for (int k = 0; k < 16; k++) {
        m[k] = in[i * 16 + k];
        v[k] = m[k] ^ 0x6a09e667f3bcc908ul * (k + 1);
    }
    for (int round = 0; round < 12; round++)
        for (int k = 0; k < 8; k++) {
            int turn = k / 4, a = k % 4;
            ulong x = m[order[round % 10][2 * k]], y = m[order[round % 10][2 * k + 1]];
            mix(v, a, 4 + (a + turn) % 4, 8 + (a + 2 * turn) % 4, 12 + (a + 3 * turn) % 4, x, y);
        }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = v[k] ^ v[k + 8];
}
