/* Kernels that enqueue others: queues on the device and their queries, queues as arguments, a queue that is full, children of
   several queues of the host at a time, and events of children. */
#define CL_TARGET_OPENCL_VERSION 300
#include "enqueue.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source =
    "kernel void to_queues(queue_t first, queue_t second, global int *out)\n"
    "{\n"
    "    int i = (int)get_global_id(0);\n"
    "    enqueue_kernel(i & 1 ? first : second, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ atomic_add(out + i, 1); });\n"
    "}\n"
    "kernel void to_default(global int *out)\n"
    "{\n"
    "    out[0] = get_default_queue() == CLK_NULL_QUEUE;\n"
    "    out[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[2] = 7; });\n"
    "}\n"
    /* out: children, failures, successes */
    "kernel void full(global int *out)\n"
    "{\n"
    "    int failed = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_inc(out); });\n"
    "    atomic_inc(out + (failed ? 1 : 2));\n"
    "}\n"
    "void level(global int *sum, int depth)\n"
    "{\n"
    "    atomic_add(sum, 1);\n"
    "    if (depth) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{ level(sum, depth - 1); });\n"
    "}\n"
    "kernel void tree(global int *sum, int depth) { level(sum, depth); }\n"
    /* Nothing completes the event that the child waits for. */
    "kernel void stuck(global int *out)\n"
    "{\n"
    "    clk_event_t never = create_user_event();\n"
    "    out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &never, 0, ^{ out[1] = 1; });\n"
    "    release_event(never);\n"
    "}\n"
    /* Events that nobody releases are used up; released ones are not. */
    "kernel void events(global int *out, int keeps)\n"
    "{\n"
    "    clk_event_t event = create_user_event();\n"
    "    atomic_inc(out + is_valid_event(event));\n"
    "    set_user_event_status(event, CL_COMPLETE);\n"
    "    if (!keeps) release_event(event);\n"
    "}\n"
    "kernel void times(global ulong *out)\n"
    "{\n"
    "    clk_event_t event;\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), 0, 0, &event, ^{ out[2 + get_global_id(0)] = 1; });\n"
    "    capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, out);\n"
    "    release_event(event);\n"
    "}\n"
    /* What waits for a command knows its times, asked for before and behind it. */
    "kernel void known(global ulong *times, global int *out)\n"
    "{\n"
    "    clk_event_t gate = create_user_event(), first;\n"
    "    queue_t queue = get_default_queue();\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, &first, ^{ out[2] = 1; });\n"
    "    capture_event_profiling_info(first, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
    "    set_user_event_status(gate, CL_COMPLETE);\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, 0, ^{ out[0] = times[0] && times[1]; });\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, 0, ^{\n"
    "        capture_event_profiling_info(first, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);\n"
    "        out[1] = times[2] && times[3];\n"
    "        release_event(first);\n"
    "    });\n"
    "    release_event(gate);\n"
    "}\n"
    /* The second child waits for the first, and so for what that enqueues. out: grandchildren, what the second one saw, its
       predecessor's times. */
    "kernel void complete(global int *out, global ulong *times)\n"
    "{\n"
    "    clk_event_t first, between;\n"
    "    queue_t queue = get_default_queue();\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), 0, 0, &first, ^{\n"
    "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{\n"
    "            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{ atomic_inc(out); });\n"
    "        });\n"
    "    });\n"
    "    capture_event_profiling_info(first, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
    "    enqueue_marker(queue, 1, &first, &between);\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &between, 0, ^{ out[1] = out[0]; });\n"
    "    release_event(first);\n"
    "    release_event(between);\n"
    "}\n"
    /* A null event is none; a child that needs too much local memory fails, and the rest runs. */
    "kernel void refused(global int *out, uint bytes)\n"
    "{\n"
    "    clk_event_t events[2] = { create_user_event(), CLK_NULL_EVENT }, failing;\n"
    "    queue_t queue = get_default_queue();\n"
    "    out[0] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 2, events, 0, ^{ out[3] = 1; });\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &failing, ^(local void *l) { out[3] = 2; }, bytes);\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &failing, 0, ^{ out[3] = 3; });\n"
    "    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 1; });\n"
    "    release_event(events[0]);\n"
    "    release_event(failing);\n"
    "}\n";

static void run(cl_command_queue on, cl_kernel kernel, size_t global)
{
    OK(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void read_ints(cl_mem buffer, size_t count, int *to)
{
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4 * count, to, 0, NULL, NULL));
}

static cl_command_queue on_device(cl_command_queue_properties more, cl_uint size, cl_int *error)
{
    const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | more, CL_QUEUE_SIZE, size, 0 };
    return clCreateCommandQueueWithProperties(context, device, list, error);
}

static void queues(void)
{
    cl_int error;
    cl_uint most, preferred, size;
    cl_device_device_enqueue_capabilities has;
    OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof has, &has, NULL));
    CHECK(has == (CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT));
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof preferred, &preferred, NULL));
    CHECK(most >= 256 * 1024 && preferred >= 16 * 1024 && preferred <= most);
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    on_device(0, 1024, &error);
    CHECK(error == CL_INVALID_VALUE);
    on_device(out_of_order, most + 1, &error);
    CHECK(error == CL_INVALID_QUEUE_PROPERTIES);
    const cl_queue_properties of_host[] = { CL_QUEUE_SIZE, 1024, 0 };
    clCreateCommandQueueWithProperties(context, device, of_host, &error);
    CHECK(error == CL_INVALID_VALUE);

    /* Without a default queue kernels get none. */
    cl_command_queue found = queue;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
    CHECK(found == NULL);
    cl_mem out = ints(4);
    cl_kernel to_default = kernel("to_default");
    OK(clSetKernelArg(to_default, 0, sizeof out, &out));
    int values[4];
    run(queue, to_default, 1);
    read_ints(out, 3, values);
    CHECK(values[0] == 1 && values[1] == -101 && values[2] == 0);

    cl_command_queue first = on_device(out_of_order | CL_QUEUE_ON_DEVICE_DEFAULT, 20000, &error);
    CHECK(error == CL_SUCCESS);
    cl_command_queue same = on_device(out_of_order | CL_QUEUE_ON_DEVICE_DEFAULT, 40000, &error);
    CHECK(error == CL_SUCCESS && same == first);
    OK(clReleaseCommandQueue(same));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
    OK(clGetCommandQueueInfo(first, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    CHECK(found == first && size == 20000);
    CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL) == CL_INVALID_COMMAND_QUEUE);
    CHECK(clFinish(first) == CL_INVALID_COMMAND_QUEUE && clFlush(first) == CL_INVALID_COMMAND_QUEUE);
    CHECK(clEnqueueReadBuffer(first, out, CL_TRUE, 0, 4, values, 0, NULL, NULL) == CL_INVALID_COMMAND_QUEUE);
    run(queue, to_default, 1);
    read_ints(out, 3, values);
    CHECK(values[0] == 0 && values[1] == 0 && values[2] == 7);

    cl_command_queue second = on_device(out_of_order, 1024, &error);
    CHECK(error == CL_SUCCESS);
    CHECK(clSetDefaultDeviceCommandQueue(context, device, queue) == CL_INVALID_COMMAND_QUEUE);
    OK(clSetDefaultDeviceCommandQueue(context, device, second));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
    CHECK(found == second);
    OK(clSetDefaultDeviceCommandQueue(context, device, first));

    cl_kernel to_queues = kernel("to_queues");
    cl_mem counts = ints(64);
    CHECK(clSetKernelArg(to_queues, 0, sizeof queue, &queue) == CL_INVALID_DEVICE_QUEUE);
    CHECK(clSetKernelArg(to_queues, 0, sizeof queue, NULL) == CL_INVALID_DEVICE_QUEUE);
    CHECK(clSetKernelArg(to_queues, 0, 4, &first) == CL_INVALID_ARG_SIZE);
    OK(clSetKernelArg(to_queues, 0, sizeof first, &first));
    OK(clSetKernelArg(to_queues, 1, sizeof second, &second));
    OK(clSetKernelArg(to_queues, 2, sizeof counts, &counts));
    run(queue, to_queues, 64);
    int each[64];
    read_ints(counts, 64, each);
    for (int i = 0; i < 64; i++) CHECK(each[i] == 4);
    OK(clReleaseCommandQueue(second));
    OK(clReleaseKernel(to_queues));
    OK(clReleaseKernel(to_default));
    OK(clReleaseMemObject(counts));
    OK(clReleaseMemObject(out));
}

/* Blocks are no kernels of the program. */
static void names(void)
{
    size_t count;
    char text[512];
    cl_int error;
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(count == 10 && !strstr(text, "block"));
    clCreateKernel(program, "__full_block_invoke_3_kernel", &error);
    CHECK(error == CL_INVALID_KERNEL_NAME);
}

/* Every child that has found room runs, and every other one is an error of 'enqueue_kernel'. */
static void full_queue(void)
{
    cl_kernel full = kernel("full");
    const size_t items = 100000;
    for (int round = 0; round < 2; round++) {
        cl_mem out = ints(3);
        OK(clSetKernelArg(full, 0, sizeof out, &out));
        run(queue, full, items);
        int values[3];
        read_ints(out, 3, values);
        CHECK(values[0] == values[2] && values[1] > 0 && values[1] + values[2] == (int)items);
        OK(clReleaseMemObject(out));
    }
    OK(clReleaseKernel(full));
}

/* Families of several queues of the host do not meet. */
static void several_queues(void)
{
    enum { COUNT = 4 };
    cl_int error;
    cl_command_queue all[COUNT];
    cl_mem sums[COUNT];
    cl_kernel tree = kernel("tree");
    for (int i = 0; i < COUNT; i++) {
        all[i] = clCreateCommandQueueWithProperties(context, device, NULL, &error);
        CHECK(error == CL_SUCCESS);
        sums[i] = ints(1);
    }
    OK(clFinish(queue));
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < COUNT; i++) {
            OK(clSetKernelArg(tree, 0, sizeof sums[i], &sums[i]));
            OK(clSetKernelArg(tree, 1, sizeof i, &i));
            run(all[i], tree, 1);
        }
    int expected = 0, power = 1;
    for (int i = 0; i < COUNT; i++, power *= 3) {
        expected += power;
        OK(clFinish(all[i]));
        int sum;
        read_ints(sums[i], 1, &sum);
        CHECK(sum == 3 * expected);
        OK(clReleaseMemObject(sums[i]));
        OK(clReleaseCommandQueue(all[i]));
    }
    OK(clReleaseKernel(tree));
}

static void events(void)
{
    cl_uint most;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof most, &most, NULL));
    CHECK(most >= 1024);
    cl_kernel make = kernel("events");
    cl_mem out = ints(2);
    OK(clSetKernelArg(make, 0, sizeof out, &out));
    cl_int keeps = 0;
    OK(clSetKernelArg(make, 1, sizeof keeps, &keeps));
    for (int round = 0; round < 3; round++) run(queue, make, most);
    int values[2];
    read_ints(out, 2, values);
    CHECK(values[0] == 0 && values[1] == 3 * (int)most);
    keeps = 1;
    OK(clSetKernelArg(make, 1, sizeof keeps, &keeps));
    run(queue, make, most - 1000);
    run(queue, make, 3000);
    read_ints(out, 2, values);
    CHECK(values[0] == 2000 && values[1] == 4 * (int)most);
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(make));
}

static void times(void)
{
    cl_kernel measured = kernel("times");
    cl_mem out = ints(2 * 66);
    OK(clSetKernelArg(measured, 0, sizeof out, &out));
    run(queue, measured, 1);
    uint64_t values[66];
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(values[0] > 0 && values[1] >= values[0] && values[1] < 1000000000u);
    for (int i = 2; i < 66; i++) CHECK(values[i] == 1);
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(measured));
}

static void known(void)
{
    cl_kernel asking = kernel("known");
    cl_mem times = ints(8), out = ints(3);
    OK(clSetKernelArg(asking, 0, sizeof times, &times));
    OK(clSetKernelArg(asking, 1, sizeof out, &out));
    run(queue, asking, 1);
    int values[3];
    read_ints(out, 3, values);
    CHECK(values[0] == 1 && values[1] == 1 && values[2] == 1);
    OK(clReleaseMemObject(times));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(asking));
}

static void complete(void)
{
    cl_kernel family = kernel("complete");
    cl_mem out = ints(2), times = ints(4);
    OK(clSetKernelArg(family, 0, sizeof out, &out));
    OK(clSetKernelArg(family, 1, sizeof times, &times));
    run(queue, family, 1);
    int values[2];
    uint64_t taken[2];
    read_ints(out, 2, values);
    CHECK(values[0] == 64 && values[1] == 64);
    OK(clEnqueueReadBuffer(queue, times, CL_TRUE, 0, sizeof taken, taken, 0, NULL, NULL));
    CHECK(taken[0] > 0 && taken[1] > taken[0]);
    OK(clReleaseMemObject(out));
    OK(clReleaseMemObject(times));
    OK(clReleaseKernel(family));
}

static void refused(void)
{
    cl_kernel family = kernel("refused");
    cl_mem out = ints(4);
    cl_ulong most;
    OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL));
    cl_uint bytes = (cl_uint)most + 4096;
    OK(clSetKernelArg(family, 0, sizeof out, &out));
    OK(clSetKernelArg(family, 1, sizeof bytes, &bytes));
    const size_t one = 1;
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, family, 1, NULL, &one, NULL, 0, NULL, &event));
    CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    int values[4];
    read_ints(out, 4, values);
    CHECK(values[0] != 0 && values[1] == 1 && values[3] == 0);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(family));
}

/* A child that can never run is an error of its family, and nothing waits for ever. */
static void stuck(void)
{
    cl_kernel waits = kernel("stuck");
    cl_mem out = ints(2);
    OK(clSetKernelArg(waits, 0, sizeof out, &out));
    const size_t one = 1;
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, waits, 1, NULL, &one, NULL, 0, NULL, &event));
    cl_int status;
    CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status < 0);
    int values[2];
    read_ints(out, 2, values);
    CHECK(values[0] == 0 && values[1] == 0);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(waits));
}

int main(void)
{
    begin(source);
    names();
    queues();
    full_queue();
    several_queues();
    times();
    known();
    complete();
    refused();
    stuck();
    events();
    end();
    return 0;
}
