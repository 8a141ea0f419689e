// Half of each sub-group waits at a barrier of the sub-group.
// LAUNCH: global=32 local=32
// ARG: int=32
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    if (l % 2 == 0)
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);          // FINDS divergent-sub-group-barrier
    out[l] = l;
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    if (get_sub_group_id() % 2 == 0)
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = l;
}
