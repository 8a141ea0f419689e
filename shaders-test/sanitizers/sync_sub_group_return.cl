// Some work-items return before the others wait for their sub-group.
// LAUNCH: global=32 local=32
// ARG: int=32
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void wrong(global int *out) {
    int l = get_local_id(0);
    if (l >= 30)
        return;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);             // FINDS divergent-sub-group-barrier
    out[l] = l;
}
kernel void right(global int *out) {
    int l = get_local_id(0);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (l >= 30)
        return;
    out[l] = l;
}
