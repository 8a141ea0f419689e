// Tables in functions: small and large ones, of records and of vectors, filled by constants or by a copy, read through a pointer,
// and two that are no constants: one is written to afterwards, the other by a loop.
// RUN: kernel=tables global=8 local=4
// ARG: buffer:uint=3,1,4,1,5,9,2,6
// ARG: buffer:bytes=64
// EXPECT: pocl
typedef struct { uchar kind; uint amount; float rate; } entry;

uint of_pointer(const uint *table, uint at) { return table[at & 7] * table[7 - (at & 7)]; }

uint small(uint at)
{
    const uint powers[8] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
    return powers[at & 7] + of_pointer(powers, at);
}

uint large(uint at)
{
#define EIGHT(x) x, x * x, x + 5, x ^ 0x33, x * 3, ~x, x - 7, x << 4
#define SIXTY_FOUR(x) EIGHT(x), EIGHT(x + 1), EIGHT(x + 2), EIGHT(x + 3), EIGHT(x + 4), EIGHT(x + 5), EIGHT(x + 6), EIGHT(x + 7)
    const uint numbers[128] = { SIXTY_FOUR(11), SIXTY_FOUR(90) };
    return numbers[at & 127] ^ numbers[at * 7 + 3 & 127];
}

uint records(uint at)
{
    entry entries[4] = { { 1, 20, 0.5f }, { 2, 30, 1.5f }, { 3, 50, 2.25f }, { 4, 70, 8.0f } };
    entry found = entries[at & 3];
    return found.kind + found.amount * (uint)(found.rate * 4);
}

uint vectors(uint at)
{
    const int4 rows[3] = { (int4)(1, 2, 3, 4), (int4)(-5, -6, -7, -8), (int4)(9, 10, 11, 12) };
    const char3 narrow[2] = { (char3)(1, -1, 2), (char3)(-2, 3, -3) };
    int4 row = rows[at % 3];
    return row.x * row.w + row.y + row.z + narrow[at & 1].y * narrow[at >> 1 & 1].z;
}

uint written(uint at)
{
    uint values[8] = { 8, 7, 6, 5, 4, 3, 2, 1 };
    values[at & 7] += at;
    uint squares[8];
    for (uint k = 0; k < 8; k++)
        squares[k] = k * at;
    return values[at >> 1 & 7] * 1000 + squares[at & 7];
}

kernel void tables(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint sum = 0;
    for (uint k = 0; k < in[i]; k++) {
        uint at = in[i] * 5 + k * 13 + (uint)i;
        sum = sum * 31 + small(at) + large(at) + records(at) + vectors(at) + written(at);
    }
    out[i] = sum;
}
