// A group copies one element more than its tile has.
// LAUNCH: global=32 local=32
// ARG: int=64
// ARG: int=32
kernel void wrong(global const int *in, global int *out) {
    local int tile[32];
    event_t e = async_work_group_copy(tile, in, 33, 0);  // FINDS out-of-range
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[get_local_id(0)];
}
kernel void right(global const int *in, global int *out) {
    local int tile[32];
    event_t e = async_work_group_copy(tile, in, 32, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = tile[get_local_id(0)];
}
