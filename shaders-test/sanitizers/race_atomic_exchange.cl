// A slot is emptied by an atomic exchange and filled by a plain store at the same time.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int slots[32];
    int l = get_local_id(0);
    if (l < 32)
        slots[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        slots[l] = l + 5;                                // FINDS local-race
    else
        out[l] = atomic_xchg(&slots[l - 32], -1);        // FINDS local-race
}
kernel void right(global int *out) {
    local int slots[32];
    int l = get_local_id(0);
    if (l < 32)
        slots[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        atomic_xchg(&slots[l], l + 5);
    else
        out[l] = atomic_xchg(&slots[l - 32], -1);
}
