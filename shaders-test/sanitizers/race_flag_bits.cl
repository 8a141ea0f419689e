// Each work-item sets a bit of its own, in a byte that it shares.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local uchar marks[8];
    int l = get_local_id(0);
    if (l < 8)
        marks[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    marks[l % 8] |= 1 << (l / 8);                        // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = marks[l / 8];
}
kernel void right(global int *out) {
    local uint marks[8];
    int l = get_local_id(0);
    if (l < 8)
        marks[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_or(&marks[l % 8], 1u << (l / 8));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = marks[l / 8];
}
