// A work-item uses the element with its own number before the copy is waited for.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);     // FINDS local-race
    out[l] = t[l];                                       // FINDS local-race
    wait_group_events(1, &e);
}
kernel void right(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);
    wait_group_events(1, &e);
    out[l] = t[l];
}
