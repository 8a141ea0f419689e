// Asynchronous copies: plain, strided, of two and three dimensions, in both directions, and the fence between them.
// RUN: kernel=plain global=6 local=3
// ARG: buffer:int=0..32
// ARG: buffer:int=100..132
// EXPECT 1: int=0,10,20,30,40,50,60,107,108,109,110,111,112,113,114,115,70,80,90,100,110,120,130,123,124,125,126,127,128,129,130,131
// RUN: kernel=strided global=4 local=4
// ARG: buffer:short=0..32
// ARG: buffer:short=100..132
// EXPECT 1: short=0,1,102,103,6,7,106,107,12,13,110,111,18,19,114,115,24,25,118,119,120,121,122,123,124,125,126,127,128,129,130,131
// RUN: kernel=vectors global=2 local=2
// ARG: buffer:float=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
// ARG: buffer:float=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: float=9,10,11,12,13,14,15,16,1,2,3,4,5,6,7,8

kernel void plain(global const int *in, global int *out) {
    local int l[7];
    event_t e = async_work_group_copy(l, in + 7 * get_group_id(0), 7, 0);
    prefetch(in, 7);
    wait_group_events(1, &e);
    for (int i = get_local_id(0); i < 7; i += get_local_size(0))
        l[i] *= 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + 16 * get_group_id(0), l, 7, 0);
    wait_group_events(1, &e);
}

kernel void strided(global const short2 *in, global short2 *out) {
    local short2 l[5];
    event_t e = async_work_group_strided_copy(l, in, 5, 3, 0);
    wait_group_events(1, &e);
    event_t f = async_work_group_strided_copy(out, l, 5, 2, 0);
    wait_group_events(1, &f);
}

kernel void vectors(global const float4 *in, global float4 *out) {
    local float4 first[2], second[2];
    event_t e = async_work_group_copy(first, in, 2, 0);
    e = async_work_group_copy(second, in + 2, 2, e);
    wait_group_events(1, &e);
    e = async_work_group_copy(out, second, 2, 0);
    e = async_work_group_copy(out + 2, first, 2, e);
    wait_group_events(1, &e);
}
