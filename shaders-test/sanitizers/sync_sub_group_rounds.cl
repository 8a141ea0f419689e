// Work-items of a sub-group go through a loop with a barrier of the sub-group for different times.
// LAUNCH: global=32 local=32
// ARG: int=32
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void wrong(global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k <= l % 4; k++) {
        sum += k;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);          // FINDS divergent-sub-group-barrier
    }
    out[l] = sum;
}
kernel void right(global int *out) {
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += k <= l % 4 ? k : 0;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = sum;
}
