// The tile of the next round is copied while the last one is used, and is used itself a barrier too early.
// LAUNCH: global=32 local=32
// ARG: int=32
// ARG: int=128
kernel void wrong(global int *out, global const int *in) {
    local int t[2][32];
    int l = get_local_id(0), sum = 0;
    event_t e = async_work_group_copy(t[0], in, 32, 0);                  // FINDS local-race
    for (int k = 0; k < 3; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[k % 2][31 - l];                                         // FINDS local-race
        barrier(CLK_LOCAL_MEM_FENCE);
        e = async_work_group_copy(t[(k + 1) % 2], in + 32 * (k + 1), 32, 0);     // FINDS local-race
    }
    wait_group_events(1, &e);
    out[l] = sum;
}
kernel void right(global int *out, global const int *in) {
    local int t[2][32];
    int l = get_local_id(0), sum = 0;
    event_t e = async_work_group_copy(t[0], in, 32, 0);
    for (int k = 0; k < 3; k++) {
        wait_group_events(1, &e);
        e = async_work_group_copy(t[(k + 1) % 2], in + 32 * (k + 1), 32, 0);
        sum += t[k % 2][31 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    wait_group_events(1, &e);
    out[l] = sum + t[1][l];
}
