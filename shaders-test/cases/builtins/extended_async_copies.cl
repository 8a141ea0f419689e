// Asynchronous copies of blocks of two and three dimensions, of words and of elements of any size.
// SKIP reference: the driver lacks cl_khr_extended_async_copies
// RUN: kernel=planes global=8 local=8
// ARG: buffer:int=0..64
// ARG: buffer:int=100..140
// EXPECT 1: int=100,101,-1,3,4,5,6,-1,108,-1,13,14,15,16,-1,115,-1,23,24,25,26,-1,122,-1,-1,-1,-1,-1,-1,129,-1,-1,-1,-1,-1,-1,136,137,138,139
// RUN: kernel=spaces global=4 local=4
// ARG: buffer:int=0..64
// ARG: buffer:int=100..140
// EXPECT 1: int=100,5,6,-1,104,10,11,-1,108,15,16,-1,112,113,114,115,116,25,26,-1,120,30,31,-1,124,35,36,-1,128,129,130,131,132,133,134,135,136,137,138,139
// RUN: kernel=odd_sizes global=4 local=4
// ARG: buffer:uchar=0..64
// ARG: buffer:uchar=100..140
// EXPECT 1: uchar=6,7,8,9,10,11,12,13,14,255,255,255,112,113,114,115,116,117,255,255,255,27,28,29,30,31,32,33,34,35,130,131,132,133,134,135,136,137,138,139

#define FILL(L, N, V)                                                                                                  \
    for (int i = get_local_id(0); i < N; i += get_local_size(0))                                                       \
        L[i] = V;                                                                                                      \
    barrier(CLK_LOCAL_MEM_FENCE);

kernel void planes(global const int *in, global int *out) {
    local int l[32];
    FILL(l, 32, -1)
    event_t e = async_work_group_copy_2D2D(l, 1, in, 3, sizeof(int), 4, 3, 10, 6, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    e = async_work_group_copy_2D2D(out, 2, l, 0, sizeof(int), 6, 5, 6, 7, e);
    wait_group_events(1, &e);
}

kernel void spaces(global const int *in, global int *out) {
    local int l[32];
    FILL(l, 32, -1)
    event_t e = async_work_group_copy_3D3D(l, 0, in, 5, sizeof(int), 2, 3, 2, 5, 20, 3, 12, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy_3D3D(out, 1, l, 0, sizeof(int), 3, 3, 2, 3, 12, 4, 16, 0);
    wait_group_events(1, &e);
}

kernel void odd_sizes(global const uchar *in, global uchar *out) {
    local uchar l[40];
    FILL(l, 40, 255)
    event_t e = async_work_group_copy_2D2D(l, 1, in, 2, 3, 3, 2, 7, 5, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy_2D2D(out, 0, l, 1, 3, 4, 2, 4, 6, 0);
    wait_group_events(1, &e);
}
