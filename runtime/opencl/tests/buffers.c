/* A program of OpenCL 1.2: what it prints and whether it succeeds is checked by `loader.rs`. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "check.h"
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

#define COUNT 1000

static void CL_CALLBACK completed(cl_event event, cl_int status, void *data)
{
    (void)event;
    *(volatile int *)data = status == CL_COMPLETE ? 1 : -1;
}

static const char *source =
    "kernel void scale(global const float *a, global float *b, float by, local float *t)\n"
    "{\n"
    "    int i = get_global_id(0), l = get_local_id(0);\n"
    "    t[l] = a[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    b[i] = t[l] * by;\n"
    "    if (i == 3) printf(\"element %d\\n\", i);\n"
    "}\n";

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    char name[64];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS, "platform name");
    check(strcmp(name, "clforge") == 0, "name of the platform");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 3, name, NULL) == CL_INVALID_VALUE, "a value without room");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code == CL_SUCCESS, "queue");

    float a[COUNT], b[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = i * 0.5f;
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a, &code);
    check(code == CL_SUCCESS, "source buffer");
    cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof b, NULL, &code);
    check(code == CL_SUCCESS, "target buffer");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) == CL_SUCCESS, "build");
    cl_kernel kernel = clCreateKernel(program, "scale", &code);
    check(code == CL_SUCCESS, "kernel");

    float by = 3;
    check(clSetKernelArg(kernel, 0, sizeof from, &from) == CL_SUCCESS, "argument 0");
    check(clSetKernelArg(kernel, 1, sizeof to, &to) == CL_SUCCESS, "argument 1");
    check(clSetKernelArg(kernel, 2, 2, &by) == CL_INVALID_ARG_SIZE, "an argument of another size");
    check(clSetKernelArg(kernel, 2, sizeof by, &by) == CL_SUCCESS, "argument 2");
    check(clSetKernelArg(kernel, 4, sizeof by, &by) == CL_INVALID_ARG_INDEX, "an argument too many");
    size_t global = COUNT, local = 10, uneven = 7;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) == CL_INVALID_KERNEL_ARGS,
          "a launch without all arguments");
    check(clSetKernelArg(kernel, 3, local * sizeof(float), NULL) == CL_SUCCESS, "argument 3");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &uneven, 0, NULL, NULL) == CL_INVALID_WORK_GROUP_SIZE,
          "a local size that does not divide");

    /* The kernel waits for a user event of this thread: nothing may block before it is set. */
    volatile int called = 0;
    cl_event gate = clCreateUserEvent(context, &code), launched, read;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 1, &gate, &launched) == CL_SUCCESS, "launch");
    check(clSetEventCallback(launched, CL_COMPLETE, completed, (void *)&called) == CL_SUCCESS, "callback");
    check(clEnqueueReadBuffer(queue, to, CL_FALSE, 0, sizeof b, b, 0, NULL, &read) == CL_SUCCESS, "read");
    cl_int status;
    clGetEventInfo(launched, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    check(status == CL_QUEUED, "the launch waits");
    check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "user event");
    check(clWaitForEvents(1, &read) == CL_SUCCESS, "wait");
    for (int i = 0; i < COUNT; i++) check(b[i] == a[i] * 3, "result");
    check(called == 1, "the callback was called");
    cl_ulong times[4];
    for (int i = 0; i < 4; i++)
        check(clGetEventProfilingInfo(launched, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL) == 0,
              "times");
    check(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3], "times in order");

    /* What depends on a failed event fails too. */
    cl_event failing = clCreateUserEvent(context, &code), dependent;
    check(clEnqueueMarkerWithWaitList(queue, 1, &failing, &dependent) == CL_SUCCESS, "marker");
    check(clSetUserEventStatus(failing, -5) == CL_SUCCESS, "failed user event");
    check(clWaitForEvents(1, &dependent) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a failed dependent");

    float *mapped = clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 16, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS && mapped[0] == a[2] * 3, "map");
    mapped[1] = -1;
    check(clEnqueueUnmapMemObject(queue, to, mapped, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    check(clEnqueueReadBuffer(queue, to, CL_TRUE, 12, 4, b, 0, NULL, NULL) == CL_SUCCESS && b[0] == -1, "written map");
    check(clEnqueueUnmapMemObject(queue, to, mapped, 0, NULL, NULL) == CL_INVALID_VALUE, "unmapped twice");

    cl_program wrong = clCreateProgramWithSource(context, 1, &(const char *){"kernel void k() { x; }"}, NULL, &code);
    check(clBuildProgram(wrong, 0, NULL, NULL, NULL, NULL) == CL_BUILD_PROGRAM_FAILURE, "a program with an error");
    char log[1000];
    check(clGetProgramBuildInfo(wrong, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) == CL_SUCCESS, "log");
    check(strstr(log, "use of undeclared identifier 'x'") != NULL, "the log names the error");

    check(clReleaseEvent(read) == CL_SUCCESS && clReleaseEvent(launched) == CL_SUCCESS, "release events");
    check(clReleaseEvent(gate) == CL_SUCCESS && clReleaseEvent(failing) == CL_SUCCESS, "release user events");
    check(clReleaseEvent(dependent) == CL_SUCCESS && clReleaseProgram(wrong) == CL_SUCCESS, "release program");
    check(clReleaseKernel(kernel) == CL_SUCCESS && clReleaseProgram(program) == CL_SUCCESS, "release kernel");
    check(clReleaseMemObject(from) == CL_SUCCESS && clReleaseMemObject(to) == CL_SUCCESS, "release buffers");
    check(clReleaseCommandQueue(queue) == CL_SUCCESS && clReleaseContext(context) == CL_SUCCESS, "release context");
    check(clReleaseContext(context) == CL_INVALID_CONTEXT, "released twice");
    printf("passed\n");
    return 0;
}
