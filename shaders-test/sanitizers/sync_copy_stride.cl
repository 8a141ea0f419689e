// The stride is read from memory at the work-item's own index.
// LAUNCH: global=32 local=32
// ARG: int=32
// ARG: int=4096
kernel void wrong(global int *out, global const int *in) {
    local int t[32];
    int l = get_local_id(0);
    int stride = in[l] + l / 16 + 1;
    event_t e = async_work_group_strided_copy(t, in, 32, stride, 0);     // FINDS non-uniform-argument
    wait_group_events(1, &e);
    out[l] = t[l];
}
kernel void right(global int *out, global const int *in) {
    local int t[32];
    int l = get_local_id(0);
    int stride = in[0] + 2;
    event_t e = async_work_group_strided_copy(t, in, 32, stride, 0);
    wait_group_events(1, &e);
    out[l] = t[l];
}
