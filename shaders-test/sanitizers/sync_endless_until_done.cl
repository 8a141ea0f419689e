// An endless loop is left when the work of the work-item is done, not when that of the group is.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    local int open;
    int l = get_local_id(0), rest = l % 5 + 1;
    for (;;) {
        if (rest == 0)
            break;
        rest--;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    }
    out[l] = rest;
}
kernel void right(global int *out) {
    local int open;
    int l = get_local_id(0), rest = l % 5 + 1;
    for (;;) {
        if (l == 0)
            open = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (rest > 0 && --rest > 0)
            atomic_inc(&open);
        barrier(CLK_LOCAL_MEM_FENCE);
        int more = open;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (more == 0)
            break;
    }
    out[l] = rest;
}
