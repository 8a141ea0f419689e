// The partners of a bitonic sort are as far away as the group is wide.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    local int t[64];
    uint l = get_local_id(0);
    t[l] = a[l] - l;
    for (uint j = 64; j > 0; j >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint partner = l ^ j;
        int other = t[partner];                          // FINDS out-of-range
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = (l & j) ? max(t[l], other) : min(t[l], other);
    }
    a[l] = t[l];
}
kernel void right(global int *a) {
    local int t[64];
    uint l = get_local_id(0);
    t[l] = a[l] - l;
    for (uint j = 32; j > 0; j >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint partner = l ^ j;
        int other = t[partner];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = (l & j) ? max(t[l], other) : min(t[l], other);
    }
    a[l] = t[l];
}
