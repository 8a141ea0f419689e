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
