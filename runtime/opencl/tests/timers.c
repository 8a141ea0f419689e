/* Timers of devices and of the host: both go on as the system's clock does, and the times of events are on the device's. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <math.h>
#include <time.h>

enum { COUNT = 256 };

static const char *source = "kernel void count(global uint *a) { a[get_global_id(0)] += 1; }";

static double seconds(void)
{
    struct timespec now;
    check(clock_gettime(CLOCK_MONOTONIC, &now) == 0, "the system's clock");
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cl_ulong device_time(cl_device_id device)
{
    cl_ulong of_device = 0, of_host = 0, before = 0, after = 0;
    check(clGetHostTimer(device, &before) == CL_SUCCESS, "the host's timer");
    check(clGetDeviceAndHostTimer(device, &of_device, &of_host) == CL_SUCCESS, "both timers");
    check(clGetHostTimer(device, &after) == CL_SUCCESS && before <= of_host && of_host <= after, "the host's timer is one");
    return of_device;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    cl_ulong resolution = 0, of_device[2], of_host[2], time;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetPlatformInfo(platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution, &resolution, NULL) == CL_SUCCESS, "resolution");
    check(resolution > 0 && resolution < 1000000, "less than a millisecond");
    check(clGetHostTimer(NULL, &time) == CL_INVALID_DEVICE && clGetDeviceAndHostTimer(NULL, &time, &time) == CL_INVALID_DEVICE, "no device");
    check(clGetHostTimer(device, NULL) == CL_INVALID_VALUE, "nowhere to write");
    check(clGetDeviceAndHostTimer(device, NULL, &time) == CL_INVALID_VALUE, "nowhere to write the device's");
    check(clGetDeviceAndHostTimer(device, &time, NULL) == CL_INVALID_VALUE, "nowhere to write the host's");

    /* The interval between two pairs is that of the system, within the time that the calls take. */
    const struct timespec pause = {0, 50000000};
    double outer = seconds();
    check(clGetDeviceAndHostTimer(device, of_device, of_host) == CL_SUCCESS, "the first pair");
    double inner = seconds();
    nanosleep(&pause, NULL);
    inner = seconds() - inner;
    check(clGetDeviceAndHostTimer(device, of_device + 1, of_host + 1) == CL_SUCCESS, "the second pair");
    outer = seconds() - outer;
    const double passed[] = {1e-9 * (double)(of_device[1] - of_device[0]), 1e-9 * (double)(of_host[1] - of_host[0])};
    for (int i = 0; i < 2; i++) check(passed[i] >= inner - 1e-6 && passed[i] <= outer + 1e-6, "the time that has passed");

    /* The times of an event are between those before it was enqueued and after it was awaited. */
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "program");
    cl_kernel kernel = clCreateKernel(program, "count", &code);
    cl_mem memory = clCreateBuffer(context, 0, 4 * COUNT, NULL, &code);
    check(code == CL_SUCCESS && clSetKernelArg(kernel, 0, sizeof memory, &memory) == CL_SUCCESS, "kernel");
    for (int turn = 0; turn < 20; turn++) {
        const size_t count = COUNT;
        cl_event event;
        cl_ulong before = device_time(device), last = before;
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event) == CL_SUCCESS, "launch");
        check(clWaitForEvents(1, &event) == CL_SUCCESS, "wait");
        cl_ulong after = device_time(device);
        for (cl_uint name = CL_PROFILING_COMMAND_QUEUED; name <= CL_PROFILING_COMMAND_END; name++) {
            check(clGetEventProfilingInfo(event, name, sizeof time, &time, NULL) == CL_SUCCESS, "a time of the event");
            check(last <= time && time <= after, "times are in order");
            last = time;
        }
        clReleaseEvent(event);
    }
    puts("passed");
    return 0;
}
