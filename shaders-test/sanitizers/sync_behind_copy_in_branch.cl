// Half of a group starts a copy, at which the other half is at the next barrier. The barrier after that is reached by all.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *out, global const int *in) {
    local int t[64];
    uint l = get_local_id(0);
    if (l < 32)
        async_work_group_copy(t, in, 64, 0);             // FINDS divergent-barrier
    else
        out[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);                        // FINDS divergent-barrier
    out[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void right(global int *out, global const int *in) {
    local int t[64];
    uint l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);
    if (l >= 32)
        out[l] = 1;
    wait_group_events(1, &e);
    out[l] += t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
}
