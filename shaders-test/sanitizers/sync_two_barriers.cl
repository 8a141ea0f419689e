// All work-items reach a barrier, but not the same one.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    int l = get_local_id(0);
    if (l < 16)
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    else
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    a[l] = l;
}
kernel void right(global int *a) {
    int l = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = l;
}
