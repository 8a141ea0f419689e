// A whole group may return early, and a part of one may not.
// LAUNCH: global=128 local=32
// ARG: int=128
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    if (i > 70)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    out[i] = i;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    if (i >= 64)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}
