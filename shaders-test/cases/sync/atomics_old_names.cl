// The names of OpenCL 1.0's extensions.
// RUN: kernel=k global=16
// ARG: buffer:int=0,0
// EXPECT 0: int=16,15
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_global_int32_extended_atomics : enable
kernel void k(global int *v)
{
    atom_add(v, 1);
    atom_max(v + 1, (int)get_global_id(0));
}
