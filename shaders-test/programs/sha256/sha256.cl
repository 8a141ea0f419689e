// SHA-256 of many messages, one a work-item: message i is bytes offsets[i] .. offsets[i + 1] of the text.
#define HEADER(name) sha256/name.h
#define STRINGIZE_(x) #x
#define STRINGIZE(x) STRINGIZE_(x)
#include STRINGIZE(HEADER(sha256))

#define ROUND(a, b, c, d, e, f, g, h, i)                                      \
    {                                                                         \
        const word t1 = h + BIG_SIGMA1(e) + CH(e, f, g) + K[i] + w[i & 15];   \
        d += t1;                                                              \
        h = t1 + BIG_SIGMA0(a) + MAJ(a, b, c);                                \
    }

#define SCHEDULE(i) \
    w[(i) & 15] += SMALL_SIGMA1(w[((i) - 2) & 15]) + w[((i) - 7) & 15] + SMALL_SIGMA0(w[((i) - 15) & 15])

static void sha256_init(sha256_state *state)
{
    for (int i = 0; i < DIGEST_WORDS; i++)
        state->h[i] = IV[i];
    state->length = 0;
}

static void sha256_block(sha256_state *state, word *w)
{
    word a = state->h[0], b = state->h[1], c = state->h[2], d = state->h[3];
    word e = state->h[4], f = state->h[5], g = state->h[6], h = state->h[7];

    for (int i = 0; i < 64; i += 8) {
        if (i >= 16)
            for (int j = 0; j < 8; j++)
                SCHEDULE(i + j);
        ROUND(a, b, c, d, e, f, g, h, i + 0)
        ROUND(h, a, b, c, d, e, f, g, i + 1)
        ROUND(g, h, a, b, c, d, e, f, i + 2)
        ROUND(f, g, h, a, b, c, d, e, i + 3)
        ROUND(e, f, g, h, a, b, c, d, i + 4)
        ROUND(d, e, f, g, h, a, b, c, i + 5)
        ROUND(c, d, e, f, g, h, a, b, i + 6)
        ROUND(b, c, d, e, f, g, h, a, i + 7)
    }

    state->h[0] += a; state->h[1] += b; state->h[2] += c; state->h[3] += d;
    state->h[4] += e; state->h[5] += f; state->h[6] += g; state->h[7] += h;
}

/* Packs up to 64 bytes big-endian; puts the 0x80 marker behind the last byte where it falls into this block. */
static void load_block(word w[16], __global const uchar *text, uint have, bool marker)
{
    for (uint i = 0; i < 16; i++) {
        word v = 0;
        for (uint j = 0; j < 4; j++) {
            const uint at = i * 4 + j;
            const uchar byte = at < have ? text[at] : (at == have && marker) ? (uchar)0x80 : (uchar)0;
            v = (v << 8) | byte;
        }
        w[i] = v;
    }
}

__kernel void sha256(__global const uchar *text, __global const uint *offsets, __global word *digests, const uint count)
{
    const size_t gid = get_global_id(0);
    if (gid >= count)
        return;
    const uint begin = offsets[gid], length = offsets[gid + 1] - begin;
    __global const uchar *at = text + begin;

    sha256_state state;
    word w[16];
    sha256_init(&state);
    uint left = length;
    for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, at += BLOCK_BYTES) {
        load_block(w, at, BLOCK_BYTES, false);
        sha256_block(&state, w);
    }
    load_block(w, at, left, true);
    if (left >= 56) {
        sha256_block(&state, w);
        load_block(w, at, 0, false);
    }
    state.length = length;
    w[14] = (word)(state.length >> 29);
    w[15] = (word)(state.length << 3);
    sha256_block(&state, w);

    __global word *out = digests + gid * DIGEST_WORDS;
    #pragma unroll
    for (int i = 0; i < DIGEST_WORDS; ++i)
        out[i] = state.h[i];
}
