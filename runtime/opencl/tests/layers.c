/* The extensions that are layers of the host: semaphores (cl_khr_semaphore) and command buffers (cl_khr_command_buffer). */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include "layers.h"
#include <CL/cl.h>
#include <stdint.h>
#include <string.h>

enum { COUNT = 1024 };
static const size_t count = COUNT, bytes = COUNT * sizeof(cl_int);
static const char *source = "kernel void add(global int *to, global const int *from, int term) {\n"
                            "    to[get_global_id(0)] += from[get_global_id(0)] * 2 + term;\n"
                            "}\n";
static cl_context context;
static cl_device_id device;

/* Every element of a buffer. */
static void expect(cl_command_queue queue, cl_mem buffer, cl_int value, const char *what)
{
    static cl_int read[COUNT];
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, read, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (size_t i = 0; i < count; i++) check(read[i] == value, what);
}

static cl_command_queue new_queue(cl_command_queue_properties properties)
{
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &code);
    check(code == CL_SUCCESS, "queue");
    return queue;
}

static cl_ulong payload(handle semaphore)
{
    cl_ulong value = 9;
    check(semaphore_info(semaphore, SEMAPHORE_PAYLOAD, sizeof value, &value, NULL) == CL_SUCCESS, "payload");
    return value;
}

static void semaphores(cl_mem buffer)
{
    cl_int code, one = 1, two = 2;
    cl_ulong type[] = {SEMAPHORE_TYPE, BINARY, 0}, twice[] = {SEMAPHORE_TYPE, BINARY, SEMAPHORE_TYPE, BINARY, 0}, none[] = {0};
    cl_ulong unknown[] = {0x1234, 1, 0};
    check(!create_semaphore(NULL, type, &code) && code == CL_INVALID_CONTEXT, "no context");
    check(!create_semaphore(context, NULL, &code) && code == CL_INVALID_VALUE, "no properties");
    check(!create_semaphore(context, none, &code) && code == CL_INVALID_VALUE, "no type");
    check(!create_semaphore(context, twice, &code) && code == CL_INVALID_PROPERTY, "a property twice");
    check(!create_semaphore(context, unknown, &code) && code == CL_INVALID_PROPERTY, "an unknown property");
    handle semaphore = create_semaphore(context, type, &code);
    check(code == CL_SUCCESS && payload(semaphore) == 0, "semaphore");
    cl_command_queue first = new_queue(0), second = new_queue(0);
    check(wait_semaphores(first, 0, NULL, NULL, 0, NULL, NULL) == CL_INVALID_VALUE, "no semaphores");
    check(wait_semaphores(first, 1, (handle *)&first, NULL, 0, NULL, NULL) == INVALID_SEMAPHORE, "a queue as a semaphore");

    /* What the first queue does before its signal, behind an event of the host, comes before what the second does after its
       wait; the wait is enqueued after the signal and before it. */
    for (int is_early = 0; is_early < 2; is_early++) {
        cl_event user = clCreateUserEvent(context, &code);
        if (is_early) check(wait_semaphores(second, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS, "wait before");
        check(clEnqueueFillBuffer(first, buffer, &one, sizeof one, 0, bytes, 1, &user, NULL) == CL_SUCCESS, "first");
        check(signal_semaphores(first, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS, "signal");
        check(payload(semaphore) == 0, "not signaled yet");
        if (!is_early) check(wait_semaphores(second, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS, "wait");
        check(clEnqueueFillBuffer(second, buffer, &two, sizeof two, 0, bytes, 0, NULL, NULL) == CL_SUCCESS, "second");
        check(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS, "event of the host");
        expect(second, buffer, 2, "the second queue's value");
        check(payload(semaphore) == 0, "waited for");
        clReleaseEvent(user);
    }
    check(signal_semaphores(first, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS && clFinish(first) == CL_SUCCESS, "again");
    check(payload(semaphore) == 1, "signaled");
    check(release_semaphore(semaphore) == CL_SUCCESS && release_semaphore(semaphore) == INVALID_SEMAPHORE, "release");
    clReleaseCommandQueue(first);
    clReleaseCommandQueue(second);
}

/* Recorded for a queue of these properties, executed on it and on another one. */
static void command_buffer(cl_kernel kernel, cl_mem to, cl_mem from, cl_command_queue_properties properties)
{
    cl_int code, five = 5, zero = 0, term = 1;
    cl_uint points[4], state = 9, unknown = 77;
    cl_command_queue queue = new_queue(properties), other = new_queue(CL_QUEUE_PROFILING_ENABLE);
    handle buffer = create_buffer(1, &queue, NULL, &code);
    check(code == CL_SUCCESS, "command buffer");
    check(clSetKernelArg(kernel, 0, sizeof to, &to) == CL_SUCCESS, "argument");
    check(clSetKernelArg(kernel, 1, sizeof from, &from) == CL_SUCCESS, "argument");
    check(clSetKernelArg(kernel, 2, sizeof term, &term) == CL_SUCCESS, "argument");

    /* to = 0, from = 5, to += 11; a barrier; from = to = 11, to += 23: 34. */
    check(record_fill(buffer, NULL, NULL, to, &zero, 4, 0, bytes, 0, NULL, points, NULL) == CL_SUCCESS, "fill");
    check(record_fill(buffer, NULL, NULL, from, &five, 4, 0, bytes, 0, NULL, points + 1, NULL) == CL_SUCCESS, "fill");
    check(record_kernel(buffer, NULL, NULL, kernel, 1, NULL, &count, NULL, 2, points, points + 2, NULL) == CL_SUCCESS, "kernel");
    check(record_barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL) == CL_SUCCESS, "barrier");
    check(record_copy(buffer, NULL, NULL, to, from, 0, 0, bytes, 0, NULL, points + 3, NULL) == CL_SUCCESS, "copy");
    check(record_kernel(buffer, NULL, NULL, kernel, 1, NULL, &count, NULL, 1, points + 3, NULL, NULL) == CL_SUCCESS, "kernel");

    check(record_copy(buffer, NULL, NULL, to, from, 0, 4, bytes, 0, NULL, NULL, NULL) == CL_INVALID_VALUE, "past the end");
    check(record_copy(buffer, other, NULL, to, from, 0, 0, 4, 0, NULL, NULL, NULL) == CL_INVALID_COMMAND_QUEUE, "another queue");
    check(record_copy(buffer, NULL, NULL, to, from, 0, 0, 4, 1, NULL, NULL, NULL) == INVALID_SYNC_POINTS, "no sync-points");
    check(record_copy(buffer, NULL, NULL, to, from, 0, 0, 4, 1, &unknown, NULL, NULL) == INVALID_SYNC_POINTS, "sync-point");
    check(enqueue(0, NULL, buffer, 0, NULL, NULL) == CL_INVALID_OPERATION, "not finalized");
    check(finalize(buffer) == CL_SUCCESS && finalize(buffer) == CL_INVALID_OPERATION, "finalized once");
    check(record_barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL) == CL_INVALID_OPERATION, "finalized");
    check(buffer_info(buffer, COMMAND_BUFFER_STATE, sizeof state, &state, NULL) == CL_SUCCESS && state == 1, "executable");

    /* The arguments are those of the recording. */
    term = 1000;
    check(clSetKernelArg(kernel, 2, sizeof term, &term) == CL_SUCCESS, "argument");
    for (int turn = 0; turn < 3; turn++) {
        cl_event user = clCreateUserEvent(context, &code), event;
        cl_command_queue on = turn == 1 ? other : queue;
        check(clEnqueueFillBuffer(on, to, &five, 4, 0, bytes, 0, NULL, NULL) == CL_SUCCESS && !clFinish(on), "before");
        check(enqueue(turn == 1, turn == 1 ? &other : NULL, buffer, 1, &user, &event) == CL_SUCCESS, "enqueue");
        check(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "wait");
        expect(on, to, 34, "the sum of two launches");
        expect(on, from, 11, "the sum of one launch");
        cl_ulong times[4];
        for (cl_uint i = 0; turn == 1 && i < 4; i++) {
            code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, times + i, NULL);
            check(code == CL_SUCCESS && (i == 0 || times[i] >= times[i - 1]), "times");
        }
        clReleaseEvent(user);
        clReleaseEvent(event);
    }

    /* Nothing is executed after an event that has failed. */
    cl_event failed = clCreateUserEvent(context, &code), event;
    check(clEnqueueFillBuffer(queue, to, &five, 4, 0, bytes, 0, NULL, NULL) == CL_SUCCESS && !clFinish(queue), "before");
    check(enqueue(0, NULL, buffer, 1, &failed, &event) == CL_SUCCESS, "enqueue");
    check(clSetUserEventStatus(failed, -7) == CL_SUCCESS, "failure");
    check(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "the failure of the command buffer");
    expect(queue, to, 5, "what was there before");
    clReleaseEvent(failed);
    clReleaseEvent(event);

    check(release_buffer(buffer) == CL_SUCCESS && release_buffer(buffer) == INVALID_COMMAND_BUFFER, "release");
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
}

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    static char extensions[8192];
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    check(strstr(extensions, "cl_khr_semaphore") && strstr(extensions, "cl_khr_command_buffer"), "the extensions");
    find_layers(platform);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "program");
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    cl_mem to = clCreateBuffer(context, 0, bytes, NULL, &code), from = clCreateBuffer(context, 0, bytes, NULL, &code);
    check(code == CL_SUCCESS, "buffers");
    semaphores(to);
    command_buffer(kernel, to, from, 0);
    command_buffer(kernel, to, from, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    clReleaseMemObject(to);
    clReleaseMemObject(from);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
