// Functions of sub-groups.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// Sums over sub-groups, whose size is the device's, and then over the work-group.
kernel void reduce(global const uint *in, global uint *out, uint each)
{
    local uint total;
    if (get_local_id(0) == 0)
        total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k < each; k++)
        sum += in[k * get_global_size(0) + get_global_id(0)];
    sum = sub_group_reduce_add(sum);
    if (get_sub_group_local_id() == 0)
        atomic_add(&total, sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = total;
}
