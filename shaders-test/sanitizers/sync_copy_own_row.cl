// The work-items of a row give the address of that row in local memory: the group has four rows.
// LAUNCH: global=16,4 local=16,4
// ARG: int=64
// ARG: int=64
kernel void wrong(global int *out, global const int *in) {
    local int t[4][16];
    int x = get_local_id(0), y = get_local_id(1);
    event_t e = async_work_group_copy(t[y], in + 16 * y, 16, 0);         // FINDS non-uniform-argument, non-uniform-argument
    wait_group_events(1, &e);
    out[16 * y + x] = x;
}
kernel void right(global int *out, global const int *in) {
    local int t[4][16];
    int x = get_local_id(0), y = get_local_id(1);
    event_t e = 0;
    for (int row = 0; row < 4; row++)
        e = async_work_group_copy(t[row], in + 16 * row, 16, e);
    wait_group_events(1, &e);
    out[16 * y + x] = t[y][x];
}
