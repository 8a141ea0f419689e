// The first work-item computes a value for its group, and the others do not wait for it.
// LAUNCH: global=128 local=32
// ARG: int=128
kernel void wrong(global int *out) {
    local int base;
    if (get_local_id(0) == 0)
        base = 100 * get_group_id(0) + 7;                // FINDS local-race
    out[get_global_id(0)] = base + get_local_id(0);      // FINDS local-race
}
kernel void right(global int *out) {
    local int base;
    if (get_local_id(0) == 0)
        base = 100 * get_group_id(0) + 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = base + get_local_id(0);
}
