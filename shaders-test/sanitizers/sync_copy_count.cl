// The second half of the work-group asks for less: all must ask for the same.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, l < 32 ? 64 : 32, 0);       // FINDS non-uniform-argument
    wait_group_events(1, &e);
    out[l] = l;
}
kernel void right(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, get_group_id(0) < 32 ? 64 : 32, 0);
    wait_group_events(1, &e);
    out[l] = t[l];
}
