// Bins in local memory are counted up without atomics.
// LAUNCH: global=256 local=64
// ARG: int=8
kernel void wrong(global int *out) {
    local int bins[8];
    int l = get_local_id(0);
    if (l < 8)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bins[(l * 5) % 8]++;                                 // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        atomic_add(&out[l], bins[l]);
}
kernel void right(global int *out) {
    local int bins[8];
    int l = get_local_id(0);
    if (l < 8)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[(l * 5) % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        atomic_add(&out[l], bins[l]);
}
