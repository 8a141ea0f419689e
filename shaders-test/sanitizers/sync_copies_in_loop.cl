// In the third iteration the work-items of the second half are one element ahead.
// LAUNCH: global=32 local=32
// ARG: int=128
// ARG: int=256
kernel void wrong(global int *out, global const int *in) {
    local int t[32];
    int l = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        int ahead = k == 2 && l >= 16;
        event_t e = async_work_group_copy(t, in + 32 * k + ahead, 32, 0);    // FINDS non-uniform-argument
        wait_group_events(1, &e);
        out[32 * k + l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void right(global int *out, global const int *in) {
    local int t[32];
    int l = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        int ahead = k == 2;
        event_t e = async_work_group_copy(t, in + 32 * k + ahead, 32, 0);
        wait_group_events(1, &e);
        out[32 * k + l] = t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
