// A fence orders the accesses of one work-item, and lets the others go on.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l * 3;                                        // FINDS local-race
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[l] = t[(l + 33) % 64];                           // FINDS local-race
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[(l + 33) % 64];
}
