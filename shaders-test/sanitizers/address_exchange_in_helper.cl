// A ticket selects the slot of a local array that an atomic exchange fills, and there are more tickets than slots.
// LAUNCH: global=32 local=32
// ARG: int=32
int put(volatile local int *slots, volatile local int *tickets, int value) {
    int at = atomic_inc(tickets);
    return atomic_xchg(slots + at, value);               // FINDS out-of-range
}
kernel void wrong(global int *out) {
    local int slots[24], tickets;
    int l = get_local_id(0);
    if (l < 24)
        slots[l] = tickets = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = put(slots, &tickets, l);
}
kernel void right(global int *out) {
    local int slots[32], tickets;
    int l = get_local_id(0);
    slots[l] = 0;
    if (l == 0)
        tickets = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = put(slots, &tickets, l);
}
