// Only some work-items reach the barrier.
// LAUNCH: global=128 local=64
// ARG: int=128
kernel void wrong(global int *a) {
    int l = get_local_id(0);
    if (l < 16)
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    a[get_global_id(0)] = l;
}
kernel void right(global int *a) {
    int l = get_local_id(0);
    if (get_group_id(0) < 1)
        barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = l;
}
