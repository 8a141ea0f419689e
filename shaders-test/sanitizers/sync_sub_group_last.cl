// The last sub-group of a work-group may have fewer work-items than the others.
// LAUNCH: global=40 local=20
// ARG: int=40
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void wrong(global int *out) {
    if (get_local_id(0) < 17)
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);          // FINDS divergent-sub-group-barrier
    out[get_global_id(0)] = 1;
}
kernel void right(global int *out) {
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
