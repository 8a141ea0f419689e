// The greatest value belongs to a bin behind the last one.
// LAUNCH: global=256 local=64
// ARG: int=16
kernel void wrong(global int *result) {
    local int bins[16];
    int l = get_local_id(0), value = get_global_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[value * 16 / 255]);                 // FINDS out-of-range
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&result[l], bins[l]);
}
kernel void right(global int *result) {
    local int bins[16];
    int l = get_local_id(0), value = get_global_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[value * 16 / 256]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&result[l], bins[l]);
}
