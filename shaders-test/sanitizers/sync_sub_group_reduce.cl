// Only some work-items of the sub-group come to the sum.
// LAUNCH: global=64 local=64
// STD: CL3.0
// ARG: int=64
kernel void wrong(global int *out) {
    int i = get_global_id(0), sum = 0;
    if (get_sub_group_local_id() > 0)
        sum = sub_group_reduce_add(i);                                   // FINDS divergent-sub-group-barrier
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int sum = sub_group_reduce_add(get_sub_group_local_id() > 0 ? i : 0);
    out[i] = sum;
}
