// The fences of OpenCL C 1.x order accesses of one work-item: a program with barriers gives the same with them.
// SKIP opencl: PoCL 3.1 lacks mem_fence when it is given SPIR-V
// RUN: kernel=k global=32 local=8
// ARG: buffer:int=0..32
// EXPECT 0: int=7,6,5,4,3,2,1,0,15,14,13,12,11,10,9,8,23,22,21,20,19,18,17,16,31,30,29,28,27,26,25,24
kernel void k(global int *p) {
    local int l[8];
    int i = get_local_id(0);
    l[i] = p[get_global_id(0)];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    p[get_global_id(0)] = l[7 - i];
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
}
