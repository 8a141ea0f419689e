// A tile is written again while others still read it.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    local int t[64];
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 2; k++) {
        t[l] = a[l] + k;                                 // FINDS local-race
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[63 - l];                                // FINDS local-race
    }
    a[l] = sum;
}
kernel void right(global int *a) {
    local int t[64];
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 2; k++) {
        t[l] = a[l] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = sum;
}
