// A pointer to local memory is chosen, and is null where a condition does not hold. Null is a small number, so that an
// element of it is in range.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global int *out) {
    local int t[8];
    int l = get_local_id(0);
    local int *p = out[15] > 3 ? t : 0;
    p[l + 4] = l;                                        // FINDS null-pointer
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l] * 0;
}
kernel void right(global int *out) {
    local int t[8];
    int l = get_local_id(0);
    t[l] = 0;
    local int *p = out[15] > 3 ? t : 0;
    if (p)
        p[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
