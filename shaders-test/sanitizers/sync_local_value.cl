// A value of local memory that differs between work-items decides who waits.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int kinds[64];
    int l = get_local_id(0);
    kinds[l] = l * l % 5;
    if (kinds[l] == 4)
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    out[l] = kinds[l];
}
kernel void right(global int *out) {
    local int kinds[64];
    int l = get_local_id(0);
    kinds[l] = l * l % 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (kinds[2] == 4)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = kinds[l];
}
