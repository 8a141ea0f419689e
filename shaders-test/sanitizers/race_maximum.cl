// The greatest value is kept by a comparison and an assignment.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int best;
    int l = get_local_id(0), value = (l * 29) % 64;
    if (l == 0)
        best = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (value > best)                                    // FINDS local-race
        best = value;                                    // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = best;
}
kernel void right(global int *out) {
    local int best;
    int l = get_local_id(0), value = (l * 29) % 64;
    if (l == 0)
        best = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&best, value);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = best;
}
