/* Calls at the end of the process, when the data that threads have of their own are gone already: destructors of static
   objects of programs in C++ make them. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>

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

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    check(atexit(at_exit) == 0, "a handler");
    return 0;
}
