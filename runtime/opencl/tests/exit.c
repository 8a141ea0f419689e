/* The end of the process. Calls of handlers of `atexit`, when the data that threads have of their own are gone already, as
   destructors of static objects of programs in C++ make them: "late" registers the handler last, so that it runs first; "early"
   before the first call of OpenCL. "left" leaves commands that are not complete, and releases nothing. With "joined", a handler
   waits for a thread that waits for commands. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <pthread.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void at_exit(void)
{
    char name[256];
    cl_int code, value = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) != CL_SUCCESS) _Exit(2);
    if (clGetDeviceInfo(device, 1, sizeof name, name, NULL) != CL_INVALID_VALUE) _Exit(3);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &code);
    if (code != CL_SUCCESS) _Exit(4);
    if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) != CL_SUCCESS) _Exit(5);
    if (clReleaseMemObject(buffer) != CL_SUCCESS || clReleaseCommandQueue(queue) != CL_SUCCESS) _Exit(6);
    if (clReleaseContext(context) != CL_SUCCESS) _Exit(7);
    puts("released");
}

static pthread_t thread;
static volatile int has_started;

static void *finish(void *unused)
{
    has_started = 1;
    if (clFinish(queue) != CL_SUCCESS) _Exit(8);
    return unused;
}

static void join(void)
{
    if (pthread_join(thread, NULL) != 0) _Exit(9);
    puts("joined");
}

/* Launches that take a while, on queues of which some are released. */
static void leave_commands(void)
{
    const char *source = "kernel void k(global uint *a) { uint x = get_global_id(0);"
                         " for (int i = 0; i < 1000; i++) x = x * 1664525 + 1013904223; a[get_global_id(0)] = x; }";
    size_t size = 16384;
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "build");
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size * 4, NULL, &code);
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "argument");
    for (int i = 0; i < 6; i++) {
        cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, &code);
        check(code == CL_SUCCESS, "queue");
        for (int j = 0; j < 50; j++)
            check(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
        check(clFlush(other) == CL_SUCCESS, "flush");
        if (i % 2) clReleaseCommandQueue(other);
    }
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_int code;
    const char *when = count > 1 ? arguments[1] : "late";
    if (!strcmp(when, "early")) check(atexit(at_exit) == 0, "a handler");
    if (!strcmp(when, "joined")) check(atexit(join) == 0, "a handler");
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    if (!strcmp(when, "late")) check(atexit(at_exit) == 0, "a handler");
    if (!strcmp(when, "left")) leave_commands();
    if (!strcmp(when, "joined")) {
        cl_event event = clCreateUserEvent(context, &code);
        leave_commands();
        check(clEnqueueMarkerWithWaitList(queue, 1, &event, NULL) == CL_SUCCESS, "marker");
        check(pthread_create(&thread, NULL, finish, NULL) == 0, "thread");
        while (!has_started) {}
        check(clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS, "event");
    }
    return 0;
}
