// The sum of each work-group's 64 elements.
kernel void sum(global const float *in, global float *sums) {
    local float part[64];
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = 32; width > 0; width /= 2) {
        if (l < width)
            part[l] += part[l + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
