/* What tests of kernels that enqueue others have: a device with a queue of the host, a program, and memory for integers. */
#ifndef ENQUEUE_H
#define ENQUEUE_H

#include "check.h"
#include <CL/cl.h>

#define CHECK(condition) check(condition, #condition)
#define OK(call) check((call) == CL_SUCCESS, #call)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void begin(const char *source)
{
    cl_int error;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    CHECK(error == CL_SUCCESS);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    CHECK(error == CL_SUCCESS);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    CHECK(error == CL_SUCCESS);
    if (clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) != CL_SUCCESS) {
        static char text[8192];
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
        check(0, text);
    }
}

static void end(void)
{
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

static cl_kernel kernel(const char *name)
{
    cl_int error;
    cl_kernel made = clCreateKernel(program, name, &error);
    CHECK(error == CL_SUCCESS);
    return made;
}

static cl_mem ints(size_t count)
{
    cl_int error, zero = 0;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * count, NULL, &error);
    CHECK(error == CL_SUCCESS);
    OK(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 4 * count, 0, NULL, NULL));
    return buffer;
}

#endif
