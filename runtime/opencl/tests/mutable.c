/* Launches of command buffers that are changed between executions (cl_khr_command_buffer_mutable_dispatch). Expected values are
   computed here. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include "layers.h"
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { MUTABLE_COMMAND = -1141, FLAGS = 0x1293, SIMULTANEOUS = 1, MUTABLE = 2, FIELDS = 0x12B1, ASSERTS = 0x12B8,
       BUFFER_ASSERTS = 0x12B7, CAPABILITIES = 0x12B0 };
enum { OFFSET = 1, GLOBAL = 2, LOCAL = 4, ARGUMENTS = 8, ALL = 31 };
enum { QUEUE = 0x12A0, BUFFER, PROPERTIES, KERNEL, DIMENSIONS, GLOBAL_OFFSET, GLOBAL_SIZE, LOCAL_SIZE, TYPE = 0x12AD };

struct argument { cl_uint index; size_t size; const void *value; };
struct information { cl_uint name; size_t size; const void *value; };
struct config {
    handle command;
    cl_uint arguments, shared, information, dims;
    const struct argument *argument_list, *shared_list;
    const struct information *information_list;
    const size_t *offset, *global, *local;
};

static cl_int (*update)(handle, cl_uint, const cl_uint *, const void **);
static cl_int (*command_info)(handle, cl_uint, size_t, void *, size_t *);

enum { COUNT = 64 };
static const char *source =
    "kernel void put(global int *to, int value) { to[get_global_id(0)] = value + (int)get_global_id(0) + 1000 * (int)get_local_size(0); }\n"
    "kernel void add(global int *to, global const int *from, int term) { size_t i = get_global_id(0); to[i] += from[i] + term; }\n"
    "kernel void say(global int *to, int value) { to[get_global_id(0)] = value; if (get_global_id(0) == 0) printf(\"said %d\\n\", value); }\n";
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static cl_int change(handle buffer, const struct config *config)
{
    cl_uint type = 0;
    const void *configs[] = {config};
    return update(buffer, 1, &type, configs);
}

/* Executes a command buffer on zeros and compares its buffer with what is expected. */
static void run(handle buffer, cl_mem memory, const int *expected, const char *what)
{
    int zero = 0, found[COUNT];
    check(clEnqueueFillBuffer(queue, memory, &zero, 4, 0, sizeof found, 0, NULL, NULL) == CL_SUCCESS, "fill");
    check(enqueue(0, NULL, buffer, 0, NULL, NULL) == CL_SUCCESS, what);
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < COUNT; i++)
        if (found[i] != expected[i]) fprintf(stderr, "%s: element %d is %d, not %d\n", what, i, found[i], expected[i]);
    check(!memcmp(found, expected, sizeof found), what);
}

/* What `put` writes. */
static void put(int *values, size_t offset, size_t global, size_t local, int value)
{
    memset(values, 0, COUNT * sizeof *values);
    for (size_t i = offset; i < offset + global; i++) values[i] = value + (int)i + 1000 * (int)local;
}

static void one_launch(cl_program program, cl_mem memory, cl_mem other)
{
    cl_int code, value = 7, later = 20;
    size_t offset = 4, global = 16, local = 8, got;
    cl_ulong flags[] = {FLAGS, MUTABLE | SIMULTANEOUS, 0}, properties[] = {FIELDS, ALL, 0}, read[3];
    int expected[COUNT];
    handle buffer = create_buffer(1, &queue, flags, &code), command = NULL, bad = NULL;
    check(code == CL_SUCCESS, "a command buffer that can be changed");
    cl_kernel kernel = clCreateKernel(program, "put", &code);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    clSetKernelArg(kernel, 1, sizeof value, &value);
    check(record_kernel(buffer, NULL, properties, kernel, 1, &offset, &global, &local, 0, NULL, NULL, &command) == CL_SUCCESS && command, "record");
    struct argument argument = {1, sizeof later, &later};
    struct config config = {.command = command, .arguments = 1, .argument_list = &argument};
    check(change(buffer, &config) == CL_INVALID_OPERATION, "not finalized");
    check(finalize(buffer) == CL_SUCCESS, "finalize");
    put(expected, 4, 16, 8, 7);
    run(buffer, memory, expected, "as it was recorded");

    check(change(buffer, &config) == CL_SUCCESS, "an argument");
    put(expected, 4, 16, 8, 20);
    run(buffer, memory, expected, "another argument");
    /* The kernel object keeps its own arguments, and the command buffer its own. */
    value = 99;
    clSetKernelArg(kernel, 1, sizeof value, &value);
    run(buffer, memory, expected, "an argument of the kernel object");

    size_t new_offset = 32, new_global = 24, new_local = 4;
    config = (struct config){.command = command, .dims = 1, .offset = &new_offset, .global = &new_global, .local = &new_local};
    check(change(buffer, &config) == CL_SUCCESS, "a range");
    put(expected, 32, 24, 4, 20);
    run(buffer, memory, expected, "another range");

    /* A command that was enqueued before does not see a change. */
    cl_event user = clCreateUserEvent(context, &code), event;
    int zero = 0, found[COUNT];
    check(clEnqueueFillBuffer(queue, memory, &zero, 4, 0, sizeof found, 0, NULL, NULL) == CL_SUCCESS, "fill");
    check(enqueue(0, NULL, buffer, 1, &user, &event) == CL_SUCCESS, "enqueue");
    struct argument both[] = {{0, sizeof other, &other}, {1, sizeof value, &value}};
    config = (struct config){.command = command, .arguments = 2, .argument_list = both, .offset = &offset};
    check(change(buffer, &config) == CL_SUCCESS, "a buffer");
    check(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "wait");
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(!memcmp(found, expected, sizeof found), "what was enqueued before the change");
    put(expected, 4, 24, 4, 99);
    run(buffer, other, expected, "another buffer");

    /* Nothing of several changes is kept if one is wrong; later ones see earlier ones. */
    struct argument wrong = {1, 1, &later}, third = {1, sizeof later, &later};
    struct config good = {.command = command, .arguments = 1, .argument_list = &third};
    struct config mistaken = {.command = command, .arguments = 1, .argument_list = &wrong};
    cl_uint types[] = {0, 0};
    const void *configs[] = {&good, &mistaken};
    check(update(buffer, 2, types, configs) == CL_INVALID_ARG_SIZE, "an argument of another size");
    run(buffer, other, expected, "after an error");
    mistaken = (struct config){.command = command, .global = &global};
    check(update(buffer, 2, types, configs) == CL_SUCCESS, "two changes");
    put(expected, 4, 16, 4, 20);
    run(buffer, other, expected, "after two changes");

    check(command_info(command, GLOBAL_SIZE, sizeof got, &got, NULL) == CL_SUCCESS && got == 16, "global size");
    check(command_info(command, LOCAL_SIZE, sizeof got, &got, NULL) == CL_SUCCESS && got == 4, "local size");
    check(command_info(command, GLOBAL_OFFSET, sizeof got, &got, NULL) == CL_SUCCESS && got == 4, "offset");
    check(command_info(command, KERNEL, sizeof bad, &bad, NULL) == CL_SUCCESS && bad == kernel, "kernel");
    check(command_info(command, BUFFER, sizeof bad, &bad, NULL) == CL_SUCCESS && bad == buffer, "command buffer");
    check(command_info(command, QUEUE, sizeof bad, &bad, NULL) == CL_SUCCESS && bad == queue, "queue");
    check(command_info(command, PROPERTIES, sizeof read, read, &got) == CL_SUCCESS && got == sizeof read && !memcmp(read, properties, got), "properties");
    cl_uint type = 0, dims = 0;
    check(command_info(command, TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == CL_COMMAND_NDRANGE_KERNEL, "type");
    check(command_info(command, DIMENSIONS, sizeof dims, &dims, NULL) == CL_SUCCESS && dims == 1, "dimensions");
    check(command_info(command, 0x12AE, sizeof type, &type, NULL) == CL_INVALID_VALUE, "no such query");
    check(command_info(buffer, TYPE, sizeof type, &type, NULL) == MUTABLE_COMMAND, "a command buffer for a command");

    cl_uint none = 1;
    const void *null = NULL;
    check(update(buffer, 0, &none, NULL) == CL_INVALID_VALUE && update(buffer, 1, NULL, configs) == CL_INVALID_VALUE, "lists");
    check(update(buffer, 1, &none, configs) == CL_INVALID_VALUE, "an unknown type");
    none = 0;
    check(update(buffer, 1, &none, &null) == CL_INVALID_VALUE, "no structure");
    config = (struct config){.command = command, .dims = 2, .global = &global};
    check(change(buffer, &config) == CL_INVALID_OPERATION, "two dimensions");
    size_t uneven = 15;
    config = (struct config){.command = command, .global = &uneven};
    cl_int error = change(buffer, &config);
    check(error == CL_INVALID_OPERATION || error == CL_INVALID_WORK_GROUP_SIZE, "work-groups of several sizes");
    config = (struct config){.command = command, .arguments = 1};
    check(change(buffer, &config) == CL_INVALID_VALUE, "a number without arguments");
    config = (struct config){.command = buffer, .global = &global};
    check(change(buffer, &config) == MUTABLE_COMMAND, "not a command");
    run(buffer, other, expected, "after errors");
    clReleaseEvent(user);
    clReleaseEvent(event);
    check(release_buffer(buffer) == CL_SUCCESS, "release");
    check(command_info(command, TYPE, sizeof type, &type, NULL) == MUTABLE_COMMAND, "a command of a buffer that is gone");
    clReleaseKernel(kernel);
}

/* What was not announced cannot be changed, nor in a command buffer that was not made for it. */
static void restrictions(cl_program program, cl_mem memory)
{
    cl_int code, value = 1;
    size_t global = COUNT, local = 8;
    cl_ulong flags[] = {FLAGS, MUTABLE, 0}, only_sizes[] = {FIELDS, GLOBAL, 0}, unknown[] = {FIELDS, 1u << 9, 0}, twice[] = {FIELDS, 1, FIELDS, 1, 0};
    cl_ulong keeps[] = {ASSERTS, 1, 0}, asserts[] = {FLAGS, MUTABLE, BUFFER_ASSERTS, 1, 0}, bad_asserts[] = {BUFFER_ASSERTS, 2, 0};
    cl_kernel kernel = clCreateKernel(program, "put", &code);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    clSetKernelArg(kernel, 1, sizeof value, &value);
    handle buffer = create_buffer(1, &queue, flags, &code), fixed = create_buffer(1, &queue, NULL, &code), command, of_fixed;
    check(record_kernel(buffer, NULL, only_sizes, kernel, 1, NULL, &global, &local, 0, NULL, NULL, &command) == CL_SUCCESS, "record");
    check(record_kernel(buffer, NULL, unknown, kernel, 1, NULL, &global, &local, 0, NULL, NULL, NULL) == CL_INVALID_OPERATION, "unknown fields");
    check(record_kernel(buffer, NULL, twice, kernel, 1, NULL, &global, &local, 0, NULL, NULL, NULL) == CL_INVALID_VALUE, "fields twice");
    check(record_kernel(buffer, NULL, keeps, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, NULL) == CL_INVALID_VALUE, "no local size");
    check(record_kernel(fixed, NULL, NULL, kernel, 1, NULL, &global, &local, 0, NULL, NULL, &of_fixed) == CL_SUCCESS, "record");
    check(record_fill(buffer, NULL, NULL, memory, &value, 4, 0, 4, 0, NULL, NULL, &of_fixed) == CL_INVALID_VALUE, "a handle of a fill");
    check(finalize(buffer) == CL_SUCCESS && finalize(fixed) == CL_SUCCESS, "finalize");
    struct argument argument = {1, sizeof value, &value};
    struct config config = {.command = command, .arguments = 1, .argument_list = &argument};
    check(change(buffer, &config) == CL_INVALID_OPERATION, "arguments were not announced");
    config = (struct config){.command = command, .local = &local};
    check(change(buffer, &config) == CL_INVALID_OPERATION, "local sizes were not announced");
    config = (struct config){.command = of_fixed, .global = &global};
    check(change(buffer, &config) == MUTABLE_COMMAND, "a command of another command buffer");
    check(change(fixed, &config) == CL_INVALID_OPERATION, "a command buffer that cannot be changed");
    check(!release_buffer(buffer) && !release_buffer(fixed), "release");
    buffer = create_buffer(1, &queue, asserts, &code);
    check(code == CL_SUCCESS, "assertions");
    check(record_kernel(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, NULL) == CL_INVALID_VALUE, "no local size");
    check(!release_buffer(buffer), "release");
    check(!create_buffer(1, &queue, bad_asserts, &code) && code == CL_INVALID_VALUE, "unknown assertions");
    clReleaseKernel(kernel);
}

/* Arguments that are set when the recording has ended; launches that the host waits for; several launches, of which one changes. */
static void later(cl_program program, cl_mem memory, cl_mem other)
{
    cl_int code, value = 3, term = 5;
    cl_uint state = 9;
    size_t global = COUNT;
    cl_ulong flags[] = {FLAGS, MUTABLE, 0}, only_sizes[] = {FIELDS, GLOBAL, 0};
    int expected[COUNT];
    cl_kernel say = clCreateKernel(program, "say", &code), add = clCreateKernel(program, "add", &code), put_kernel = clCreateKernel(program, "put", &code);
    handle buffer = create_buffer(1, &queue, flags, &code), said, added, filled;
    check(record_kernel(buffer, NULL, only_sizes, say, 1, NULL, &global, NULL, 0, NULL, NULL, &said) == CL_INVALID_KERNEL_ARGS, "no arguments");
    check(record_kernel(buffer, NULL, NULL, say, 1, NULL, &global, NULL, 0, NULL, NULL, &said) == CL_SUCCESS, "arguments later");
    check(record_kernel(buffer, NULL, NULL, put_kernel, 1, NULL, &global, NULL, 0, NULL, NULL, &filled) == CL_SUCCESS, "arguments later");
    check(record_kernel(buffer, NULL, NULL, add, 1, NULL, &global, NULL, 0, NULL, NULL, &added) == CL_SUCCESS, "arguments later");
    check(finalize(buffer) == CL_SUCCESS, "finalize");
    check(buffer_info(buffer, COMMAND_BUFFER_STATE, sizeof state, &state, NULL) == CL_SUCCESS && state == 2, "finalized, not executable");
    check(enqueue(0, NULL, buffer, 0, NULL, NULL) == CL_INVALID_OPERATION, "arguments are missing");
    struct argument of_say[] = {{0, sizeof memory, &memory}, {1, sizeof value, &value}};
    struct argument of_put[] = {{0, sizeof other, &other}, {1, sizeof value, &value}};
    struct argument of_add[] = {{0, sizeof memory, &memory}, {1, sizeof other, &other}, {2, sizeof term, &term}};
    size_t local = 16;
    struct config changes[] = {{.command = said, .arguments = 2, .argument_list = of_say},
                               {.command = filled, .arguments = 2, .argument_list = of_put, .local = &local},
                               {.command = added, .arguments = 3, .argument_list = of_add}};
    cl_uint types[] = {0, 0, 0};
    const void *configs[] = {changes, changes + 1, changes + 2};
    check(update(buffer, 3, types, configs) == CL_SUCCESS, "all arguments");
    check(buffer_info(buffer, COMMAND_BUFFER_STATE, sizeof state, &state, NULL) == CL_SUCCESS && state == 1, "executable");
    for (int i = 0; i < COUNT; i++) expected[i] = 3 + (3 + i + 16000) + 5;
    run(buffer, memory, expected, "arguments that were set later");
    value = 40;
    check(update(buffer, 1, types, configs) == CL_SUCCESS, "the argument of one launch");
    for (int i = 0; i < COUNT; i++) expected[i] = 40 + (3 + i + 16000) + 5;
    run(buffer, memory, expected, "one launch of three");
    term = -1;
    check(update(buffer, 1, types, configs + 2) == CL_SUCCESS, "the argument of another launch");
    for (int i = 0; i < COUNT; i++) expected[i] = 40 + (3 + i + 16000) - 1;
    for (int turn = 0; turn < 3; turn++) run(buffer, memory, expected, "another launch of three");
    check(!release_buffer(buffer), "release");
    clReleaseKernel(say);
    clReleaseKernel(add);
    clReleaseKernel(put_kernel);
}

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    static char extensions[8192];
    cl_ulong fields = 0;
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    check(strstr(extensions, "cl_khr_command_buffer_mutable_dispatch") != NULL, "the extension");
    check(clGetDeviceInfo(device, CAPABILITIES, sizeof fields, &fields, NULL) == CL_SUCCESS && fields == ALL, "capabilities");
    find_layers(platform);
    *(void **)&update = find(platform, "clUpdateMutableCommandsKHR");
    *(void **)&command_info = find(platform, "clGetMutableCommandInfoKHR");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "program");
    cl_mem memory = clCreateBuffer(context, 0, COUNT * sizeof(int), NULL, &code), other = clCreateBuffer(context, 0, COUNT * sizeof(int), NULL, &code);
    check(code == CL_SUCCESS, "buffers");
    one_launch(program, memory, other);
    restrictions(program, memory);
    later(program, memory, other);
    clReleaseMemObject(memory);
    clReleaseMemObject(other);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
