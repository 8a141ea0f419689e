// Local memory is Workgroup storage; the barrier is a control barrier.
// CHECK: OpVariable ... Workgroup
// CHECK: OpControlBarrier
kernel void k(global int *p) {
    local int shared[64];
    size_t i = get_local_id(0);
    shared[i] = p[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = shared[63 - i];
}
