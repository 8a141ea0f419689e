/*
 * Regions grow from their seeds to neighbours of a similar value, a ring a round: a pixel becomes its round's number. A
 * round is enqueued with as many work-items as the ring has pixels, and the next one waits for its event.
 */
typedef struct { int width, height, threshold; } image_t;

static void grow(global const uchar *image, global int *rounds, global int *rings, global int *counts, image_t shape, int round)
{
    const int size = shape.width * shape.height, now = round & 1, next = 1 - now;
    const int pixel = rings[now * size + (int)get_global_id(0)], x = pixel % shape.width, y = pixel / shape.width;
    const int4 xs = (int4)(x - 1, x + 1, x, x), ys = (int4)(y, y, y - 1, y + 1);
    const int neighbour_x[4] = { xs.x, xs.y, xs.z, xs.w }, neighbour_y[4] = { ys.x, ys.y, ys.z, ys.w };
    for (int i = 0; i < 4; i++) {
        const int nx = neighbour_x[i], ny = neighbour_y[i], neighbour = ny * shape.width + nx;
        if (nx < 0 || ny < 0 || nx >= shape.width || ny >= shape.height) continue;
        if (abs_diff((int)image[neighbour], (int)image[pixel]) > (uint)shape.threshold) continue;
        if (atomic_cmpxchg(rounds + neighbour, 0, round + 1) == 0) rings[next * size + atomic_inc(counts + next)] = neighbour;
    }
}

static void advance(global const uchar *image, global int *rounds, global int *rings, global int *counts, image_t shape, int round)
{
    const int ring = counts[round & 1];
    if (ring == 0) return;
    counts[~round & 1] = 0;
    clk_event_t grown;
    const queue_t queue = get_default_queue();
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(ring), 0, 0, &grown, ^{ grow(image, rounds, rings, counts, shape, round); });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &grown, 0, ^{ advance(image, rounds, rings, counts, shape, round + 1); });
    release_event(grown);
}

kernel void region_growing(global const uchar *image, global int *rounds, global int *rings, global int *counts, image_t shape)
{
    advance(image, rounds, rings, counts, shape, 1);
}
