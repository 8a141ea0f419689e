/* Command buffers for several queues, of several devices if there are some (cl_khr_command_buffer_multi_device). */
#define CL_TARGET_OPENCL_VERSION 300
#include "layers.h"
#include <string.h>

enum { PLATFORM_CAPABILITIES = 0x0908, UNIVERSAL_SYNC = 1, REMAP = 2, AUTOMATIC_REMAP = 4, DEVICE_CAPABILITIES = 0x12A9, MULTIPLE_QUEUES = 1 << 4 };
enum { SYNC_DEVICE_COUNT = 0x12AB, SYNC_DEVICES, FLAGS = 0x1293, DEVICE_SIDE_SYNC = 1 << 2, QUEUES = 0x1294, QUEUE_COUNT };
enum { INCOMPATIBLE_QUEUE = -1140, MOST = 4, COUNT = 1024, STEPS = 40, MUTABLE = 2, FIELDS = 0x12B1, ARGUMENTS = 1 << 3 };
enum { STATE = 0x1297, EXECUTABLE = 1, RECORDING = 0, COMMAND_QUEUE = 0x12A0, COMMAND_BUFFER = 0x12A1 };

static cl_platform_id platform;
static cl_device_id devices[MOST];
static cl_uint device_count;
static cl_context context;
static cl_kernel step;

static const char *source = "kernel void step(global int *p, int by) { size_t i = get_global_id(0); p[i] = p[i] * 3 + by; }\n";

static cl_command_queue new_queue(int number, cl_command_queue_properties properties)
{
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, devices[number % device_count], list, &code);
    check(code == CL_SUCCESS, "queue");
    return queue;
}

/* Steps on each queue in turn, each after the one before by its sync-point; on in-order and other queues. */
static void chain(cl_command_queue_properties properties)
{
    cl_command_queue queues[3], others[3];
    cl_int code, values[COUNT], expected[COUNT];
    size_t global = COUNT;
    for (int i = 0; i < 3; i++) queues[i] = new_queue(i, properties), others[i] = new_queue(i, properties ^ CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int i = 0; i < COUNT; i++) values[i] = expected[i] = i;
    cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    handle buffer = create_buffer(3, queues, NULL, &code);
    check(code == CL_SUCCESS, "a command buffer for three queues");
    cl_uint point = 0;
    for (int i = 0; i < STEPS; i++) {
        check(clSetKernelArg(step, 0, sizeof memory, &memory) == 0 && clSetKernelArg(step, 1, sizeof i, &i) == 0, "arguments");
        cl_uint before = point;
        check(record_kernel(buffer, queues[i % 3], NULL, step, 1, NULL, &global, NULL, i > 0, i > 0 ? &before : NULL, &point, NULL) == CL_SUCCESS, "step");
        /* On its own queue only. */
        if (i % 5 == 4) check(record_barrier(buffer, queues[i % 3], NULL, 0, NULL, NULL, NULL) == CL_SUCCESS, "barrier");
    }
    check(finalize(buffer) == CL_SUCCESS, "finalize");
    for (int turn = 0; turn < 4; turn++) {
        cl_event gate = clCreateUserEvent(context, &code), event;
        int on_others = turn % 2;
        check(enqueue(on_others ? 3 : 0, on_others ? others : NULL, buffer, 1, &gate, &event) == CL_SUCCESS, "enqueue");
        cl_int status = 99;
        check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == 0 && status > CL_COMPLETE, "it waits");
        check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "wait");
        cl_command_queue of = queues[0];
        cl_command_type type = 0;
        check(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL) == CL_SUCCESS && of == NULL, "an event of no queue");
        check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == 0x12A8, "its type");
        cl_ulong times[4] = {0};
        for (cl_uint i = 0; i < 4; i++) {
            code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, times + i, NULL);
            check(properties & CL_QUEUE_PROFILING_ENABLE ? code == CL_SUCCESS && (i == 0 || times[i] >= times[i - 1])
                                                         : code == CL_PROFILING_INFO_NOT_AVAILABLE, "times");
        }
        for (int i = 0; i < STEPS; i++)
            for (int k = 0; k < COUNT; k++) expected[k] = (int)((unsigned)expected[k] * 3 + (unsigned)i);
        cl_command_queue reader = queues[turn % 3];
        check(clEnqueueReadBuffer(reader, memory, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL) == CL_SUCCESS, "read");
        check(!memcmp(values, expected, sizeof values), "each step after the one before");
        clReleaseEvent(gate);
        clReleaseEvent(event);
    }
    check(release_buffer(buffer) == CL_SUCCESS, "release");
    for (int i = 0; i < 3; i++) clReleaseCommandQueue(queues[i]), clReleaseCommandQueue(others[i]);
    clReleaseMemObject(memory);
}

/* A buffer of each queue is filled and copied on it, and all go together on the first one. */
static void gathered(void)
{
    cl_command_queue queues[3];
    cl_mem parts[3], copies[3], all;
    cl_uint points[3];
    cl_int code, values[3];
    handle buffer;
    for (int i = 0; i < 3; i++) {
        queues[i] = new_queue(i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        parts[i] = clCreateBuffer(context, 0, 4, NULL, &code), copies[i] = clCreateBuffer(context, 0, 4, NULL, &code);
    }
    all = clCreateBuffer(context, 0, 12, NULL, &code);
    buffer = create_buffer(3, queues, NULL, &code);
    for (int i = 0; i < 3; i++) {
        cl_int value = 10 + i;
        check(record_fill(buffer, queues[i], NULL, parts[i], &value, 4, 0, 4, 0, NULL, NULL, NULL) == CL_SUCCESS, "fill");
        check(record_barrier(buffer, queues[i], NULL, 0, NULL, NULL, NULL) == CL_SUCCESS, "barrier");
        check(record_copy(buffer, queues[i], NULL, parts[i], copies[i], 0, 0, 4, 0, NULL, points + i, NULL) == CL_SUCCESS, "copy");
    }
    for (int i = 0; i < 3; i++)
        check(record_copy(buffer, queues[0], NULL, copies[i], all, 0, 4 * i, 4, 3, points, NULL, NULL) == CL_SUCCESS, "gather");
    check(finalize(buffer) == CL_SUCCESS, "finalize");
    /* One queue may stand for several of the same device: its commands wait for each other in order. */
    cl_command_queue same[] = {new_queue(0, 0), NULL, NULL};
    same[1] = same[2] = same[0];
    for (int turn = 0; turn < 20; turn++) {
        cl_event event;
        int is_same = device_count == 1 && turn % 2;
        check(enqueue(is_same ? 3 : 0, is_same ? same : NULL, buffer, 0, NULL, &event) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "enqueue");
        check(clEnqueueReadBuffer(queues[1], all, CL_TRUE, 0, 12, values, 1, &event, NULL) == CL_SUCCESS, "read");
        check(values[0] == 10 && values[1] == 11 && values[2] == 12, "what was gathered");
        clReleaseEvent(event);
    }
    check(release_buffer(buffer) == CL_SUCCESS, "release");
}

static handle (*remap)(handle, cl_bool, cl_uint, cl_command_queue *, cl_uint, const handle *, handle *, cl_int *);

struct argument { cl_uint index; size_t size; const void *value; };
struct change { handle command; cl_uint counts[4]; const struct argument *arguments; const void *rest[5]; };

/* A buffer that the commands copy the value to, and one that they fill. */
static cl_mem copied, filled;

/* What three launches, one after the other on queues in turn, do to a value. */
static int expected_of(int value, const int by[3])
{
    for (int i = 0; i < 3; i++) value = value * 3 + by[i];
    return value;
}

static void runs(handle buffer, cl_command_queue reader, cl_mem memory, int start, const int by[3])
{
    cl_int value = start, code;
    cl_event event;
    cl_mem all[] = {memory, copied, filled};
    for (int i = 0; i < 3; i++) check(clEnqueueWriteBuffer(reader, all[i], CL_TRUE, 0, 4, &value, 0, NULL, NULL) == CL_SUCCESS, "write");
    check((code = enqueue(0, NULL, buffer, 0, NULL, &event)) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "enqueue");
    for (int i = 0; i < 3; i++) {
        check(clEnqueueReadBuffer(reader, all[i], CL_TRUE, 0, 4, &value, 0, NULL, NULL) == CL_SUCCESS, "read");
        check(value == (i == 2 ? 77 : expected_of(start, by)), "what the commands compute");
    }
    clReleaseEvent(event);
}

/* A copy for other queues, by place and by the driver's choice, has launches that are changed apart from the original's. */
static void remapped(int is_automatic, int count)
{
    cl_command_queue queues[3], others[3], got;
    cl_int code, first[] = {1, 2, 5}, second[] = {1, 7, 5}, third[] = {9, 7, 5};
    cl_uint point = 0, number = 0, state = 9;
    size_t one = 1;
    handle launches[3], copies[3], none[] = {NULL, NULL, NULL}, buffer, copy, unfinished, of;
    const cl_ulong changeable[] = {FLAGS, MUTABLE, 0}, fields[] = {FIELDS, ARGUMENTS, 0};
    cl_int (*update)(handle, cl_uint, const cl_uint *, const void **), (*command_info)(handle, cl_uint, size_t, void *, size_t *);
    *(void **)&update = find(platform, "clUpdateMutableCommandsKHR");
    *(void **)&command_info = find(platform, "clGetMutableCommandInfoKHR");
    *(void **)&remap = find(platform, "clRemapCommandBufferKHR");
    for (int i = 0; i < 3; i++) queues[i] = new_queue(i, 0), others[i] = new_queue(is_automatic ? i : i + 1, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem memory = clCreateBuffer(context, 0, 4, NULL, &code);
    buffer = create_buffer(3, queues, changeable, &code);
    for (int i = 0; i < 3; i++) {
        check(clSetKernelArg(step, 0, sizeof memory, &memory) == 0 && clSetKernelArg(step, 1, 4, &first[i]) == 0, "arguments");
        check(record_kernel(buffer, queues[i], fields, step, 1, NULL, &one, NULL, i > 0, i > 0 ? &point : NULL, &point, launches + i) == CL_SUCCESS, "step");
    }
    const cl_int number_to_fill = 77;
    copied = clCreateBuffer(context, 0, 4, NULL, &code), filled = clCreateBuffer(context, 0, 4, NULL, &code);
    check(record_copy(buffer, queues[1], NULL, memory, copied, 0, 0, 4, 1, &point, NULL, NULL) == CL_SUCCESS, "copy");
    check(record_fill(buffer, queues[2], NULL, filled, &number_to_fill, 4, 0, 4, 0, NULL, NULL, NULL) == CL_SUCCESS, "fill");
    unfinished = remap(buffer, is_automatic, count, others, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS && buffer_info(unfinished, STATE, sizeof state, &state, NULL) == 0 && state == RECORDING, "a copy that records");
    check(finalize(buffer) == CL_SUCCESS, "finalize");
    cl_uint types[] = {0};
    struct argument value = {1, 4, &second[1]};
    struct change change = {.command = launches[1], .counts = {1}, .arguments = &value};
    check(update(buffer, 1, types, (const void *[]){&change}) == CL_SUCCESS, "a change before the copy");
    copy = remap(buffer, is_automatic, count, others, 3, launches, copies, &code);
    check(code == CL_SUCCESS && buffer_info(copy, STATE, sizeof state, &state, NULL) == 0 && state == EXECUTABLE, "a copy that executes");
    check(buffer_info(copy, QUEUE_COUNT, sizeof number, &number, NULL) == 0 && number == (cl_uint)count, "its queues");
    for (int i = 0; i < 3; i++) {
        check(!command_info(copies[i], COMMAND_BUFFER, sizeof of, &of, NULL) && of == copy, "the command buffer of a copy");
        check(!command_info(copies[i], COMMAND_QUEUE, sizeof got, &got, NULL) && got == others[is_automatic ? i % count : i], "its queue");
    }
    runs(copy, others[0], memory, 4, second);
    value.value = &third[0], change.command = copies[0];
    check(update(buffer, 1, types, (const void *[]){&change}) != CL_SUCCESS, "a change of another command buffer's launch");
    check(update(copy, 1, types, (const void *[]){&change}) == CL_SUCCESS, "a change of the copy");
    runs(copy, others[0], memory, 5, third);
    runs(buffer, queues[0], memory, 6, second);
    check(!remap(copy, is_automatic, count, others, 3, launches, none, &code) && code == CL_INVALID_VALUE && !none[0], "launches of the original");
    check(release_buffer(buffer) == CL_SUCCESS, "release");
    runs(copy, others[0], memory, 7, third);
    check(finalize(unfinished) == CL_SUCCESS, "finalize the copy");
    runs(unfinished, others[0], memory, 8, first);
    check(release_buffer(copy) == CL_SUCCESS && release_buffer(unfinished) == CL_SUCCESS, "release the copies");
    for (int i = 0; i < 3; i++) clReleaseCommandQueue(queues[i]), clReleaseCommandQueue(others[i]);
    clReleaseMemObject(memory), clReleaseMemObject(copied), clReleaseMemObject(filled);
}

static void mistakes(void)
{
    cl_int code;
    cl_command_queue queues[] = {new_queue(0, 0), new_queue(0, 0)}, third = new_queue(0, 0), got[2];
    cl_context other_context = clCreateContext(NULL, 1, devices, NULL, NULL, &code);
    cl_command_queue foreign = clCreateCommandQueueWithProperties(other_context, devices[0], NULL, &code), mixed[] = {queues[0], foreign};
    const cl_ulong on_device[] = {FLAGS, DEVICE_SIDE_SYNC, 0};
    cl_uint number;
    check(!create_buffer(0, queues, NULL, &code) && code == CL_INVALID_VALUE, "no queues");
    check(!create_buffer(2, NULL, NULL, &code) && code == CL_INVALID_VALUE, "no list");
    check(!create_buffer(2, mixed, NULL, &code) && code == CL_INVALID_CONTEXT, "queues of two contexts");
    check(!create_buffer(2, queues, on_device, &code) && code == INCOMPATIBLE_QUEUE, "order by the devices");
    handle single = create_buffer(1, queues, on_device, &code);
    check(code == CL_SUCCESS && release_buffer(single) == CL_SUCCESS, "one queue is in order by itself");
    handle buffer = create_buffer(2, queues, NULL, &code);
    check(code == CL_SUCCESS, "two queues of a device");
    check(buffer_info(buffer, QUEUE_COUNT, sizeof number, &number, NULL) == CL_SUCCESS && number == 2, "number of queues");
    check(buffer_info(buffer, QUEUES, sizeof got, got, NULL) == CL_SUCCESS && !memcmp(got, queues, sizeof got), "queues");
    check(record_barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL) == CL_INVALID_COMMAND_QUEUE, "no queue");
    check(record_barrier(buffer, third, NULL, 0, NULL, NULL, NULL) == CL_INVALID_COMMAND_QUEUE, "another queue");
    check(record_barrier(buffer, foreign, NULL, 0, NULL, NULL, NULL) == CL_INVALID_CONTEXT, "a queue of another context");
    check(record_barrier(buffer, queues[1], NULL, 0, NULL, NULL, NULL) == CL_SUCCESS && finalize(buffer) == CL_SUCCESS, "record");
    check(enqueue(1, queues, buffer, 0, NULL, NULL) == CL_INVALID_VALUE, "fewer queues");
    check(enqueue(2, mixed, buffer, 0, NULL, NULL) == CL_INVALID_CONTEXT, "queues of another context");
    check(enqueue(2, queues, buffer, 0, NULL, NULL) == CL_SUCCESS && clFinish(queues[0]) == CL_SUCCESS, "enqueue");
    *(void **)&remap = find(platform, "clRemapCommandBufferKHR");
    handle word = queues[0], out = NULL;
    cl_command_queue strangers[] = {queues[0], (cl_command_queue)buffer};
    check(!remap(buffer, CL_FALSE, 0, NULL, 0, NULL, NULL, &code) && code == CL_INVALID_VALUE, "no queues");
    check(!remap(buffer, CL_FALSE, 2, NULL, 0, NULL, NULL, &code) && code == CL_INVALID_VALUE, "no list of queues");
    check(!remap(buffer, CL_FALSE, 1, queues, 0, NULL, NULL, &code) && code == CL_INVALID_VALUE, "one queue for two");
    check(!remap(buffer, CL_FALSE, 2, mixed, 0, NULL, NULL, &code) && code == CL_INVALID_CONTEXT, "a queue of another context");
    check(!remap(buffer, CL_TRUE, 2, mixed, 0, NULL, NULL, &code) && code == CL_INVALID_CONTEXT, "the same by the driver");
    check(!remap(buffer, CL_FALSE, 2, strangers, 0, NULL, NULL, &code) && code == CL_INVALID_COMMAND_QUEUE, "no queue");
    check(!remap(buffer, CL_FALSE, 2, queues, 1, NULL, &out, &code) && code == CL_INVALID_VALUE, "no handles");
    check(!remap(buffer, CL_FALSE, 2, queues, 1, &word, NULL, &code) && code == CL_INVALID_VALUE, "nowhere for handles");
    check(!remap(buffer, CL_FALSE, 2, queues, 1, &word, &out, &code) && code == CL_INVALID_VALUE && !out, "not a command");
    check(!remap(buffer, CL_FALSE, 2, queues, 0, &word, &out, &code) && code == CL_INVALID_VALUE, "handles and no number");
    check(!remap(NULL, CL_FALSE, 2, queues, 0, NULL, NULL, &code) && code == INVALID_COMMAND_BUFFER, "no command buffer");
}

int main(void)
{
    cl_int code;
    cl_ulong can;
    size_t size;
    cl_uint number = 9;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &device_count) == CL_SUCCESS, "devices");
    if (device_count > MOST) device_count = MOST;
    check(clGetPlatformInfo(platform, PLATFORM_CAPABILITIES, sizeof can, &can, NULL) == CL_SUCCESS && can == (UNIVERSAL_SYNC | REMAP | AUTOMATIC_REMAP), "platform");
    check(clGetDeviceInfo(devices[0], DEVICE_CAPABILITIES, sizeof can, &can, NULL) == CL_SUCCESS && can & MULTIPLE_QUEUES, "several queues");
    check(clGetDeviceInfo(devices[0], SYNC_DEVICE_COUNT, sizeof number, &number, NULL) == CL_SUCCESS && number == 0, "devices in order");
    check(clGetDeviceInfo(devices[0], SYNC_DEVICES, 0, NULL, &size) == CL_SUCCESS && size == 0, "their list");
    context = clCreateContext(NULL, device_count, devices, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    find_layers(platform);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, device_count, devices, "", NULL, NULL) == CL_SUCCESS, "build");
    step = clCreateKernel(program, "step", &code);
    check(code == CL_SUCCESS, "kernel");
    chain(0);
    chain(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    chain(CL_QUEUE_PROFILING_ENABLE);
    gathered();
    remapped(CL_FALSE, 3);
    remapped(CL_TRUE, 3);
    remapped(CL_TRUE, 1);
    mistakes();
    puts("passed");
    return 0;
}
