// A prefix sum adds in place, and nothing stands between the reads and the writes of a step.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: local=256
kernel void wrong(global int *out, local int *t) {
    int l = get_local_id(0);
    t[l] = l + 1;
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int left = l >= d ? t[l - d] : 0;                // FINDS local-race
        t[l] += left;                                    // FINDS local-race
    }
    out[l] = t[l];
}
kernel void right(global int *out, local int *t) {
    int l = get_local_id(0);
    t[l] = l + 1;
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int left = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += left;
    }
    out[l] = t[l];
}
