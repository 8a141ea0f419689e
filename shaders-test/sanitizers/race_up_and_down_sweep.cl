// The last element of a scan's tree is cleared while it is still added up.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = 1 + l % 3;
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 32 / d)
            t[2 * d * (l + 1) - 1] += t[2 * d * (l + 1) - 1 - d]; // FINDS local-race
    }
    if (l == 63)
        t[63] = 0;                                       // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = 1 + l % 3;
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 32 / d)
            t[2 * d * (l + 1) - 1] += t[2 * d * (l + 1) - 1 - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 63)
        t[63] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
