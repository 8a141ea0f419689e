// Dimensions from 3 on: sizes are 1 and ids 0 (OpenCL C, table of work-item functions), also when only known at run time.
// RUN: kernel=k global=4 local=2
// ARG: buffer:bytes=24
// ARG: int=5
// EXPECT 0: int=1,0,1,0,1,0
// SKIP reference: PoCL 3.1 returns 0 for sizes
// SKIP opencl: PoCL 3.1 returns 0 for sizes
kernel void k(global int *out, int d)
{
    if (get_global_id(0) == 3) {
        out[0] = get_global_size(d); out[1] = get_global_id(d); out[2] = get_local_size(d);
        out[3] = get_local_id(d); out[4] = get_num_groups(d); out[5] = get_group_id(d) + get_global_offset(d);
    }
}
