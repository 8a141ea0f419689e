// A group reads what it copies before the copy has ended.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(t, in, 64, 0);     // FINDS local-race
    out[l] = t[63 - l];                                  // FINDS local-race
    wait_group_events(1, &e);
}
kernel void right(global int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(t, in, 64, 0);
    wait_group_events(1, &e);
    out[l] = t[63 - l];
}
