// The work-item that prepares the group's data waits alone.
// LAUNCH: global=64 local=32
// ARG: int=64
kernel void wrong(global int *out) {
    local int base;
    if (get_local_id(0) == 0) {
        base = 32 * get_group_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    }
    out[get_global_id(0)] = base + 1;
}
kernel void right(global int *out) {
    local int base;
    if (get_local_id(0) == 0)
        base = 32 * get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = base + 1;
}
