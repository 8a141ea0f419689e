// The sums of blocks are scanned by one work-item, and the others do not wait for it to end.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int sums[8];
    int l = get_local_id(0);
    if (l % 8 == 7)
        sums[l / 8] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 63)
        for (int k = 1; k < 8; k++)
            sums[k] += sums[k - 1];                      // FINDS local-race
    out[l] = l / 8 > 0 ? sums[l / 8 - 1] : 0;            // FINDS local-race
}
kernel void right(global int *out) {
    local int sums[8];
    int l = get_local_id(0);
    if (l % 8 == 7)
        sums[l / 8] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 63)
        for (int k = 1; k < 8; k++)
            sums[k] += sums[k - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = l / 8 > 0 ? sums[l / 8 - 1] : 0;
}
