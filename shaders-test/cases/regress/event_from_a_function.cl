// A function that is not to be inlined returns the event of copies that it makes in a loop.
// SKIP opencl: PoCL 3.1 does not define the local size (_local_size_y) for a function that it does not inline
// RUN: kernel=k global=64 local=64
// ARG: buffer:int=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63
// ARG: buffer:int=0,0
// ARG: int=4
// EXPECT 1: int=63,0
__attribute__((noinline)) event_t copy(local int *tile, global const int *in, int parts) {
    event_t event = 0;
    for (int i = 0; i < parts; i++)
        event = async_work_group_copy(tile + 16 * i, in + 16 * i, 16, event);
    return event;
}
kernel void k(global const int *in, global int *out, int parts) {
    local int tile[64];
    event_t event = copy(tile, in, parts);
    wait_group_events(1, &event);
    int l = get_local_id(0);
    if (l == 0 || l == 63)
        out[l / 63] = tile[63 - l];
}
