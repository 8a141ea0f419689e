// A barrier without flags orders no memory.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;                                            // FINDS local-race
    barrier(0);
    out[l] = t[63 - l];                                  // FINDS local-race
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];
    barrier(0);
}
