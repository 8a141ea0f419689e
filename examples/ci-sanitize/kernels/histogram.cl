// How many elements have each of the values 0 to 15.
kernel void histogram(global const uint *in, global uint *total, uint n) {
    local uint bins[16];
    uint l = get_local_id(0), i = get_global_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        atomic_inc(&bins[in[i] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&total[l], bins[l]);
}
