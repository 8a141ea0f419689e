/* Commands that are flushed one by one end one by one: also those that have waited for an event of the user together. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>

enum { COUNT = 8 };

static const char *source = "kernel void count(global uint *a, uint n) {\n"
                            "    uint x = get_global_id(0);\n"
                            "    for (uint i = 0; i < n; i++) x = x * 1664525u + (x >> 13);\n"
                            "    a[get_global_id(0)] = x;\n"
                            "}\n";

static cl_context context;
static cl_device_id device;
static cl_kernel kernel;

static cl_int status(cl_event event)
{
    cl_int value;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, NULL) == 0, "a status");
    return value;
}

/* Whether the last of several commands was seen not to have ended when the first ones had. */
static int ends_one_by_one(cl_command_queue_properties kind, int is_gated)
{
    int seen = 1;
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, kind, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, NULL);
    check(queue != NULL, "a queue");
    size_t items = 32768;
    cl_event events[COUNT], gate = clCreateUserEvent(context, NULL);
    for (int i = 0; i < COUNT; i++) {
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, is_gated, is_gated ? &gate : NULL, &events[i]) == 0,
              "a launch");
        check(clFlush(queue) == 0, "a flush");
    }
    check(clSetUserEventStatus(gate, CL_COMPLETE) == 0, "the user's event");
    for (int i = 0; i < COUNT; i++) {
        check(clWaitForEvents(1, &events[i]) == 0 && status(events[i]) == CL_COMPLETE, "a wait");
        if (i < COUNT / 2)
            seen &= status(events[COUNT - 1]) != CL_COMPLETE;
    }
    for (int i = 0; i < COUNT; i++)
        check(clReleaseEvent(events[i]) == 0, "the release");
    check(clReleaseEvent(gate) == 0 && clReleaseCommandQueue(queue) == 0, "the release");
    return seen;
}

/* Others may end while this thread is not executed, on a busy machine also all of them, but hardly each time. */
static void check_queue(cl_command_queue_properties kind, int is_gated)
{
    int seen = 0;
    for (int i = 0; i < 8 && !seen; i++)
        seen = ends_one_by_one(kind, is_gated);
    check(seen, "the last one ends with an earlier one");
}

int main(void)
{
    cl_platform_id platform;
    check(clGetPlatformIDs(1, &platform, NULL) == 0, "the platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0, "the device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == 0, "the build");
    kernel = clCreateKernel(program, "count", NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 32768 * sizeof(cl_uint), NULL, NULL);
    cl_uint n = 10000;
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == 0 && clSetKernelArg(kernel, 1, sizeof n, &n) == 0, "arguments");
    /* The first launch compiles the kernel in the driver while the others come. */
    for (int is_gated = 0; is_gated < 2; is_gated++) {
        check_queue(0, is_gated);
        check_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, is_gated);
    }
    puts("passed");
    return 0;
}
