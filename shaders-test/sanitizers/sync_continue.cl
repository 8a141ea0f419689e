// Work-items without work in an iteration go on to the next one and do not wait.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = 0;
    for (int k = 0; k < 4; k++) {
        if (l % 4 < k)
            continue;
        t[l] += k;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    }
    out[l] = t[l];
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = 0;
    for (int k = 0; k < 4; k++) {
        if (l % 4 >= k)
            t[l] += k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = t[l];
}
