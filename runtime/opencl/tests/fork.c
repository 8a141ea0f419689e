/* Children of a process. One that is forked before the process has used a device can use OpenCL; in one that is forked later each
   call fails and returns, and the process ends as usual. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;

static void use_device(void)
{
    cl_int code, seven = 7, seen = 0;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    buffer = clCreateBuffer(context, 0, 64, NULL, &code);
    check(clEnqueueFillBuffer(queue, buffer, &seven, sizeof seven, 0, 64, 0, NULL, NULL) == CL_SUCCESS, "fill");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 4, sizeof seen, &seen, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(seen == 7, "what was filled");
}

static void fail_everywhere(void)
{
    cl_int code = 0, seen;
    check(clFinish(queue) == CL_OUT_OF_RESOURCES, "clFinish");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof seen, &seen, 0, NULL, NULL) == CL_OUT_OF_RESOURCES, "read");
    check(!clCreateBuffer(context, 0, 64, NULL, &code) && code == CL_OUT_OF_RESOURCES, "clCreateBuffer");
    check(clReleaseMemObject(buffer) == CL_SUCCESS, "clReleaseMemObject");
}

/* Waits for a child that calls a function, and ends by `exit`. */
static void in_child(void (*function)(void), const char *what)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        alarm(30);
        function();
        exit(0);
    }
    check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, what);
}

int main(void)
{
    char name[256];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) == CL_SUCCESS, "name");
    in_child(use_device, "a child of a process that has asked for devices");
    use_device();
    in_child(fail_everywhere, "a child of a process that has used a device");
    /* The parent goes on. */
    use_device();
    puts("passed");
    return 0;
}
