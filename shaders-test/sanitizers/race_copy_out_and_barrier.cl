// What a copy reads is written behind a barrier, which does not complete the copy.
// LAUNCH: global=64 local=64
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, 64, 0);    // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    t[63 - l] = l + 1;                                   // FINDS local-race
    wait_group_events(1, &e);
}
kernel void right(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, 64, 0);
    wait_group_events(1, &e);
    t[63 - l] = l + 1;
}
