// Only the work-items of one half come to the sum.
// LAUNCH: global=64 local=64
// STD: CL3.0
// ARG: int=64
kernel void wrong(global int *out) {
    int i = get_global_id(0), sum = 0;
    if (i < 32)
        sum = work_group_reduce_add(i);                                  // FINDS divergent-barrier
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int sum = work_group_reduce_add(i < 32 ? i : 0);
    out[i] = i < 32 ? sum : 0;
}
