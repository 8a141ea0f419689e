// The last steps of a sum are made without barriers, as if the work-items left over executed together.
// LAUNCH: global=256 local=128
// ARG: int=256
kernel void wrong(global int *out) {
    local int t[128];
    uint l = get_local_id(0);
    t[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 64; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];                            // FINDS local-race
        if (s > 32)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
kernel void right(global int *out) {
    local int t[128];
    uint l = get_local_id(0);
    t[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 64; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
