// The barrier of a reduction is inside of the test that selects its work-items.
// LAUNCH: global=128 local=64
// ARG: int=2
kernel void wrong(global int *out) {
    local int t[64];
    uint l = get_local_id(0);
    t[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s > 0; s >>= 1) {
        if (l < s) {
            t[l] += t[l + s];
            barrier(CLK_LOCAL_MEM_FENCE);                // FINDS divergent-barrier
        }
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
kernel void right(global int *out) {
    local int t[64];
    uint l = get_local_id(0);
    t[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
