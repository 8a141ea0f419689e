// A group copies its tile to global memory and reads the neighbour's element of it before the copy has ended.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *tmp, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(tmp, t, 64, 0);    // FINDS global-race
    out[l] = tmp[63 - l];                                // FINDS global-race
    wait_group_events(1, &e);
}
kernel void right(global int *tmp, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(tmp, t, 64, 0);
    wait_group_events(1, &e);
    out[l] = tmp[63 - l];
}
