// Tickets are taken atomically, but there are more tickets than places.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int places[48], tickets;
    int l = get_local_id(0);
    if (l == 0)
        tickets = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int ticket = atomic_inc(&tickets);
    places[ticket % 48] = l + 1;                         // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = places[l % 48];
}
kernel void right(global int *out) {
    local int places[64], tickets;
    int l = get_local_id(0);
    if (l == 0)
        tickets = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int ticket = atomic_inc(&tickets);
    places[ticket % 64] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = places[l % 64];
}
