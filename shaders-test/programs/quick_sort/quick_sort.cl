/*
 * Quick sort that enqueues itself: one work-group divides its part of the array into what is below the pivot, equal to it,
 * and above, and enqueues a block for each side. Short parts are sorted by rank. The parts of a level are in one of two
 * arrays, by turns; what is in its place goes to the result.
 */
#define SHORT 128
#define LOCAL 64

typedef struct {
    int below, equal, above;
    int ranks[SHORT];
} scratch_t;

static int median(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

static void sort_part(global int *from, global int *to, global int *result, int first, int count, local scratch_t *scratch)
{
    const int id = (int)get_local_id(0);
    if (count <= SHORT) {
        for (int i = id; i < count; i += LOCAL) scratch->ranks[i] = from[first + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = id; i < count; i += LOCAL) {
            const int value = scratch->ranks[i];
            int rank = 0;
            for (int k = 0; k < count; k++) rank += scratch->ranks[k] < value || (scratch->ranks[k] == value && k < i);
            result[first + rank] = value;
        }
        return;
    }
    const int pivot = median(from[first], from[first + count / 2], from[first + count - 1]);
    if (id == 0) scratch->below = scratch->equal = scratch->above = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = id; i < count; i += LOCAL) {
        const int value = from[first + i];
        if (value < pivot) to[first + atomic_inc(&scratch->below)] = value;
        else if (value > pivot) to[first + count - 1 - atomic_inc(&scratch->above)] = value;
        else atomic_inc(&scratch->equal);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int below = scratch->below, equal = scratch->equal, above = scratch->above;
    for (int i = id; i < equal; i += LOCAL) result[first + below + i] = pivot;
    if (id != 0) return;
    const queue_t queue = get_default_queue();
    const ndrange_t group = ndrange_1D(LOCAL, LOCAL);
    if (below > 0)
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, group, ^(local void *memory) {
            sort_part(to, from, result, first, below, (local scratch_t *)memory);
        }, (uint)sizeof(scratch_t));
    if (above > 0)
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, group, ^(local void *memory) {
            sort_part(to, from, result, first + below + equal, above, (local scratch_t *)memory);
        }, (uint)sizeof(scratch_t));
}

kernel void quick_sort(global int *values, global int *other, global int *result, int count, local scratch_t *scratch)
{
    sort_part(values, other, result, 0, count, scratch);
}
