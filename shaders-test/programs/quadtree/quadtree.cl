/*
 * A tree of the quarters of a square: a node with many points sorts them by quarter, makes four nodes, and enqueues a
 * block for each that has many points itself, as deep as coordinates have bits. A point is a word, x in its upper half.
 */
#define LOCAL 64

typedef struct {
    int first, count;
    /* The first of four nodes, or 0. */
    int children;
    int depth;
} node_t;

static int quarter(uint point, int depth)
{
    const int bit = 15 - depth;
    return (int)((point >> (16 + bit) & 1) * 2 + (point >> bit & 1));
}

static void divide(global uint *from, global uint *to, global uint *sorted, global node_t *nodes, global int *used,
                   int number, int most, local int *places)
{
    const int id = (int)get_local_id(0);
    const node_t node = nodes[number];
    if (node.count <= most || node.depth == 16) {
        for (int i = id; i < node.count; i += LOCAL) sorted[node.first + i] = from[node.first + i];
        return;
    }
    if (id < 4) places[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = id; i < node.count; i += LOCAL) atomic_inc(places + quarter(from[node.first + i], node.depth));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        const int children = atomic_add(used, 4);
        nodes[number].children = children;
        int first = node.first;
        for (int q = 0; q < 4; q++) {
            const int count = places[q];
            nodes[children + q] = (node_t){ first, count, 0, node.depth + 1 };
            places[q] = first;
            first += count;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = id; i < node.count; i += LOCAL) {
        const uint point = from[node.first + i];
        to[atomic_inc(places + quarter(point, node.depth))] = point;
    }
    if (id != 0) return;
    const int children = nodes[number].children;
    for (int q = 0; q < 4; q++)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(LOCAL, LOCAL), ^(local void *memory) {
            divide(to, from, sorted, nodes, used, children + q, most, (local int *)memory);
        }, (uint)(4 * sizeof(int)));
}

kernel void quadtree(global uint *points, global uint *other, global uint *sorted, global node_t *nodes, global int *used,
                     int most, local int *places)
{
    divide(points, other, sorted, nodes, used, 0, most, places);
}
