// The lowest layer of a group of three dimensions skips the barrier.
// LAUNCH: global=4,4,8 local=4,4,4
// ARG: int=128
kernel void wrong(global int *out) {
    int z = get_local_id(2), at = (get_global_id(2) * 4 + get_global_id(1)) * 4 + get_global_id(0);
    if (z)
        barrier(CLK_GLOBAL_MEM_FENCE);                   // FINDS divergent-barrier
    out[at] = z;
}
kernel void right(global int *out) {
    int z = get_group_id(2), at = (get_global_id(2) * 4 + get_global_id(1)) * 4 + get_global_id(0);
    if (z)
        barrier(CLK_GLOBAL_MEM_FENCE);
    out[at] = z;
}
