// Each work-item gives the address of its own element, where the group's first one is meant.
// LAUNCH: global=128 local=64
// ARG: int=128
// ARG: int=256
kernel void wrong(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in + get_global_id(0), 64, 0);  // FINDS non-uniform-argument
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[l];
}
kernel void right(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[l];
}
