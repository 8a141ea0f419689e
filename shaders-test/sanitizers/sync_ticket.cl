// The work-item that takes the first ticket waits for others that do not come.
// LAUNCH: global=64 local=64
// ARG: int=1
// ARG: int=64
kernel void wrong(global int *tickets, global int *out) {
    int ticket = atomic_inc(tickets);
    if (ticket < 48)
        barrier(CLK_GLOBAL_MEM_FENCE);                   // FINDS divergent-barrier
    out[get_global_id(0)] = ticket;
}
kernel void right(global int *tickets, global int *out) {
    int ticket = atomic_inc(tickets);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (ticket < 48)
        out[get_global_id(0)] = ticket;
}
