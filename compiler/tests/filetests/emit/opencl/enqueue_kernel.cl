// All forms of enqueue_kernel. A kernel runs each block; it is an entry point and calls the block's body.
// target: opencl3.0
// options: -cl-std=CL3.0
// CHECK: OpCapability DeviceEnqueue
// CHECK: OpEntryPoint Kernel ... "parent"
// CHECK: OpEntryPoint Kernel ... "__parent_block_invoke_kernel"
// CHECK: OpEntryPoint Kernel ... "__parent_block_invoke_2_kernel"
// CHECK: OpTypeQueue
// CHECK: OpTypeDeviceEvent
// CHECK: OpGetDefaultQueue
// CHECK: OpBuildNDRange
// CHECK: OpPtrCastToGeneric
// CHECK: OpEnqueueKernel
// CHECK: OpEnqueueKernel
// CHECK: OpEnqueueKernel
// CHECK: OpEnqueueKernel
// CHECK: OpGetKernelWorkGroupSize
// CHECK: OpGetKernelPreferredWorkGroupSizeMultiple
// CHECK: OpGetKernelNDrangeSubGroupCount
// CHECK: OpGetKernelNDrangeMaxSubGroupSize
// CHECK: OpFunctionEnd
// CHECK: OpFunctionParameter
// CHECK: OpFunctionCall
#if !defined(__opencl_c_device_enqueue) || !defined(cl_khr_device_enqueue_local_arg_types)
#error the target has both
#endif
kernel void child(global int *out, local int *scratch) { out[get_global_id(0)] = scratch[0]; }

kernel void parent(global int *out, int n, queue_t given) {
    queue_t queue = n ? get_default_queue() : given;
    ndrange_t range = ndrange_1D(64);
    clk_event_t events[2];
    global int *place = out + n;
    void (^plain)(void) = ^{ place[get_global_id(0)] = n; };
    void (^with_local)(local void *, local int *) = ^(local void *a, local int *b) { child(out, b); };
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, range, plain);
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, 0, NULL, &events[0], plain);
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, range, with_local, 64, n);
    int status = enqueue_kernel(queue, 0, ndrange_1D(8, 4), 1, events, &events[1], with_local, 64u, 4 * n);
    uint size = get_kernel_work_group_size(plain);
    size += get_kernel_preferred_work_group_size_multiple(with_local);
    size += get_kernel_sub_group_count_for_ndrange(range, plain);
    size += get_kernel_max_sub_group_size_for_ndrange(range, plain);
    out[0] = status + size;
}
