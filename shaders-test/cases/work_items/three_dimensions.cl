// The dimension may be an expression of the loop.
// RUN: kernel=k global=2,3,4 local=2,1,2
// ARG: buffer:bytes=384
// EXPECT: pocl
kernel void k(global int *out)
{
    int linear = 0, local_linear = 0, groups = 0, all = 1;
    for (int d = 2; d >= 0; d--) {
        linear = linear * get_global_size(d) + get_global_id(d);
        local_linear = local_linear * get_local_size(d) + get_local_id(d);
        groups = groups * get_num_groups(d) + get_group_id(d);
        all *= get_local_size(d);
    }
    global int *o = out + linear * 4;
    o[0] = linear; o[1] = local_linear; o[2] = groups; o[3] = all + get_work_dim() * 100;
}
