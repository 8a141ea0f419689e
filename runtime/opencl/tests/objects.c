/* Rules of objects that the specification states apart from what they compute: lifetimes, properties and queries. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void CL_CALLBACK destroyed(cl_mem memory, void *data)
{
    (void)memory;
    ++*(volatile int *)data;
}

static const char *source =
    "kernel void store(global int *to, int value) { to[get_global_id(0)] = value; }\n";

/* A kernel does not keep its arguments alive, a command that was enqueued does. */
static void lifetime_of_arguments(cl_context context, cl_command_queue queue, cl_kernel kernel)
{
    volatile int count = 0;
    cl_int code, value = 7;
    size_t global = 4;
    cl_mem memory = clCreateBuffer(context, 0, 16, NULL, &code);
    check(code == CL_SUCCESS, "buffer");
    check(clSetMemObjectDestructorCallback(memory, destroyed, (void *)&count) == CL_SUCCESS, "destructor callback");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory) == CL_SUCCESS, "argument 0");
    check(clSetKernelArg(kernel, 1, sizeof value, &value) == CL_SUCCESS, "argument 1");
    cl_event gate = clCreateUserEvent(context, &code);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &gate, NULL) == CL_SUCCESS, "launch");
    check(clReleaseMemObject(memory) == CL_SUCCESS, "release");
    check(count == 0, "the command needs the buffer");
    check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "finish");
    for (int i = 0; i < 1000000000 && count == 0; i++) {}
    check(count == 1, "nothing needs the buffer any more");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL) == CL_INVALID_KERNEL_ARGS,
          "a launch with an argument that was released");
    clReleaseEvent(gate);
}

static void local_sizes_of_sub_groups(cl_device_id device, cl_kernel kernel)
{
    cl_uint most = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL);
    if (!most) return;
    size_t count = 2, local[3], size;
    for (size_t dims = 1; dims <= 3; dims++) {
        local[0] = local[1] = local[2] = 99;
        check(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                                      dims * sizeof *local, local, &size) == CL_SUCCESS, "local size of sub-groups");
        check(size == dims * sizeof *local && local[0] > 0 && local[0] != 99, "its dimensions");
        check((dims < 2 || local[1] == 1) && (dims < 3 || local[2] == 1), "further dimensions are 1");
    }
}

struct native_arguments {
    int *parts[2];
    int by;
};

static void CL_CALLBACK scale(void *data)
{
    struct native_arguments *arguments = data;
    for (int i = 0; i < 32; i++) arguments->parts[1][i] = arguments->parts[0][i] * arguments->by;
}

/* A function of the host in the place of a command, which gets copies of its arguments and addresses of memory objects. */
static void native_kernels(cl_context context, cl_command_queue queue, cl_device_id device)
{
    cl_device_exec_capabilities has = 0;
    clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof has, &has, NULL);
    if (!(has & CL_EXEC_NATIVE_KERNEL)) return;
    cl_int code, values[64];
    for (int i = 0; i < 64; i++) values[i] = i;
    cl_mem whole = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    cl_buffer_region second = {sizeof values / 2, sizeof values / 2};
    cl_mem buffers[] = {whole, clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &code)};
    check(code == CL_SUCCESS, "buffers of a native kernel");
    struct native_arguments arguments = {{0}, 3};
    const void *places[] = {&arguments.parts[0], &arguments.parts[1]};
    cl_event gate = clCreateUserEvent(context, &code);
    check(clEnqueueNativeKernel(queue, scale, &arguments, sizeof arguments, 2, buffers, places, 1, &gate, NULL) == CL_SUCCESS,
          "native kernel");
    arguments.by = 100;
    check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "user event");
    check(clEnqueueReadBuffer(queue, whole, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < 64; i++) check(values[i] == (i < 32 ? i : (i - 32) * 3), "what the function has written");
    check(clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL) == CL_INVALID_VALUE, "no function");
    check(clEnqueueNativeKernel(queue, scale, NULL, 8, 0, NULL, NULL, 0, NULL, NULL) == CL_INVALID_VALUE, "no arguments");
    check(clEnqueueNativeKernel(queue, scale, &arguments, sizeof arguments, 1, NULL, NULL, 0, NULL, NULL) == CL_INVALID_VALUE,
          "no memory objects");
    clReleaseEvent(gate);
    clReleaseMemObject(buffers[1]);
    clReleaseMemObject(whole);
}

/* A region stays mapped where the call that was to unmap it fails. */
static void failing_unmap(cl_device_id device, cl_context context, cl_command_queue queue)
{
    cl_int code;
    cl_uint count = 0;
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_event foreign = clCreateUserEvent(other, &code);
    check(code == CL_SUCCESS, "an event of another context");
    cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, &code);
    void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS, "map");
    check(clEnqueueUnmapMemObject(queue, buffer, mapped, 1, &foreign, NULL) == CL_INVALID_CONTEXT, "a foreign event");
    clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    check(count == 1, "the region is still mapped");
    check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    clReleaseMemObject(buffer);
    clReleaseEvent(foreign);
    clReleaseContext(other);
}

/* Where the host's memory is the implementation's own a part that is mapped to be read shows the rest of the buffer too, and what
   is being written elsewhere stays. */
static void rest_of_a_mapped_part(cl_context context, cl_command_queue queue)
{
    cl_int code, values[1024], seen[1024];
    for (int i = 0; i < 1024; i++) values[i] = 5 * i + 1;
    cl_mem whole = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    cl_buffer_region second = {sizeof values / 2, sizeof values / 2};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &code);
    check(code == CL_SUCCESS, "a buffer in memory of the host");
    int *read = clEnqueueMapBuffer(queue, whole, CL_TRUE, CL_MAP_READ, 400, 4, 0, NULL, NULL, &code);
    for (int i = 0; i < 1024; i++) check(read[i - 100] == values[i], "the rest of a buffer");
    check(clEnqueueUnmapMemObject(queue, whole, read, 0, NULL, NULL) == CL_SUCCESS, "unmap");

    int *written[] = {clEnqueueMapBuffer(queue, whole, CL_TRUE, CL_MAP_WRITE, 40, 8, 0, NULL, NULL, &code),
                      clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 40, 8, 0, NULL, NULL, &code)};
    for (int i = 0; i < 4; i++) written[i / 2][i % 2] = -1;
    values[10] = values[11] = values[522] = values[523] = -1;
    read = clEnqueueMapBuffer(queue, whole, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &code);
    for (int i = 0; i < 1024; i++) check(read[i] == values[i], "what is being written, and the rest");
    int *other = clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_READ, 4, 4, 0, NULL, NULL, &code);
    for (int i = 0; i < 512; i++) check(other[i - 1] == values[i + 512], "the same of a part");
    check(clEnqueueUnmapMemObject(queue, part, other, 0, NULL, NULL) == CL_SUCCESS
              && clEnqueueUnmapMemObject(queue, whole, read, 0, NULL, NULL) == CL_SUCCESS
              && clEnqueueUnmapMemObject(queue, whole, written[0], 0, NULL, NULL) == CL_SUCCESS
              && clEnqueueUnmapMemObject(queue, part, written[1], 0, NULL, NULL) == CL_SUCCESS, "unmap all");
    check(clEnqueueReadBuffer(queue, whole, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(!memcmp(seen, values, sizeof seen), "what was written");
    clReleaseMemObject(part);
    clReleaseMemObject(whole);
}

static void *fail_event(void *event)
{
    return clSetUserEventStatus(event, -7) == CL_SUCCESS ? event : NULL;
}

/* Of two threads that set the status of a user event, one does, and the status stays. */
static void user_event_of_two_threads(cl_context context)
{
    for (int i = 0; i < 300; i++) {
        cl_int code, status;
        pthread_t thread;
        void *has_failed;
        cl_event event = clCreateUserEvent(context, &code);
        check(code == CL_SUCCESS && !pthread_create(&thread, NULL, fail_event, event), "thread");
        int is_complete = clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS;
        pthread_join(thread, &has_failed);
        check(is_complete != (has_failed != NULL), "one of the threads sets the status");
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        check(status == (is_complete ? CL_COMPLETE : -7), "the status that was set");
        clReleaseEvent(event);
    }
}

struct calls {
    volatile int count, last;
};

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
    struct calls *calls = data;
    (void)event;
    calls->last = status;
    calls->count++;
}

/* Section 5.11: a callback gets the status that it was registered for, or the error of a command that has failed; whether the
   command reaches the status later or has passed it. */
static void statuses_of_callbacks(cl_context context, cl_command_queue queue, cl_int result, int is_passed)
{
    static const cl_int statuses[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
    cl_int code;
    cl_event gate = clCreateUserEvent(context, &code), event;
    struct calls calls[3] = {0};
    check(clEnqueueMarkerWithWaitList(queue, 1, &gate, &event) == CL_SUCCESS, "marker");
    for (int before = 0; before < 2; before++) {
        if (before == is_passed) {
            for (int i = 0; i < 3; i++)
                check(clSetEventCallback(event, statuses[i], called, &calls[i]) == CL_SUCCESS, "callback");
        } else {
            check(clSetUserEventStatus(gate, result) == CL_SUCCESS, "user event");
            clWaitForEvents(1, &event);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int wait = 0; wait < 1000000000 && !calls[i].count; wait++) {}
        check(calls[i].count == 1, "a callback was called");
        /* A command may be submitted before it fails. */
        int may_reach = result == CL_COMPLETE || (!is_passed && i < 2);
        check((may_reach && calls[i].last == statuses[i]) || (result < 0 && calls[i].last < 0), "status of a callback");
    }
    clReleaseEvent(event);
    clReleaseEvent(gate);
}

/* Section 5.7.1: the name of a property is given once. */
static void properties_of_samplers(cl_context context, cl_device_id device)
{
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    if (!has_images) return;
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE,
                                           CL_FILTER_LINEAR, 0};
    cl_int code;
    check(!clCreateSamplerWithProperties(context, twice, &code) && code == CL_INVALID_VALUE, "a property given twice");
    cl_sampler sampler = clCreateSamplerWithProperties(context, twice + 2, &code);
    check(code == CL_SUCCESS, "a property given once");
    clReleaseSampler(sampler);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    char version[64];
    unsigned year, month, day, number;
    check(clGetDeviceInfo(device, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, sizeof version, version, NULL) == 0
              && sscanf(version, "v%4u-%2u-%2u-%2u", &year, &month, &day, &number) == 4
              && month >= 1 && month <= 12 && day >= 1 && day <= 31, "a date of conformance");

    cl_context_properties properties[] = {CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};
    check(!clCreateContext(properties, 1, &device, NULL, NULL, &code) && code == CL_INVALID_PROPERTY,
          "a property that is neither true nor false");
    properties[1] = CL_TRUE;
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "build");
    cl_kernel kernel = clCreateKernel(program, "store", &code);
    check(code == CL_SUCCESS, "kernel");

    lifetime_of_arguments(context, queue, kernel);
    local_sizes_of_sub_groups(device, kernel);
    native_kernels(context, queue, device);
    failing_unmap(device, context, queue);
    rest_of_a_mapped_part(context, queue);
    user_event_of_two_threads(context);
    properties_of_samplers(context, device);
    for (int i = 0; i < 4; i++) statuses_of_callbacks(context, queue, i / 2 ? -9 : CL_COMPLETE, i % 2);

    clReleaseKernel(kernel);
    clReleaseProgram(program);
    check(clReleaseCommandQueue(queue) == CL_SUCCESS && clReleaseContext(context) == CL_SUCCESS, "release");
    return 0;
}
