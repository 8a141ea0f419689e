// Events of enqueued kernels, and ranges of one to three dimensions.
// target: opencl2.0
// options: -cl-std=CL2.0
// CHECK: OpEnqueueMarker
// CHECK: OpRetainEvent
// CHECK: OpReleaseEvent
// CHECK: OpCreateUserEvent
// CHECK: OpSetUserEventStatus
// CHECK: OpIsValidEvent
// CHECK: OpCaptureEventProfilingInfo
// CHECK: OpBuildNDRange
// CHECK: OpBuildNDRange
// CHECK: OpBuildNDRange
// CHECK: OpBuildNDRange
// CHECK: OpEnqueueKernel
kernel void k(global ulong *times, int n) {
    clk_event_t first = CLK_NULL_EVENT, second;
    queue_t queue = get_default_queue();
    enqueue_marker(queue, 1, &first, &second);
    retain_event(second);
    release_event(second);
    clk_event_t user = create_user_event();
    set_user_event_status(user, CL_COMPLETE);
    if (is_valid_event(user))
        capture_event_profiling_info(user, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    size_t two[2] = {n, 2}, three[3] = {n, 2, 3}, groups[3] = {1, 1, 1}, offsets[3] = {7, 8, 9};
    ndrange_t a = ndrange_1D(64, 8), b = ndrange_1D(1, 64, 8), c = ndrange_2D(two);
    ndrange_t d = ndrange_3D(offsets, three, groups);
    ndrange_t chosen = n > 3 ? a : n > 2 ? b : n > 1 ? c : d;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, chosen, ^{ times[0] = n; });
}
