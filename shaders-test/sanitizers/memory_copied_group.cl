// A group copies its tile to global memory, and a part of the tile was never written.
// LAUNCH: global=32 local=32
// ARG: int=32
kernel void wrong(global int *out) {
    local int tile[32];
    int l = get_local_id(0);
    if (l < 30)
        tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, tile, 32, 0); // FINDS uninitialized
    wait_group_events(1, &e);
}
kernel void right(global int *out) {
    local int tile[32];
    int l = get_local_id(0);
    if (l < 30)
        tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, tile, 30, 0);
    wait_group_events(1, &e);
}
