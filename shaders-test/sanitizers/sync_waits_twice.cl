// A work-item waits once more than the others before all of them write.
// LAUNCH: global=64 local=64
// ARG: int=64
void wait(void) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // FINDS divergent-barrier
}
kernel void wrong(global int *out) {
    int l = get_local_id(0), times = l == 63 ? 2 : 1;
    while (times--)
        wait();
    out[l] = l;
}
kernel void right(global int *out) {
    int l = get_local_id(0), times = get_group_id(0) == 0 ? 2 : 1;
    while (times--)
        wait();
    out[l] = l;
}
