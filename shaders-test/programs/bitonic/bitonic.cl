// Bitonic sort of (key, value) pairs. Blocks are sorted in local memory; the wide steps go through global memory.

typedef uint2 pair_t; /* x: key, y: value */

#define SWAP(T, a, b) do { T tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)

static inline int out_of_order(pair_t a, pair_t b, bool ascending)
{
    return ascending ? a.x > b.x : a.x < b.x;
}

static void compare_exchange(__local pair_t *a, __local pair_t *b, bool ascending)
{
    if (out_of_order(*a, *b, ascending))
        SWAP(pair_t, *a, *b);
}

__kernel void sort_blocks(__global pair_t *data, __local pair_t *block)
{
    const uint lid = get_local_id(0), half_n = get_local_size(0), n = half_n << 1;
    __global pair_t *mine = data + get_group_id(0) * n;

    block[lid] = mine[lid];
    block[lid + half_n] = mine[lid + half_n];

    for (uint size = 2; size <= n; size <<= 1) {
        const bool ascending = ((get_group_id(0) * n + 2 * lid) & size) == 0;
        for (uint stride = size >> 1; stride; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint pos = 2 * lid - (lid & (stride - 1));
            compare_exchange(block + pos, block + pos + stride, ascending);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    mine[lid] = block[lid];
    mine[lid + half_n] = block[lid + half_n];
}

__kernel void sort_step(__global pair_t *data, const uint size, const uint stride)
{
    const uint i = get_global_id(0);
    const uint pos = 2 * i - (i & (stride - 1));
    const bool ascending = ((2 * i) & size) == 0;
    pair_t a = data[pos], b = data[pos + stride];
    if (out_of_order(a, b, ascending)) {
        data[pos] = b;
        data[pos + stride] = a;
    }
}
