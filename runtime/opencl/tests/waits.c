/* Commands that have nothing to execute, or that the host executes, end after the events of another queue that they wait for: where
   their own queue is idle, and where it is busy with shorter work. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition)) {                                                                                                    \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                            \
            exit(1);                                                                                                           \
        }                                                                                                                      \
    } while (0)

static const char *source = "kernel void count(global uint *a, uint n) {\n"
                            "    uint x = get_global_id(0);\n"
                            "    for (uint i = 0; i < n; i++) x = x * 1664525u + (x >> 13);\n"
                            "    a[get_global_id(0)] = x;\n"
                            "}\n";

static cl_context context;
static cl_command_queue first, second;
static cl_kernel kernel;
static cl_mem buffers[2];

static cl_event launch(cl_command_queue queue, int which, size_t items)
{
    cl_uint n = 10000;
    cl_event event;
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[which]) == 0 && clSetKernelArg(kernel, 1, sizeof n, &n) == 0);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event) == 0);
    return event;
}

static double seconds(void)
{
    struct timespec now;
    CHECK(timespec_get(&now, TIME_UTC) == TIME_UTC);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* What waits: a marker, a barrier, a map that reads nothing, an unmap of what was not written. */
static void wait_for(cl_event event, int how)
{
    double start = seconds();
    cl_event own;
    cl_int error;
    void *mapped = NULL;
    if (how == 3)
        mapped = clEnqueueMapBuffer(second, buffers[1], CL_TRUE, CL_MAP_READ, 0, 256, 0, NULL, NULL, &error);
    switch (how) {
    case 0: CHECK(clEnqueueMarkerWithWaitList(second, 1, &event, &own) == 0); break;
    case 1: CHECK(clEnqueueBarrierWithWaitList(second, 1, &event, &own) == 0); break;
    case 2:
        mapped = clEnqueueMapBuffer(second, buffers[1], CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 256, 1, &event, &own, &error);
        CHECK(mapped && error == 0);
        break;
    default: CHECK(clEnqueueUnmapMemObject(second, buffers[1], mapped, 1, &event, &own) == 0);
    }
    CHECK(clWaitForEvents(1, &own) == 0);
    double middle = seconds();
    CHECK(clWaitForEvents(1, &event) == 0);
    /* Its own queue may notice the end a little later. */
    CHECK(seconds() - middle < middle - start);
    if (how == 2)
        CHECK(clEnqueueUnmapMemObject(second, buffers[1], mapped, 0, NULL, NULL) == 0);
    CHECK(clFinish(second) == 0 && clReleaseEvent(own) == 0);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    CHECK(clGetPlatformIDs(1, &platform, NULL) == 0 && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    first = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    second = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL) == 0);
    kernel = clCreateKernel(program, "count", NULL);
    for (int i = 0; i < 2; i++)
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, 65536 * sizeof(cl_uint), NULL, NULL);
    for (int how = 0; how < 4; how++)
        for (int is_busy = 0; is_busy < 2; is_busy++) {
            cl_event own = is_busy ? launch(second, 1, 4096) : NULL;
            cl_event other = launch(first, 0, 65536);
            CHECK(clFlush(first) == 0);
            wait_for(other, how);
            CHECK(clReleaseEvent(other) == 0 && (!own || clReleaseEvent(own) == 0));
        }
    puts("passed");
    return 0;
}
