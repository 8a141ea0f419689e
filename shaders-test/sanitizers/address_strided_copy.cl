// A copy with a stride leaves the buffer with its last elements.
// LAUNCH: global=16 local=16
// ARG: int=60
// ARG: int=16
kernel void wrong(global const int *in, global int *out) {
    local int column[16];
    event_t e = async_work_group_strided_copy(column, in + 2, 16, 4, 0); // FINDS out-of-range
    wait_group_events(1, &e);
    out[get_local_id(0)] = column[get_local_id(0)];
}
kernel void right(global const int *in, global int *out) {
    local int column[16];
    event_t e = async_work_group_strided_copy(column, in + 2, 15, 4, 0);
    wait_group_events(1, &e);
    if (get_local_id(0) < 15)
        out[get_local_id(0)] = column[get_local_id(0)];
}
