// The number of results is a private count: each work-item has its own.
// LAUNCH: global=16 local=16
// ARG: int=64
// ARG: int=16
kernel void wrong(global int *out, global const int *in) {
    local int t[64];
    int l = get_local_id(0), count = 0;
    for (int k = 0; k <= l; k++)
        t[4 * l + count++ % 4] = in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, count > 4 ? 4 : count, 0); // FINDS non-uniform-argument
    wait_group_events(1, &e);
}
kernel void right(global int *out, global const int *in) {
    local int t[64], counts[16];
    int l = get_local_id(0), count = 0;
    for (int k = 0; k < 4; k++)
        t[4 * l + count++] = in[k];
    counts[l] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, counts[0], 0);
    wait_group_events(1, &e);
}
