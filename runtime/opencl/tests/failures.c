/* A kernel that fails is reported by clFinish, also if commands behind it succeed, and once. lavapipe 22.3 ends loops after 65,535
   iterations, of which the driver makes up to 16 one, and the kernel fails; other devices execute the loop to its end. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>

#define OK(call) check((call) == CL_SUCCESS, #call)

static const char *source =
    "kernel void count(global uint *a, global const uint *n) { uint x = n[1], s = 0; while (x != n[0]) { x = x * 1664525u + n[2]; s++; } a[0] = s; }"
    "kernel void add(global uint *a) { a[1]++; }";

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    OK(code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel count = clCreateKernel(program, "count", &code), add = clCreateKernel(program, "add", &code);
    OK(code);
    cl_uint results[2] = {0, 0}, bounds[3] = {5, 5, 1013904223u}, expected = 3000000;
    for (cl_uint i = 0; i < expected; i++)
        bounds[0] = bounds[0] * 1664525u + bounds[2];
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof results, results, &code);
    cl_mem n = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof bounds, bounds, &code);
    OK(code);
    OK(clSetKernelArg(count, 0, sizeof a, &a));
    OK(clSetKernelArg(count, 1, sizeof n, &n));
    OK(clSetKernelArg(add, 0, sizeof a, &a));
    size_t one = 1;
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, count, 1, NULL, &one, NULL, 0, NULL, &event));
    for (int i = 0; i < 3; i++)
        OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &one, NULL, 0, NULL, NULL));
    cl_int finished = clFinish(queue), status = 1;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    check(status == CL_COMPLETE || status < 0, "the event has ended");
    check((finished == CL_SUCCESS) == (status == CL_COMPLETE), "clFinish tells of the kernel's failure");
    check(finished == CL_SUCCESS || finished == CL_OUT_OF_RESOURCES, "its code");
    OK(clFinish(queue));
    OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    check(results[1] == 3, "what was behind it");
    check(status < 0 || results[0] == expected, "the number of iterations");
    puts(status < 0 ? "failed" : "passed");
    return 0;
}
