// Clocks never run backwards, and both forms read the same one.
// NEEDS: shaderSubgroupClock shaderDeviceClock
// SKIP reference: the driver lacks cl_khr_kernel_clock
// SKIP opencl: the driver lacks cl_khr_kernel_clock
// RUN: kernel=k global=8 local=8
// ARG: buffer:int=1,1,1,1,1,1,1,1
// EXPECT 0: int=0,0,0,0,0,0,0,0
ulong whole(uint2 halves) { return (ulong)halves.y << 32 | halves.x; }
kernel void k(global int *out) {
    int bad = 0;
    ulong device = clock_read_device(), group = clock_read_work_group(), sub_group = clock_read_sub_group();
    barrier(CLK_LOCAL_MEM_FENCE);
    bad += whole(clock_read_hilo_device()) < device || whole(clock_read_hilo_work_group()) < group;
    bad += whole(clock_read_hilo_sub_group()) < sub_group || device == 0;
    out[get_global_id(0)] = bad;
}
