// Fences of every kind between work-items of a group.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=k global=8 local=8
// ARG: buffer:int=0..8
// EXPECT 0: int=7,6,5,4,3,2,1,0
// SKIP reference: the driver lacks the functions of OpenCL C 2.0
// SKIP opencl: PoCL 3.1 lacks mem_fence when it is given SPIR-V
kernel void k(global int *out) {
    local int tile[8];
    int i = get_local_id(0);
    tile[i] = 0;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    tile[7 - i] = i;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[i] = tile[i];
}
