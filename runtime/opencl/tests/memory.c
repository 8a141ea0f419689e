/* Buffers until the process has no addresses left: the last one is refused, and the program goes on. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <sys/resource.h>

enum { SIZE = 64 << 20, MOST = 4096 };

int main(void)
{
    struct rlimit limit = {3ul << 30, 3ul << 30};
    check(setrlimit(RLIMIT_AS, &limit) == 0, "the limit");
    cl_platform_id platform;
    cl_device_id device;
    check(clGetPlatformIDs(1, &platform, NULL) == 0, "the platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0, "the device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    char *contents = calloc(1, SIZE), last = 1;
    static cl_mem buffers[MOST];
    cl_int error = 0;
    int count = 0;
    while (count < MOST && (buffers[count] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, contents, &error)))
        count++;
    check(error == CL_MEM_OBJECT_ALLOCATION_FAILURE, "the error of the last one");
    check(count > 8, "buffers before it");
    contents[SIZE - 1] = 7;
    cl_mem first = buffers[0], second = buffers[1];
    check(clEnqueueWriteBuffer(queue, first, CL_TRUE, SIZE - 1, 1, contents + SIZE - 1, 0, NULL, NULL) == 0, "a write");
    check(clReleaseMemObject(second) == 0 && clReleaseMemObject(buffers[2]) == 0, "the release");
    buffers[1] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, contents, &error);
    check(buffers[1] && error == 0, "a buffer after the release");
    check(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, SIZE - 1, 1, &last, 0, NULL, NULL) == 0 && last == 7, "a read");
    puts("passed");
    return 0;
}
