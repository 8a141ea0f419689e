// A real-world pattern: a hash over bytes with macros for rounds and little-endian loads.
// RUN: kernel=k global=8
// ARG: buffer:uchar=0..64
// ARG: buffer:bytes=32
// EXPECT: pocl
#define ROTL(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define LOAD32(p) ((uint)(p)[0] | (uint)(p)[1] << 8 | (uint)(p)[2] << 16 | (uint)(p)[3] << 24)
#define ROUND(a, b, c, d) do { a += b; d = ROTL(d ^ a, 16); c += d; b = ROTL(b ^ c, 12); } while (0)
#define QUARTERS ROUND(s[0], s[1], s[2], s[3]); ROUND(s[1], s[2], s[3], s[0]);
kernel void k(global const uchar *text, global uint *out)
{
    const uint i = get_global_id(0);
    uint s[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };
    global const uchar *p = text + i * 8;
    for (uint left = 8; left >= 4; left -= 4, p += 4) {
        s[left & 3] ^= LOAD32(p);
        QUARTERS QUARTERS
    }
    out[i] = s[0] ^ s[1] ^ s[2] ^ s[3];
}
