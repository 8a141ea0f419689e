// An element of local memory that no work-item wrote.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *a) {
    local int t[64];
    int l = get_local_id(0);
    if (l != 5)
        t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[63 - l];                                    // FINDS uninitialized
}
kernel void right(global int *a) {
    local int t[64];
    int l = get_local_id(0);
    if (l != 5)
        t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = l == 58 ? 0 : t[63 - l];
}
