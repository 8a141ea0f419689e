/* A bilateral filter: each pixel becomes the mean of a window, with weights that are small across edges. */

#include "settings.h"

kernel void smooth(global const float4 *restrict input, global float4 *restrict output, settings s, local float4 *tile)
{
    int columns = get_local_size(0), rows = get_local_size(1), column = get_local_id(0), row = get_local_id(1);
    int left = (int)get_group_id(0) * columns - s.radius, top = (int)get_group_id(1) * rows - s.radius;
    int pitch = columns + 2 * s.radius;

    /* The pixels of the work-group and a margin around them, which all of its work-items read below. */
    for (int y = row; y < rows + 2 * s.radius; y += rows)
        for (int x = column; x < pitch; x += columns)
            tile[y * pitch + x] = input[clamp(top + y, 0, s.height - 1) * s.width + clamp(left + x, 0, s.width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    int x = get_global_id(0), y = get_global_id(1);
    if (x >= s.width || y >= s.height)
        return;
    float4 own = tile[(row + s.radius) * pitch + column + s.radius], sum = 0.0f;
    float weights = 0.0f;
    for (int dy = -s.radius; dy <= s.radius; dy++)
        for (int dx = -s.radius; dx <= s.radius; dx++) {
            float4 other = tile[(row + s.radius + dy) * pitch + column + s.radius + dx], difference = other - own;
            float weight = exp(-s.space * (dx * dx + dy * dy) - s.range * dot(difference, difference));
            sum += weight * other;
            weights += weight;
        }
    output[y * s.width + x] = sum / weights;
}
