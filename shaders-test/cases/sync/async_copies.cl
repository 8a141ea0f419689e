// Copies of a whole work-group, plain and strided, and prefetch, which only hints.
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=10,11,12,13,14,15,16,17
// ARG: buffer:int=0..12
// ARG: local:bytes=32
// EXPECT 1: int=17,16,15,14,13,12,11,10,10,12,14,16
kernel void k(global const int *in, global int *out, local int *tile) {
    prefetch(in, 8);
    event_t e = async_work_group_copy(tile, in, 8, 0);
    wait_group_events(1, &e);
    int i = get_local_id(0);
    int low = tile[i], high = tile[7 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[i] = high;
    tile[7 - i] = low;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out, tile, 8, 0);
    wait_group_events(1, &e);
    e = async_work_group_strided_copy(tile, in, 4, 2, 0);
    wait_group_events(1, &e);
    out[8 + i] = tile[i];
}
