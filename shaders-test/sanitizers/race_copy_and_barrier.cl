// A barrier does not complete a copy.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);     // FINDS local-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];                                  // FINDS local-race
    wait_group_events(1, &e);
}
kernel void right(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0);
    for (int k = 0; k < 3; k++) {
        event_t e = async_work_group_copy(t, in, 64, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        wait_group_events(1, &e);
        out[l] = t[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = 7;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
