/* Pipes: what producers write is what consumers read, once each, whatever they reserve and however often the ring wraps. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

/* Values are numbers of packets: a consumer counts each. 'failed' counts packets that had no room, and reads of nothing. */
static const char *source =
    "typedef struct { int number; TYPE padding[PADDING]; int check; } packet;\n"
    "static packet made(int number) { packet p; p.number = number; p.check = ~number; p.padding[0] = number; return p; }\n"
    "static void count(const packet *p, global int *counts)\n"
    "{ if (p->check == ~p->number && p->padding[0] == (TYPE)p->number) atomic_inc(counts + p->number); }\n"
    "kernel void produce(write_only pipe packet p, global int *failed, int first)\n"
    "{ packet made_now = made(first + (int)get_global_id(0)); if (write_pipe(p, &made_now)) atomic_inc(failed); }\n"
    "kernel void consume(read_only pipe packet p, global int *failed, global int *counts)\n"
    "{ packet read; if (read_pipe(p, &read)) atomic_inc(failed); else count(&read, counts); }\n"
    /* Two packets for each work-item of those that reserve together. */
    "#define PRODUCE(name, reserve, commit, size, id)                                                                  \\\n"
    "kernel void name(write_only pipe packet p, global int *failed, int first)                                         \\\n"
    "{                                                                                                                 \\\n"
    "    reserve_id_t r = reserve(p, 2 * (uint)(size));                                                                \\\n"
    "    if (!is_valid_reserve_id(r)) { atomic_add(failed, 2); return; }                                               \\\n"
    "    for (int i = 0; i < 2; i++) {                                                                                 \\\n"
    "        packet p_now = made(first + 2 * (int)get_global_id(0) + i);                                               \\\n"
    "        if (write_pipe(p, r, 2 * (uint)(id) + 1 - i, &p_now)) atomic_inc(failed);                                 \\\n"
    "    }                                                                                                             \\\n"
    "    commit(p, r);                                                                                                 \\\n"
    "}\n"
    "#define CONSUME(name, reserve, commit, size, id)                                                                  \\\n"
    "kernel void name(read_only pipe packet p, global int *failed, global int *counts)                                 \\\n"
    "{                                                                                                                 \\\n"
    "    reserve_id_t r = reserve(p, 2 * (uint)(size));                                                                \\\n"
    "    if (!is_valid_reserve_id(r)) { atomic_add(failed, 2); return; }                                               \\\n"
    "    for (int i = 0; i < 2; i++) {                                                                                 \\\n"
    "        packet read;                                                                                              \\\n"
    "        if (read_pipe(p, r, 2 * (uint)(id) + i, &read)) atomic_inc(failed); else count(&read, counts);            \\\n"
    "    }                                                                                                             \\\n"
    "    commit(p, r);                                                                                                 \\\n"
    "}\n"
    "PRODUCE(produce_alone, reserve_write_pipe, commit_write_pipe, 1, 0)\n"
    "CONSUME(consume_alone, reserve_read_pipe, commit_read_pipe, 1, 0)\n"
    "PRODUCE(produce_group, work_group_reserve_write_pipe, work_group_commit_write_pipe, get_local_size(0), get_local_id(0))\n"
    "CONSUME(consume_group, work_group_reserve_read_pipe, work_group_commit_read_pipe, get_local_size(0), get_local_id(0))\n"
    "#if SUB_GROUPS\n"
    "PRODUCE(produce_sub, sub_group_reserve_write_pipe, sub_group_commit_write_pipe, get_sub_group_size(), get_sub_group_local_id())\n"
    "CONSUME(consume_sub, sub_group_reserve_read_pipe, sub_group_commit_read_pipe, get_sub_group_size(), get_sub_group_local_id())\n"
    "#endif\n"
    "kernel void sizes(read_only pipe packet p, global int *out)\n"
    "{ out[0] = get_pipe_num_packets(p); out[1] = get_pipe_max_packets(p); out[2] = sizeof(packet); }\n";

static cl_mem zeros(size_t size)
{
    cl_int code, zero = 0;
    cl_mem buffer = clCreateBuffer(context, 0, size, NULL, &code);
    check(code == CL_SUCCESS && !clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, size, 0, NULL, NULL), "buffer");
    return buffer;
}

static void build(const char *options)
{
    cl_int code;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL)) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        exit(1);
    }
}

/* What a launch of a kernel adds to the number of failures. */
static int launch(const char *name, cl_mem pipe, cl_mem failed, const void *last, size_t size, size_t global, size_t local)
{
    cl_int code, before, after;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    check(!clEnqueueReadBuffer(queue, failed, CL_TRUE, 0, 4, &before, 0, NULL, NULL), "read");
    check(!clSetKernelArg(kernel, 0, sizeof pipe, &pipe) && !clSetKernelArg(kernel, 1, sizeof failed, &failed)
              && !clSetKernelArg(kernel, 2, size, last), "arguments");
    check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
    check(!clEnqueueReadBuffer(queue, failed, CL_TRUE, 0, 4, &after, 0, NULL, NULL), "read");
    clReleaseKernel(kernel);
    return after - before;
}

static void sizes(cl_mem pipe, int expected[3])
{
    cl_int code, found[3];
    cl_mem out = zeros(sizeof found);
    cl_kernel kernel = clCreateKernel(program, "sizes", &code);
    size_t one = 1;
    check(!clSetKernelArg(kernel, 0, sizeof pipe, &pipe) && !clSetKernelArg(kernel, 1, sizeof out, &out), "arguments");
    check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), "launch");
    check(!clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL), "read");
    check(!memcmp(found, expected, sizeof found), "number of packets");
    clReleaseKernel(kernel);
    clReleaseMemObject(out);
}

/* Rounds of production beyond what the pipe holds, and consumption of as much as there is. */
static void rounds(const char *how, int packet_size, int most, int global, int local, int each)
{
    char produce[32], consume[32];
    cl_int code;
    int in_pipe = 0, next = 0, consumed = 0;
    enum { ROUNDS = 7 };
    int total = ROUNDS * global * each, *found = malloc(sizeof(int) * total);
    cl_mem pipe = clCreatePipe(context, 0, packet_size, most, NULL, &code), failed = zeros(4), counts = zeros(sizeof(int) * total);
    check(code == CL_SUCCESS, "pipe");
    sprintf(produce, "produce%s", how);
    sprintf(consume, "consume%s", how);
    for (int round = 0; round < ROUNDS; round++, next += global * each) {
        int lost = launch(produce, pipe, failed, &next, sizeof next, global, local);
        in_pipe += global * each - lost;
        check(lost >= 0 && in_pipe <= most && (lost == 0 || most - in_pipe < local * each), "what has no room");
        sizes(pipe, (int[]){in_pipe, most, packet_size});
        int missed = launch(consume, pipe, failed, &counts, sizeof counts, global, local);
        in_pipe -= global * each - missed;
        consumed += global * each - missed;
        check(in_pipe >= 0 && (missed == 0 || in_pipe < local * each), "what is left");
    }
    check(!clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, sizeof(int) * total, found, 0, NULL, NULL), "read");
    int once = 0;
    for (int i = 0; i < total; i++) {
        check(found[i] == 0 || found[i] == 1, "a packet that was read twice");
        once += found[i];
    }
    check(once == consumed, "a packet that was lost");
    free(found);
    clReleaseMemObject(pipe);
    clReleaseMemObject(failed);
    clReleaseMemObject(counts);
}

static void rules(int packet_size)
{
    cl_int code;
    cl_uint value = 0, most_bytes = 0, bytes = 9;
    size_t size = 9;
    cl_mem_object_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most_bytes, &most_bytes, NULL);
    check(most_bytes >= 1024, "largest packet");
    check(!clGetDeviceInfo(device, CL_DEVICE_MAX_PIPE_ARGS, sizeof value, &value, NULL) && value >= 16, "arguments");
    check(!clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof value, &value, NULL) && value, "reservations");
    check(!clCreatePipe(context, 0, 0, 4, NULL, &code) && code == CL_INVALID_PIPE_SIZE, "no bytes");
    check(!clCreatePipe(context, 0, 4, 0, NULL, &code) && code == CL_INVALID_PIPE_SIZE, "no packets");
    check(!clCreatePipe(context, 0, most_bytes + 1, 4, NULL, &code) && code == CL_INVALID_PIPE_SIZE, "too many bytes");
    check(!clCreatePipe(context, CL_MEM_READ_ONLY, 4, 4, NULL, &code) && code == CL_INVALID_VALUE, "flags");
    cl_pipe_properties properties[] = {0};
    check(!clCreatePipe(context, 0, 4, 4, properties, &code) && code == CL_INVALID_VALUE, "properties");
    cl_mem pipe = clCreatePipe(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, packet_size, 6, NULL, &code), buffer = zeros(64);
    check(code == CL_SUCCESS, "pipe");
    check(!clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 4, &bytes, NULL) && bytes == (cl_uint)packet_size, "its packets");
    check(!clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, 4, &bytes, NULL) && bytes == 6, "their number");
    check(!clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size) && size == 0, "its properties");
    check(clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, 4, &bytes, NULL) == CL_INVALID_MEM_OBJECT, "a buffer is no pipe");
    check(!clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL) && type == CL_MEM_OBJECT_PIPE, "its type");
    check(clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, &value, 0, NULL, NULL) == CL_INVALID_MEM_OBJECT
              && clEnqueueFillBuffer(queue, pipe, &value, 4, 0, 4, 0, NULL, NULL) == CL_INVALID_MEM_OBJECT
              && clEnqueueCopyBuffer(queue, buffer, pipe, 0, 0, 4, 0, NULL, NULL) == CL_INVALID_MEM_OBJECT
              && !clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &code)
              && code == CL_INVALID_MEM_OBJECT
              && clEnqueueUnmapMemObject(queue, pipe, &value, 0, NULL, NULL) == CL_INVALID_MEM_OBJECT, "the host has no access");
    cl_kernel kernel = clCreateKernel(program, "produce", &code);
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_context elsewhere = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_mem foreign = clCreatePipe(elsewhere, 0, packet_size, 6, NULL, &code);
    check(clSetKernelArg(kernel, 0, sizeof foreign, &foreign) == CL_INVALID_CONTEXT, "a pipe of another context");
    clReleaseMemObject(foreign), clReleaseContext(elsewhere);
    cl_mem none = NULL;
    check(!clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL)
              && qualifier & CL_KERNEL_ARG_TYPE_PIPE, "a parameter that is a pipe");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_INVALID_MEM_OBJECT
              && clSetKernelArg(kernel, 0, sizeof none, &none) == CL_INVALID_MEM_OBJECT
              && clSetKernelArg(kernel, 0, 4, &pipe) == CL_INVALID_ARG_SIZE
              && clSetKernelArg(kernel, 1, sizeof pipe, &pipe) == CL_INVALID_MEM_OBJECT, "arguments of another kind");
    clReleaseKernel(kernel);
    clReleaseMemObject(buffer);
    clReleaseMemObject(pipe);
}

/* Many packets, whose ring ends at another place of each round. */
static void many_packets(int millions)
{
    cl_int code, first = 0, total = millions * 1000000;
    int *found = malloc(sizeof(int) * total);
    size_t round = 100000, local = 100;
    cl_mem pipe = clCreatePipe(context, 0, 12, 100003, NULL, &code), failed = zeros(4), counts = zeros(sizeof(int) * total);
    cl_kernel produce = clCreateKernel(program, "produce", &code), consume = clCreateKernel(program, "consume", &code);
    check(code == CL_SUCCESS && !clSetKernelArg(produce, 0, sizeof pipe, &pipe) && !clSetKernelArg(produce, 1, sizeof failed, &failed)
              && !clSetKernelArg(consume, 0, sizeof pipe, &pipe) && !clSetKernelArg(consume, 1, sizeof failed, &failed)
              && !clSetKernelArg(consume, 2, sizeof counts, &counts), "arguments");
    for (; first < total; first += (int)round) {
        check(!clSetKernelArg(produce, 2, sizeof first, &first)
                  && !clEnqueueNDRangeKernel(queue, produce, 1, NULL, &round, &local, 0, NULL, NULL)
                  && !clEnqueueNDRangeKernel(queue, consume, 1, NULL, &round, &local, 0, NULL, NULL), "launches");
    }
    check(!clEnqueueReadBuffer(queue, counts, CL_TRUE, 0, sizeof(int) * total, found, 0, NULL, NULL), "read");
    for (int i = 0; i < total; i++) check(found[i] == 1, "each packet once");
    free(found);
    clReleaseKernel(produce);
    clReleaseKernel(consume);
    clReleaseMemObject(pipe);
    clReleaseMemObject(failed);
    clReleaseMemObject(counts);
}

int main(int count, char **arguments)
{
    cl_int code;
    cl_bool has_pipes = CL_FALSE;
    cl_uint sub_groups = 0;
    char options[256];
    check(count == 2 && !clGetPlatformIDs(1, &platform, NULL), "platform");
    check(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    check(!clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, NULL), "support of pipes");
    if (!has_pipes) return puts("none") < 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    static const struct {
        const char *type;
        int padding, size;
    } packets[] = {{"char", 1, 12}, {"int", 11, 52}, {"long", 2, 32}};
    for (int i = 0; i < 3; i++) {
        sprintf(options, "-cl-std=CL3.0 -DTYPE=%s -DPADDING=%d -DSUB_GROUPS=%d", packets[i].type, packets[i].padding, sub_groups > 0);
        build(options);
        if (i == 0) rules(packets[i].size), many_packets(atoi(arguments[1]));
        rounds("", packets[i].size, 100, 96, 24, 1);
        rounds("", packets[i].size, 40, 96, 24, 1);
        rounds("_alone", packets[i].size, 41, 48, 12, 2);
        rounds("_group", packets[i].size, 100, 96, 24, 2);
        if (sub_groups) rounds("_sub", packets[i].size, 150, 96, 24, 2);
        clReleaseProgram(program);
    }
    puts("passed");
    return 0;
}
