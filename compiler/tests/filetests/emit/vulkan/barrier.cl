// A barrier orders local memory for the work-group: scope 2 (Workgroup) twice, AcquireRelease (8) | WorkgroupMemory (256),
// and in the Vulkan memory model MakeAvailable (0x2000) and MakeVisible (0x4000).
// CHECK: OpVariable ... Workgroup
// CHECK: OpStore
// CHECK: OpControlBarrier
// CHECK: OpLoad
kernel void k(global int *p) {
    local int shared[64];
    size_t i = get_local_id(0);
    shared[i] = p[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = shared[63 - i];
}
