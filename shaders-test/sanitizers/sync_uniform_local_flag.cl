// A flag in local memory is the same for all, and the own element is not.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64], flag;
    int l = get_local_id(0);
    t[l] = l;
    if (l == 0)
        flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag && t[l ^ 1] > 30)
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    out[l] = t[l];
}
kernel void right(global int *out) {
    local int t[64], flag;
    int l = get_local_id(0);
    t[l] = l;
    if (l == 0)
        flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag && t[40] > 30)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
