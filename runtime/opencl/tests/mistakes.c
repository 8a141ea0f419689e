/* Kernels with mistakes that sanitizers find, and the host's own output, which is not flushed before the exit. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <stdio.h>

static const char *source =
    "kernel void past_the_end(global int *a) { a[get_global_id(0) + 1] = 1; }\n"
    "kernel void neighbours(global int *a) {\n"
    "    size_t i = get_global_id(0);\n"
    "    a[i] = a[(i + 64) % get_global_size(0)] + 1; // clforge: benign-race\n"
    "}\n";

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    const size_t items = 256;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "a device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "a program");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * items, NULL, &error);
    const char *names[] = { "past_the_end", "neighbours" };
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = clCreateKernel(program, names[i], &error);
        check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "an argument");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
        clReleaseKernel(kernel);
    }
    check(clFinish(queue) == CL_SUCCESS, "the end");
    printf("finished\n");
    return 0;
}
