// The bins of a group are not set to zero before they are counted up.
// LAUNCH: global=64 local=32
// ARG: int=8
kernel void wrong(global int *total) {
    local int bins[8];
    int l = get_local_id(0);
    atomic_inc(&bins[l % 8]);                            // FINDS uninitialized
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        atomic_add(&total[l], bins[l]);
}
kernel void right(global int *total) {
    local int bins[8];
    int l = get_local_id(0);
    if (l < 8)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[l % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        atomic_add(&total[l], bins[l]);
}
