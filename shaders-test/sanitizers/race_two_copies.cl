// The second copy goes to the same place before the first one is complete.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: int=128
kernel void wrong(global int *out, global int *in) {
    local int t[64];
    int l = get_local_id(0);
    in[l] = l + 1, in[64 + l] = 100 + l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t e = async_work_group_copy(t, in, 64, 0);                     // FINDS local-race
    e = async_work_group_copy(t, in + 64, 64, e);                        // FINDS local-race
    wait_group_events(1, &e);
    out[l] = t[l];
}
kernel void right(global int *out, global int *in) {
    local int t[64];
    int l = get_local_id(0);
    in[l] = l + 1, in[64 + l] = 100 + l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t e = async_work_group_copy(t, in, 32, 0);
    e = async_work_group_copy(t + 32, in + 64, 32, e);
    wait_group_events(1, &e);
    out[l] = t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(t, in + 64, 64, 0);
    wait_group_events(1, &e);
    out[l] += t[l];
}
