// Exclusive prefix sum of unsigned integers, work-efficient (up-sweep, down-sweep), two elements a work-item.
// Three launches: blocks, the block totals, and adding the scanned totals back.

#define LOG_BANKS 5
#define PAD(i) ((i) + ((i) >> LOG_BANKS))

inline void load_pair(__local uint *tmp, __global const uint *in, uint base, uint count)
{
    const uint a = get_local_id(0), b = a + get_local_size(0);
    tmp[PAD(a)] = base + a < count ? in[base + a] : 0u;
    tmp[PAD(b)] = base + b < count ? in[base + b] : 0u;
}

/* Scans `n` elements of tmp in place and returns their total to every work-item. */
static uint scan_local(__local uint *tmp, uint n, __local uint *total)
{
    const uint lid = get_local_id(0);
    uint stride = 1;
    for (uint d = n >> 1; d > 0; d >>= 1, stride <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            uint i = stride * (2 * lid + 1) - 1;
            uint j = stride * (2 * lid + 2) - 1;
            tmp[PAD(j)] += tmp[PAD(i)];
        }
    }
    if (lid == 0) {
        uint last = PAD(n - 1);
        *total = tmp[last];
        tmp[last] = 0;
    }
    for (uint d = 1; d < n; d <<= 1) {
        stride >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            uint i = stride * (2 * lid + 1) - 1;
            uint j = stride * (2 * lid + 2) - 1;
            uint t = tmp[PAD(i)];
            tmp[PAD(i)] = tmp[PAD(j)];
            tmp[PAD(j)] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *total;
}

__kernel void scan_blocks(__global const uint *in, __global uint *out, __global uint *totals, uint count,
                          __local uint *tmp)
{
    __local uint total;
    const uint n = 2 * get_local_size(0);
    const uint base = get_group_id(0) * n;
    load_pair(tmp, in, base, count);
    uint sum = scan_local(tmp, n, &total);

    const uint a = get_local_id(0), b = a + get_local_size(0);
    if (base + a < count)
        out[base + a] = tmp[PAD(a)];
    if (base + b < count)
        out[base + b] = tmp[PAD(b)];
    if (a == 0 && totals)
        totals[get_group_id(0)] = sum;
}

__kernel void add_totals(__global uint *out, __global const uint *totals, uint count)
{
    const uint offset = totals[get_group_id(0)];
    const uint first = get_group_id(0) * 2u * (uint)get_local_size(0) + (uint)get_local_id(0);
    for (uint k = 0; k < 2; k++) {
        const uint i = first + k * (uint)get_local_size(0);
        if (i >= count)
            return;
        out[i] += offset;
    }
}
