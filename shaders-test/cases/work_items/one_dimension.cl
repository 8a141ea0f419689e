// Work-item functions in one dimension; dimensions out of range give 0 or 1.
// RUN: kernel=k global=12 local=4 offset=100
// ARG: buffer:bytes=480
// EXPECT: pocl
kernel void k(global int *out)
{
    const int i = get_global_id(0) - get_global_offset(0);
    global int *o = out + i * 10;
    o[0] = get_global_id(0);
    o[1] = get_local_id(0);
    o[2] = get_group_id(0);
    o[3] = get_global_size(0);
    o[4] = get_local_size(0);
    o[5] = get_num_groups(0);
    o[6] = get_work_dim();
    o[7] = get_global_size(1) + get_local_size(2) * 10 + get_num_groups(1) * 100;
    o[8] = get_global_id(1) + get_local_id(2) + get_group_id(1) + get_global_offset(2);
    o[9] = get_global_id(7) + get_local_id(3);
}
