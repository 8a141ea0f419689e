// Only the work-items above the diagonal of the group wait.
// LAUNCH: global=16,16 local=8,8
// ARG: int=256
kernel void wrong(global int *out) {
    int x = get_local_id(0), y = get_local_id(1);
    if (x > y)
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    out[16 * get_global_id(1) + get_global_id(0)] = x - y;
}
kernel void right(global int *out) {
    int x = get_local_id(0), y = get_local_id(1);
    if (get_group_id(0) > get_group_id(1))
        barrier(CLK_LOCAL_MEM_FENCE);
    out[16 * get_global_id(1) + get_global_id(0)] = x - y;
}
