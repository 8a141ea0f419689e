// A global size that the group size does not divide: the last group is smaller.
// RUN: kernel=k global=10 local=4
// ARG: buffer:bytes=160
// EXPECT 0: int=0,0,4,3,1,0,4,3,2,0,4,3,3,0,4,3,0,1,4,3,1,1,4,3,2,1,4,3,3,1,4,3,0,2,2,3,1,2,2,3
// SKIP opencl: OpenCL 1.2 does not allow it
// SKIP reference: OpenCL 1.2 does not allow it
kernel void k(global int4 *out)
{
    out[get_global_id(0)] = (int4)(get_local_id(0), get_group_id(0), get_local_size(0), get_num_groups(0));
}
