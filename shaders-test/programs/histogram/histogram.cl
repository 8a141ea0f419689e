// 256-bin histogram of bytes. Each group counts in local memory with local atomics, then adds its counts to the
// result with global atomics; `extremes` takes atomic minimum and maximum and a claim by compare-and-swap.

#define BINS 256

__kernel void histogram(__global const uchar *restrict data, const uint count, volatile __global uint *bins)
{
    volatile __local uint counts[BINS];

    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&counts[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        const uint c = counts[i];
        if (c)
            atomic_add(bins + i, c);
    }
}

typedef struct { uint smallest, largest, nonzero; uint parity; } extremes_t;

__kernel void extremes(__global const uint *bins, volatile __global extremes_t *out, volatile __global int *first_full,
                       uint threshold)
{
    const uint bin = get_global_id(0);
    const uint c = bins[bin];
    atomic_min(&out->smallest, c);
    atomic_max(&out->largest, c);
    if (c != 0)
        atomic_inc(&out->nonzero);
    atomic_xor(&out->parity, c);

    /* The smallest bin at or above the threshold, by a compare-and-swap loop as old code does it. */
    if (c >= threshold) {
        int seen = *first_full;
        while (seen < 0 || seen > (int)bin) {
            const int before = atomic_cmpxchg(first_full, seen, (int)bin);
            if (before == seen)
                break;
            seen = before;
        }
    }
}
