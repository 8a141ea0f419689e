// reqd_work_group_size and the other kernel attributes.
// RUN: kernel=k global=8,2 local=4,2
// ARG: buffer:bytes=64
// EXPECT: pocl
__attribute__((reqd_work_group_size(4, 2, 1))) __attribute__((vec_type_hint(float4)))
kernel void k(global int *out)
{
    out[get_global_id(1) * 8 + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1) + get_group_id(0) * 100;
}
