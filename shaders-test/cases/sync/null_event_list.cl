// A null pointer constant in every form, and pointers to void, for the list of events, and an optional result's address.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=10,11,12,13
// ARG: buffer:int=0..4
// EXPECT 1: int=13,12,11,10
// SKIP reference: the driver lacks the functions of OpenCL C 2.0
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
kernel void k(global const int *in, global int *out) {
    local int tile[4];
    wait_group_events(0, NULL);
    wait_group_events(0, 0);
    wait_group_events(0, (void *)0);
    event_t e = async_work_group_copy(tile, in, 4, 0);
    void *list = &e;
    wait_group_events(1, list);
    int i = get_local_id(0);
    out[i] = tile[3 - i];
}
