// 5x5 convolution with clamped borders over an image of any size, the tile and its halo staged in local memory.
#define RADIUS 2
#define DIAMETER (2 * RADIUS + 1)
#ifndef GROUP
#define GROUP 8
#endif
#define SPAN (GROUP + 2 * RADIUS)

__constant float weights[DIAMETER][DIAMETER] = {
    { 1.0f,  4.0f,  6.0f,  4.0f, 1.0f },
    { 4.0f, 16.0f, 24.0f, 16.0f, 4.0f },
    { 6.0f, 24.0f, 36.0f, 24.0f, 6.0f },
    { 4.0f, 16.0f, 24.0f, 16.0f, 4.0f },
    { 1.0f,  4.0f,  6.0f,  4.0f, 1.0f },
};

float fetch(__global const float *image, int2 at, int2 size)
{
    const int2 p = clamp(at, (int2)(0), size - 1);
    return image[p.y * size.x + p.x];
}

__kernel void convolve_tiled(__global const float *restrict src, __global float *restrict dst, const int2 size)
{
    __local float tile[SPAN * SPAN];
    const int2 local_id = (int2)(get_local_id(0), get_local_id(1));
    const int2 origin = (int2)((int)get_group_id(0), (int)get_group_id(1)) * GROUP - RADIUS;

    for (int i = local_id.y * GROUP + local_id.x; i < SPAN * SPAN; i += GROUP * GROUP)
        tile[i] = fetch(src, origin + (int2)(i % SPAN, i / SPAN), size);
    barrier(CLK_LOCAL_MEM_FENCE);

    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    if (any(p >= size))
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < DIAMETER; dy++) {
        __local const float *row = &tile[(local_id.y + dy) * SPAN + local_id.x];
        for (int dx = 0; dx < DIAMETER; dx++)
            sum += weights[dy][dx] * row[dx];
    }
    dst[p.y * size.x + p.x] = sum / 256.0f;
}

/* The plain form: exactly one work-item a pixel, weights from the host. */
__kernel void convolve(__global const float *src, __global float *dst, __constant float *filter)
{
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(get_global_size(0), get_global_size(1));
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += *filter++ * fetch(src, p + (int2)(dx, dy), size);
    dst[mad24(p.y, size.x, p.x)] = sum;
}
