/*
 * Sum, minimum and maximum of an array: every work-item first folds a strided slice, then the group folds a tree in
 * local memory. A second launch with one group folds the partial results.
 */
typedef struct {
    float sum;
    float lo;
    float hi;
} stats_t;

static stats_t empty(void)
{
    stats_t s;
    s.sum = 0.0f;
    s.lo = INFINITY;
    s.hi = -INFINITY;
    return s;
}

static void merge(stats_t *into, const stats_t other)
{
    into->sum += other.sum;
    into->lo = fmin(into->lo, other.lo);
    into->hi = fmax(into->hi, other.hi);
}

/* The tree itself; `scratch` has one element a work-item. Every work-item of the group must come here. */
static void fold_group(__local stats_t *scratch, uint lid, uint size)
{
    for (uint half_size = size / 2; half_size > 0; half_size >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < half_size) {
            stats_t mine = scratch[lid];
            merge(&mine, scratch[lid + half_size]);
            scratch[lid] = mine;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void reduce(__global const float *data, uint count, __global stats_t *partial, __local stats_t *scratch)
{
    const uint lid = get_local_id(0);
    stats_t acc = empty();
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        stats_t one = { data[i], data[i], data[i] };
        merge(&acc, one);
    }
    scratch[lid] = acc;
    fold_group(scratch, lid, get_local_size(0));
    if (lid == 0)
        partial[get_group_id(0)] = scratch[0];
}

__kernel void reduce_final(__global const stats_t *partial, uint count, __global stats_t *result,
                           __local stats_t *scratch)
{
    const uint lid = get_local_id(0);
    scratch[lid] = lid < count ? partial[lid] : empty();
    fold_group(scratch, lid, get_local_size(0));
    if (lid == 0)
        *result = scratch[0];
}
