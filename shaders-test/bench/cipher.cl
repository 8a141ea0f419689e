// The memory accesses of table ciphers. The tables are arguments with arbitrary contents: speed does not depend on them.

// Ten rounds of AES with four tables of 256 words, in constant memory.
#define ROUND(table, a, b, c, d) \
    (table[a & 255] ^ table[256 + (b >> 8 & 255)] ^ table[512 + (c >> 16 & 255)] ^ table[768 + (d >> 24)])

kernel void aes_constant(constant uint *table, constant uint *key, global const uint4 *in, global uint4 *out)
{
    size_t i = get_global_id(0);
    uint4 s = in[i];
    for (int round = 0; round < 10; round++) {
        uint4 t;
        t.x = ROUND(table, s.x, s.y, s.z, s.w) ^ key[round * 4];
        t.y = ROUND(table, s.y, s.z, s.w, s.x) ^ key[round * 4 + 1];
        t.z = ROUND(table, s.z, s.w, s.x, s.y) ^ key[round * 4 + 2];
        t.w = ROUND(table, s.w, s.x, s.y, s.z) ^ key[round * 4 + 3];
        s = t;
    }
    out[i] = s;
}

kernel void aes_local(constant uint *table, constant uint *key, global const uint4 *in, global uint4 *out)
{
    local uint copy[1024];
    for (uint k = get_local_id(0); k < 1024; k += get_local_size(0))
        copy[k] = table[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t i = get_global_id(0);
    uint4 s = in[i];
    for (int round = 0; round < 10; round++) {
        uint4 t;
        t.x = ROUND(copy, s.x, s.y, s.z, s.w) ^ key[round * 4];
        t.y = ROUND(copy, s.y, s.z, s.w, s.x) ^ key[round * 4 + 1];
        t.z = ROUND(copy, s.z, s.w, s.x, s.y) ^ key[round * 4 + 2];
        t.w = ROUND(copy, s.w, s.x, s.y, s.z) ^ key[round * 4 + 3];
        s = t;
    }
    out[i] = s;
}

// Sixteen rounds of Blowfish, repeated, with the boxes of the whole work-group in local memory.
kernel void blowfish(global const uint *boxes, global const uint *keys, global const uint2 *in, global uint2 *out)
{
    local uint box[1024];
    for (uint k = get_local_id(0); k < 1024; k += get_local_size(0))
        box[k] = boxes[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t i = get_global_id(0);
    uint left = in[i].x, right = in[i].y;
    for (int repeat = 0; repeat < 8; repeat++)
        for (int round = 0; round < 16; round++) {
            left ^= keys[round];
            uint f = (box[left >> 24] + box[256 + (left >> 16 & 255)] ^ box[512 + (left >> 8 & 255)])
                     + box[768 + (left & 255)];
            right ^= f;
            uint swap = left;
            left = right;
            right = swap;
        }
    out[i] = (uint2)(left, right);
}
