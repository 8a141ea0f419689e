/* Shared virtual memory: pointers that host and kernels both follow, and the commands on it. It prints "none"
   where the device has none. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *source =
    "typedef struct node { global struct node *next; int value; int unused; } node;\n"
    "kernel void twice(global node *list) { for (; list; list = list->next) list->value *= 2; }\n"
    "kernel void chain(global node *nodes, global node *global *first, int count) {\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        nodes[i].value = 10 + i;\n"
    "        nodes[i].next = i + 1 < count ? nodes + i + 1 : 0;\n"
    "    }\n"
    "    *first = nodes;\n"
    "}\n"
    "kernel void ids(global int *to) { to[get_global_id(0)] = get_global_id(0); }\n";

struct node {
    struct node *next;
    int32_t value, unused;
};

static cl_device_svm_capabilities has;
static cl_context context;
static cl_command_queue queue;
static const size_t one = 1;

static void map(void *memory, size_t size, cl_map_flags flags)
{
    check(clEnqueueSVMMap(queue, CL_TRUE, flags, memory, size, 0, NULL, NULL) == CL_SUCCESS, "map");
}

static void unmap(void *memory)
{
    check(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL) == CL_SUCCESS, "unmap");
}

/* The host makes a list that spans two allocations and a kernel follows it, then the other way round. */
static void lists(cl_kernel twice, cl_kernel chain)
{
    enum { COUNT = 8 };
    struct node *first = clSVMAlloc(context, CL_MEM_READ_WRITE, COUNT * sizeof *first, 0);
    struct node *second = clSVMAlloc(context, 0, COUNT * sizeof *second, sizeof(void *));
    check(first && second && first != second && (uintptr_t)first % 128 == 0, "allocations");
    map(first, COUNT * sizeof *first, CL_MAP_WRITE);
    map(second, COUNT * sizeof *second, CL_MAP_WRITE_INVALIDATE_REGION);
    for (int i = 0; i < COUNT; i++) {
        first[i].value = i, second[i].value = 100 + i;
        first[i].next = second + i, second[i].next = i + 1 < COUNT ? first + i + 1 : NULL;
    }
    unmap(first);
    unmap(second);
    void *reached[] = {second};
    check(clSetKernelExecInfo(twice, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, reached) == CL_SUCCESS, "pointers");
    check(clSetKernelExecInfo(twice, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL) == CL_SUCCESS, "no pointers any more");
    check(clSetKernelExecInfo(twice, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL) == CL_INVALID_VALUE, "pointers that are missing");
    check(clSetKernelExecInfo(twice, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, reached) == CL_SUCCESS, "pointers again");
    check(clSetKernelArgSVMPointer(twice, 0, first + 1) == CL_SUCCESS, "a pointer into an allocation");
    check(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    map(first, COUNT * sizeof *first, CL_MAP_READ);
    map(second, COUNT * sizeof *second, CL_MAP_READ);
    check(first[0].value == 0 && second[0].value == 100, "what is before the pointer");
    for (int i = 1; i < COUNT; i++) check(first[i].value == 2 * i && second[i].value == 200 + 2 * i, "what it leads to");
    unmap(first);
    unmap(second);

    cl_int count = COUNT;
    check(clSetKernelArgSVMPointer(chain, 0, second) == CL_SUCCESS && clSetKernelArgSVMPointer(chain, 1, first) == CL_SUCCESS
              && clSetKernelArg(chain, 2, sizeof count, &count) == CL_SUCCESS, "arguments");
    check(clEnqueueNDRangeKernel(queue, chain, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    map(first, sizeof(void *), CL_MAP_READ);
    map(second, COUNT * sizeof *second, CL_MAP_READ);
    int length = 0;
    for (struct node *node = *(struct node **)first; node; node = node->next) check(node->value == 10 + length++, "node");
    check(length == COUNT, "the kernel's list");
    unmap(first);
    unmap(second);
    check(clFinish(queue) == CL_SUCCESS, "finish");
    clSVMFree(context, first);
    clSVMFree(context, second);
    check(clSetKernelArgSVMPointer(twice, 0, first)
              == (has & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? CL_SUCCESS : CL_INVALID_ARG_VALUE), "a pointer that was freed");
    check(clSetKernelArgSVMPointer(twice, 1, first) == CL_INVALID_ARG_INDEX
              || clSetKernelArgSVMPointer(twice, 1, first) == CL_INVALID_ARG_VALUE, "an argument that is not there");
}

static void CL_CALLBACK freed(cl_command_queue from, cl_uint count, void *pointers[], void *data)
{
    for (cl_uint i = 0; i < count; i++) clSVMFree(context, pointers[i]);
    *(cl_uint *)data = from == queue ? count : 0;
}

/* Fills and copies, and memory that is freed by a command. */
static void transfers(void)
{
    unsigned char host[64], *first = clSVMAlloc(context, 0, 64, 0), *second = clSVMAlloc(context, 0, 64, 0);
    cl_uint pattern = 0x04030201, called = 0;
    for (int i = 0; i < 64; i++) host[i] = i;
    check(clEnqueueSVMMemFill(queue, first, &pattern, 4, 64, 0, NULL, NULL) == CL_SUCCESS, "fill");
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, first + 8, host, 16, 0, NULL, NULL) == CL_SUCCESS, "from the host");
    check(clEnqueueSVMMemcpy(queue, CL_FALSE, second, first, 64, 0, NULL, NULL) == CL_SUCCESS, "to other shared memory");
    memset(host, 0xFF, sizeof host);
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, host + 1, second + 4, 24, 0, NULL, NULL) == CL_SUCCESS, "to the host");
    check(host[0] == 0xFF && host[25] == 0xFF, "what surrounds the copy");
    for (int i = 0; i < 24; i++) check(host[1 + i] == (i < 4 || i >= 20 ? i % 4 + 1 : i - 4), "the copy");
    const void *pointers[] = {first, second + 3};
    size_t sizes[] = {0, 61};
    check(clEnqueueSVMMigrateMem(queue, 2, pointers, sizes, 0, 0, NULL, NULL) == CL_SUCCESS, "migration");
    sizes[1] = 62;
    check(clEnqueueSVMMigrateMem(queue, 2, pointers, sizes, 0, 0, NULL, NULL) == CL_INVALID_VALUE, "out of an allocation");
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, first, first + 8, 16, 0, NULL, NULL) == CL_MEM_COPY_OVERLAP, "overlap");
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, first, 16, 0, NULL, NULL) == CL_INVALID_VALUE, "a copy to nowhere");
    check(clEnqueueSVMMemFill(queue, first + 2, &pattern, 4, 8, 0, NULL, NULL) == CL_INVALID_VALUE, "alignment of a fill");
    check(clEnqueueSVMMemFill(queue, first, &pattern, 3, 9, 0, NULL, NULL) == CL_INVALID_VALUE, "size of a pattern");
    const cl_int elsewhere = has & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? CL_SUCCESS : CL_INVALID_VALUE;
    check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, host, 8, 0, NULL, NULL) == elsewhere, "other memory mapped");
    check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, NULL, 8, 0, NULL, NULL) == CL_INVALID_VALUE, "null mapped");
    check(clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL) == CL_INVALID_VALUE, "null unmapped");
    void *both[] = {first, second};
    cl_event event;
    cl_command_type type;
    check(clEnqueueSVMFree(queue, 2, both, freed, &called, 0, NULL, &event) == CL_SUCCESS, "free by a function");
    check(clWaitForEvents(1, &event) == CL_SUCCESS && called == 2, "the function");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == 0 && type == CL_COMMAND_SVM_FREE, "type");
    clReleaseEvent(event);
    both[0] = clSVMAlloc(context, 0, 16, 0);
    check(clEnqueueSVMFree(queue, 1, both, NULL, NULL, 0, NULL, NULL) == CL_SUCCESS && clFinish(queue) == 0, "free");
    check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, both[0], 8, 0, NULL, NULL) == elsewhere, "what was freed");
}

/* A buffer over shared memory, and a part of it. */
static void buffers(cl_kernel ids)
{
    cl_int code, *shared = clSVMAlloc(context, 0, 128 * sizeof *shared, 0);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 128 * sizeof *shared, shared, &code);
    check(code == CL_SUCCESS, "buffer");
    check(!clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 129 * sizeof *shared, shared, &code)
              && code == CL_INVALID_BUFFER_SIZE, "a buffer larger than the allocation");
    cl_buffer_region region = {64 * sizeof *shared, 64 * sizeof *shared};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    cl_bool uses[2] = {0};
    check(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof *uses, &uses[0], NULL) == 0
              && clGetMemObjectInfo(part, CL_MEM_USES_SVM_POINTER, sizeof *uses, &uses[1], NULL) == 0
              && uses[0] && uses[1], "use of shared memory");
    const size_t count = 64;
    check(clSetKernelArg(ids, 0, sizeof part, &part) == CL_SUCCESS
              && clEnqueueNDRangeKernel(queue, ids, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    cl_int *mapped = clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 64 * sizeof *shared, 0, NULL,
                                        NULL, &code);
    check(code == CL_SUCCESS && mapped == shared + 64, "the mapped part");
    for (int i = 0; i < 64; i++) check(mapped[i] == i, "what the kernel has written");
    mapped[5] = 77;
    check(clEnqueueUnmapMemObject(queue, part, mapped, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    cl_int value = 0;
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 69 * sizeof value, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS
              && value == 77, "what the host has written");
    clReleaseMemObject(part);
    clReleaseMemObject(buffer);
    clSVMFree(context, shared);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL) == CL_SUCCESS, "query");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    if (!has) {
        check(!clSVMAlloc(context, 0, 16, 0), "memory of a feature that is not there");
        return puts("none"), 0;
    }
    const cl_device_svm_capabilities fine = CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
    check(has & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER && (has & fine) != CL_DEVICE_SVM_ATOMICS, "capabilities");
    check(!clSVMAlloc(context, 0, 0, 0) && !clSVMAlloc(context, 0, 16, 3) && !clSVMAlloc(context, 0, 16, 256), "sizes");
    void *fine_grained = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 16, 0);
    check(!fine_grained == !(has & CL_DEVICE_SVM_ATOMICS) && !clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 16, 0), "fine-grained memory");
    clSVMFree(context, fine_grained);
    fine_grained = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 16, 0);
    check(!fine_grained == !(has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER), "fine-grained memory without atomics");
    clSVMFree(context, fine_grained);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS, "build");
    cl_kernel twice = clCreateKernel(program, "twice", &code), chain = clCreateKernel(program, "chain", &code);
    cl_kernel ids = clCreateKernel(program, "ids", &code);
    check(code == CL_SUCCESS, "kernels");
    cl_bool all = CL_TRUE;
    check(clSetKernelExecInfo(twice, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof all, &all)
              == (has & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? CL_SUCCESS : CL_INVALID_OPERATION), "all of the host's memory");
    lists(twice, chain);
    transfers();
    buffers(ids);
    return puts("passed"), 0;
}
