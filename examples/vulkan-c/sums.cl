/* Each work-group adds up its part of the values, times a factor. */

constant float ROUND[2] = { 0.25f, 0.5f };

kernel void sums(global const float *values, uint count, float factor, global float *sums, local float *part)
{
    size_t i = get_global_id(0), id = get_local_id(0);
    part[id] = i < count ? values[i] * factor + ROUND[i % 2] : 0.0f;
    for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < half_size)
            part[id] += part[id + half_size];
    }
    if (id == 0)
        sums[get_group_id(0)] = part[0];
}
