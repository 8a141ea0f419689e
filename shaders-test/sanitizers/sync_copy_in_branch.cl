// Half of the group starts a copy that all must start.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global const int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = 0;
    if (l < 32)
        e = async_work_group_copy(t, in, 64, 0);         // FINDS divergent-barrier
    wait_group_events(1, &e);                            // FINDS divergent-barrier
    out[l] = l;
}
kernel void right(global const int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);
    wait_group_events(1, &e);
    out[l] = t[l];
}
