// A barrier is skipped by all for odd iterations, in which others still read.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0), sum = 0;
    t[l] = l;
    for (int k = 0; k < 4; k++) {
        if (k % 2 == 0)
            barrier(CLK_LOCAL_MEM_FENCE);
        int x = t[(l + 20) % 64];                        // FINDS local-race
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = x + k;                                    // FINDS local-race
        sum += x;
    }
    out[l] = sum;
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0), sum = 0;
    t[l] = l;
    for (int k = 0; k < 4; k++) {
        if (k < 4)
            barrier(CLK_LOCAL_MEM_FENCE);
        int x = t[(l + 20) % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = x + k;
        sum += x;
    }
    out[l] = sum;
}
