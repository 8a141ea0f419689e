// SHA-256 (FIPS 180-4) of one block for each item; the message schedule is a ring of 16 words in a private array.

constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

uint small0(uint x) { return rotate(x, 25u) ^ rotate(x, 14u) ^ x >> 3; }
uint small1(uint x) { return rotate(x, 15u) ^ rotate(x, 13u) ^ x >> 10; }
uint large0(uint x) { return rotate(x, 30u) ^ rotate(x, 19u) ^ rotate(x, 10u); }
uint large1(uint x) { return rotate(x, 26u) ^ rotate(x, 21u) ^ rotate(x, 7u); }

kernel void sha256(global const uint *in, global uint *out, uint rounds)
{
    size_t i = get_global_id(0);
    uint w[16], h[8];
    for (int k = 0; k < 8; k++)
        h[k] = in[k];
    for (uint round = 0; round < rounds; round++) {
        for (int k = 0; k < 16; k++)
            w[k] = in[8 + k] ^ h[k & 7] + (uint)i;
        uint s[8];
        for (int k = 0; k < 8; k++)
            s[k] = h[k];
        for (int k = 0; k < 64; k++) {
            if (k >= 16)
                w[k & 15] += small1(w[k - 2 & 15]) + w[k - 7 & 15] + small0(w[k - 15 & 15]);
            uint first = s[7] + large1(s[4]) + bitselect(s[6], s[5], s[4]) + K[k] + w[k & 15];
            uint second = large0(s[0]) + bitselect(s[0], s[1], s[0] ^ s[2]);
            for (int m = 7; m > 0; m--)
                s[m] = s[m - 1];
            s[4] += first;
            s[0] = first + second;
        }
        for (int k = 0; k < 8; k++)
            h[k] += s[k];
    }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = h[k];
}

// The checksum of 64 bytes for each item, bit by bit.
kernel void crc32(global const uchar *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint crc = ~0u;
    for (uint k = 0; k < 64; k++) {
        crc ^= in[i * 64 + k];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    out[i] = ~crc;
}

// The mixing of BLAKE2b, with one order of the message's words: rotations of 64 bits.
kernel void blake2b(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong m[16], v[16];
    for (int k = 0; k < 16; k++) {
        m[k] = in[i * 16 + k];
        v[k] = m[k] ^ 0x6a09e667f3bcc908UL * (k + 1);
    }
#define G(a, b, c, d, x, y)                                                                                                    \
    v[a] += v[b] + m[x], v[d] = rotate(v[d] ^ v[a], 32UL), v[c] += v[d], v[b] = rotate(v[b] ^ v[c], 40UL);                     \
    v[a] += v[b] + m[y], v[d] = rotate(v[d] ^ v[a], 48UL), v[c] += v[d], v[b] = rotate(v[b] ^ v[c], 1UL);
    for (int round = 0; round < 12; round++) {
        G(0, 4, 8, 12, 0, 1)
        G(1, 5, 9, 13, 2, 3)
        G(2, 6, 10, 14, 4, 5)
        G(3, 7, 11, 15, 6, 7)
        G(0, 5, 10, 15, 8, 9)
        G(1, 6, 11, 12, 10, 11)
        G(2, 7, 8, 13, 12, 13)
        G(3, 4, 9, 14, 14, 15)
    }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = v[k] ^ v[k + 8];
}
