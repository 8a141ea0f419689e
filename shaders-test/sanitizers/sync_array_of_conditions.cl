// Conditions are kept in an array of each work-item, and a barrier depends on one of them.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    bool is[3];
    for (int k = 0; k < 3; k++)
        is[k] = l % (k + 2) == 0;
    if (is[1])
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    out[l] = is[0] + is[2];
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    bool is[3];
    for (int k = 0; k < 3; k++)
        is[k] = k % 2 == 1;
    if (is[1])
        barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = is[0] + is[2];
}
