// Barriers and fences whose memory scope is that of one work-item, or narrower than what meets at the barrier: the work-items
// that meet see each other's stores all the same.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=k global=8 local=8
// ARG: buffer:int=0..8
// EXPECT 0: int=8,7,6,5,4,3,2,1
// SKIP reference: the driver lacks the functions of OpenCL C 2.0
// SKIP opencl: PoCL 3.1 lacks sub_group_barrier when it is given SPIR-V
kernel void k(global int *out) {
    local int tile[8];
    int i = get_local_id(0);
    tile[7 - i] = i;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
    out[i] = tile[i];
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_item);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[i] += 1;
}
