// The target of a copy with a stride is overwritten before the copy is waited for.
// LAUNCH: global=32 local=32
// ARG: int=64
kernel void wrong(global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out, t, 32, 2, 0); // FINDS global-race
    out[2 * l] = 7;                                      // FINDS global-race
    wait_group_events(1, &e);
}
kernel void right(global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out, t, 32, 2, 0);
    out[2 * l + 1] = 7;
    wait_group_events(1, &e);
    out[2 * l] = 7;
}
