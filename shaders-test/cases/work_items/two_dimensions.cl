// RUN: kernel=k global=6,4 local=3,2 offset=10,20
// ARG: buffer:bytes=384
// EXPECT: pocl
kernel void k(global int4 *out)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int i = (y - 20) * get_global_size(0) + x - 10;
    out[i] = (int4)(x * 100 + y, get_local_id(0) * 10 + get_local_id(1), get_group_id(0) * 10 + get_group_id(1),
                    get_num_groups(0) * 100 + get_num_groups(1) * 10 + get_work_dim());
}
