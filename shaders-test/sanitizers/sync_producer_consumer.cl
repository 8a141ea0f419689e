// Producers and consumers of a group wait for each other at barriers of their own.
// LAUNCH: global=64 local=64
// ARG: int=32
kernel void wrong(global int *out) {
    local int slots[32];
    int l = get_local_id(0);
    if (l < 32) {
        slots[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);                    // FINDS divergent-barrier
        out[l - 32] = slots[l - 32];
    }
}
kernel void right(global int *out) {
    local int slots[32];
    int l = get_local_id(0);
    if (l < 32)
        slots[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 32)
        out[l - 32] = slots[l - 32];
}
