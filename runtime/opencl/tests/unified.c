/* Unified shared memory (cl_intel_unified_shared_memory), and fine-grained shared virtual memory. It prints what the device
   has: "device", "host and shared", "system". */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *source =
    "typedef struct node { global struct node *next; int value; int unused; } node;\n"
    "kernel void add(global int *to, int value) { to[get_global_id(0)] += value; }\n"
    "kernel void sum(global node *global *list, global int *to) {\n"
    "    int sum = 0;\n"
    "    for (global node *at = *list; at; at = at->next) sum += at->value;\n"
    "    *to = sum;\n"
    "}\n"
    "kernel void wait(global atomic_int *go, global int *to) {\n"
    "    int rounds = 0;\n"
    "    while (!atomic_load_explicit(go, memory_order_acquire, memory_scope_device) && rounds < 2000000000) rounds++;\n"
    "    int may_go = atomic_load_explicit(go, memory_order_acquire, memory_scope_device);\n"
    "    to[1] = may_go ? to[0] + 1 : -1;\n"
    "    if (may_go) atomic_fetch_add_explicit(go, 1, memory_order_release, memory_scope_device);\n"
    "}\n";

struct node {
    struct node *next;
    int32_t value, unused;
};

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel add, sum, wait_kernel;
static const size_t one = 1;

static clHostMemAllocINTEL_fn allocate_host;
static clDeviceMemAllocINTEL_fn allocate_device;
static clSharedMemAllocINTEL_fn allocate_shared;
static clMemFreeINTEL_fn release;
static clMemBlockingFreeINTEL_fn release_blocking;
static clGetMemAllocInfoINTEL_fn get_info;
static clSetKernelArgMemPointerINTEL_fn set_pointer;
static clEnqueueMemFillINTEL_fn fill;
static clEnqueueMemcpyINTEL_fn copy;
static clEnqueueMigrateMemINTEL_fn migrate;
static clEnqueueMemAdviseINTEL_fn advise;

static cl_mem (*create_buffer)(cl_context, const cl_mem_properties_intel *, cl_mem_flags, size_t, void *, cl_int *);

static void *function(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    check(found != NULL, name);
    return found;
}

static void functions(void)
{
    *(void **)&allocate_host = function("clHostMemAllocINTEL");
    *(void **)&allocate_device = function("clDeviceMemAllocINTEL");
    *(void **)&allocate_shared = function("clSharedMemAllocINTEL");
    *(void **)&release = function("clMemFreeINTEL");
    *(void **)&release_blocking = function("clMemBlockingFreeINTEL");
    *(void **)&get_info = function("clGetMemAllocInfoINTEL");
    *(void **)&set_pointer = function("clSetKernelArgMemPointerINTEL");
    *(void **)&fill = function("clEnqueueMemFillINTEL");
    *(void **)&copy = function("clEnqueueMemcpyINTEL");
    *(void **)&migrate = function("clEnqueueMigrateMemINTEL");
    *(void **)&create_buffer = function("clCreateBufferWithPropertiesINTEL");
    *(void **)&advise = function("clEnqueueMemAdviseINTEL");
}

static cl_bitfield capability(cl_device_info name)
{
    cl_bitfield has = ~(cl_bitfield)0;
    check(clGetDeviceInfo(device, name, sizeof has, &has, NULL) == CL_SUCCESS && has <= 15, "capabilities");
    return has;
}

static void launch(cl_kernel kernel, size_t count, cl_event *event)
{
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, event) == CL_SUCCESS, "launch");
}

/* The types of commands. */
static void ends_as(cl_event event, cl_command_type type)
{
    cl_command_type has = 0;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof has, &has, NULL) == 0 && has == type, "type of a command");
    check(clWaitForEvents(1, &event) == CL_SUCCESS && clReleaseEvent(event) == CL_SUCCESS, "end of a command");
}

static void described(const void *pointer, cl_uint kind, const void *first, size_t size, cl_device_id of, cl_bitfield flags)
{
    cl_uint has_kind = 0;
    void *has_first = &has_kind;
    size_t has_size = 1, needed = 0;
    cl_device_id has_device = platform == NULL ? NULL : device;
    cl_bitfield has_flags = 99;
    check(get_info(context, pointer, CL_MEM_ALLOC_TYPE_INTEL, sizeof has_kind, &has_kind, &needed) == CL_SUCCESS
              && has_kind == kind && needed == sizeof has_kind, "type of memory");
    check(get_info(context, pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof has_first, &has_first, NULL) == CL_SUCCESS
              && has_first == first, "base pointer");
    check(get_info(context, pointer, CL_MEM_ALLOC_SIZE_INTEL, sizeof has_size, &has_size, NULL) == CL_SUCCESS
              && has_size == size, "size");
    check(get_info(context, pointer, CL_MEM_ALLOC_DEVICE_INTEL, sizeof has_device, &has_device, NULL) == CL_SUCCESS
              && has_device == of, "device");
    check(get_info(context, pointer, CL_MEM_ALLOC_FLAGS_INTEL, sizeof has_flags, &has_flags, NULL) == CL_SUCCESS
              && has_flags == flags, "flags");
    check(get_info(context, pointer, CL_MEM_ALLOC_SIZE_INTEL, 4, &has_size, NULL) == CL_INVALID_VALUE, "size of an answer");
    check(get_info(context, pointer, CL_MEM_SIZE, 8, &has_size, NULL) == CL_INVALID_VALUE, "another query");
}

static void device_memory(void)
{
    enum { COUNT = 1000 };
    static int host[COUNT];
    cl_int code;
    cl_event event;
    const int pattern = 5;
    const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    int *first = allocate_device(context, device, properties, sizeof host, 0, &code);
    check(first != NULL && code == CL_SUCCESS && (uintptr_t)first % 128 == 0, "device memory");
    int *second = allocate_device(context, device, NULL, sizeof host, 64, &code);
    check(second != NULL && code == CL_SUCCESS, "other device memory");
    described(first + 7, CL_MEM_TYPE_DEVICE_INTEL, first, sizeof host, device, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    described(second, CL_MEM_TYPE_DEVICE_INTEL, second, sizeof host, device, 0);
    described(host, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    check(fill(queue, first, &pattern, sizeof pattern, sizeof host, 0, NULL, &event) == CL_SUCCESS, "fill");
    ends_as(event, CL_COMMAND_MEMFILL_INTEL);
    for (int i = 0; i < COUNT; i++) host[i] = i;
    check(copy(queue, CL_FALSE, second, host, sizeof host, 0, NULL, &event) == CL_SUCCESS, "copy from the host");
    ends_as(event, CL_COMMAND_MEMCPY_INTEL);
    check(copy(queue, CL_FALSE, first + 100, second, 400, 0, NULL, NULL) == CL_SUCCESS, "copy on the device");
    const int value = 1000;
    check(set_pointer(add, 0, first + 50) == CL_SUCCESS && clSetKernelArg(add, 1, sizeof value, &value) == 0, "arguments");
    launch(add, 100, NULL);
    check(copy(queue, CL_TRUE, host, first, sizeof host, 0, NULL, NULL) == CL_SUCCESS, "copy to the host");
    for (int i = 0; i < COUNT; i++) {
        int before = i >= 100 && i < 200 ? i - 100 : pattern;
        check(host[i] == (i >= 50 && i < 150 ? before + value : before), "what the kernel has computed");
    }
    check(migrate(queue, first, 8, 0, 0, NULL, &event) == CL_SUCCESS, "migration");
    ends_as(event, CL_COMMAND_MIGRATEMEM_INTEL);
    check(migrate(queue, first, 8, 8, 0, NULL, NULL) == CL_INVALID_VALUE, "flags of a migration");
    check(advise(queue, first, 8, 0, 0, NULL, &event) == CL_SUCCESS, "advice");
    ends_as(event, CL_COMMAND_MEMADVISE_INTEL);
    check(copy(queue, CL_TRUE, first, first + 1, 64, 0, NULL, NULL) == CL_MEM_COPY_OVERLAP, "overlap");
    check(copy(queue, CL_TRUE, NULL, first, 64, 0, NULL, NULL) == CL_INVALID_VALUE, "a copy to nowhere");
    check(copy(queue, CL_TRUE, first, NULL, 64, 0, NULL, NULL) == CL_INVALID_VALUE, "a copy from nowhere");
    check(fill(queue, NULL, &pattern, 4, 64, 0, NULL, NULL) == CL_INVALID_VALUE, "no memory to fill");
    check(fill(queue, first, NULL, 4, 64, 0, NULL, NULL) == CL_INVALID_VALUE, "no pattern");
    check(fill(queue, first, &pattern, 3, 63, 0, NULL, NULL) == CL_INVALID_VALUE, "size of a pattern");
    check(fill(queue, (char *)first + 2, &pattern, 4, 64, 0, NULL, NULL) == CL_INVALID_VALUE, "alignment of a fill");
    check(fill(queue, first, &pattern, 4, 66, 0, NULL, NULL) == CL_INVALID_VALUE, "size of a fill");
    check(set_pointer(add, 2, first) == CL_INVALID_ARG_INDEX && set_pointer(add, 1, first) == CL_INVALID_ARG_VALUE, "index");
    check(set_pointer(add, 0, NULL) == CL_SUCCESS && set_pointer(add, 0, host) == CL_SUCCESS, "every pointer is valid");
    check(release(context, first + 1) == CL_INVALID_VALUE && release(context, NULL) == CL_SUCCESS, "what is not freed");
    check(set_pointer(add, 0, second) == CL_SUCCESS, "argument");
    launch(add, COUNT, NULL);
    check(release_blocking(context, second) == CL_SUCCESS && release_blocking(context, second) == CL_INVALID_VALUE, "free");
    check(release(context, first) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "free at once");
    described(first, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
}

static void refused(cl_int expected, cl_context of, cl_device_id on, const cl_mem_properties_intel *properties, size_t size,
                    cl_uint alignment, const char *what)
{
    cl_int code = 1;
    check(allocate_device(of, on, properties, size, alignment, &code) == NULL && code == expected, what);
}

static void mistakes(void)
{
    cl_int code = 1, value = 7;
    cl_mem buffer = create_buffer(context, NULL, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &code);
    check(buffer && code == CL_SUCCESS && clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &code, 0, NULL, NULL) == 0
              && code == 7 && clReleaseMemObject(buffer) == CL_SUCCESS, "a buffer with properties");
    check(!create_buffer(context, NULL, 0, 0, NULL, &code) && code == CL_INVALID_BUFFER_SIZE, "a buffer without bytes");
    const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    const cl_mem_properties_intel unknown[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 9, 0}, other[] = {CL_MEM_FLAGS, 0, 0};
    const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
    refused(CL_INVALID_CONTEXT, NULL, device, NULL, 16, 0, "no context");
    refused(CL_INVALID_DEVICE, context, NULL, NULL, 16, 0, "no device");
    refused(CL_INVALID_VALUE, context, device, NULL, 16, 3, "an alignment of 3");
    refused(CL_INVALID_VALUE, context, device, NULL, 16, 256, "an alignment of 256");
    refused(CL_INVALID_BUFFER_SIZE, context, device, NULL, 0, 0, "no bytes");
    refused(CL_INVALID_BUFFER_SIZE, context, device, NULL, SIZE_MAX, 0, "all bytes");
    refused(CL_INVALID_PROPERTY, context, device, placed, 16, 0, "a place for device memory");
    refused(CL_INVALID_PROPERTY, context, device, unknown, 16, 0, "unknown flags");
    refused(CL_INVALID_PROPERTY, context, device, other, 16, 0, "another property");
    refused(CL_INVALID_PROPERTY, context, device, twice, 16, 0, "a property twice");
    check(release(NULL, NULL) == CL_INVALID_CONTEXT && release_blocking(NULL, NULL) == CL_INVALID_CONTEXT, "free of nothing");
}

/* A list through three kinds of memory that no argument names; the host writes and reads them without mapping. */
static void lists(void)
{
    const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
    cl_int code;
    struct node *host = allocate_host(context, NULL, sizeof *host, 0, &code);
    check(host != NULL && code == CL_SUCCESS, "host memory");
    struct node *shared = allocate_shared(context, device, placed, sizeof *shared, 0, &code);
    check(shared != NULL && code == CL_SUCCESS, "shared memory");
    struct node *anywhere = allocate_shared(context, NULL, NULL, 2 * sizeof *anywhere, 16, &code);
    check(anywhere != NULL && code == CL_SUCCESS, "shared memory of no device");
    struct node **list = allocate_host(context, NULL, sizeof *list, 0, &code);
    int *result = allocate_shared(context, device, NULL, sizeof *result, 0, &code);
    described(host, CL_MEM_TYPE_HOST_INTEL, host, sizeof *host, NULL, 0);
    described(shared, CL_MEM_TYPE_SHARED_INTEL, shared, sizeof *shared, device, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL);
    described(anywhere + 1, CL_MEM_TYPE_SHARED_INTEL, anywhere, 2 * sizeof *anywhere, NULL, 0);
    const cl_bool yes = CL_TRUE;
    check(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof yes, &yes) == 0
              && clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes) == 0
              && clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes) == 0
              && clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, 1, &yes) == CL_INVALID_VALUE,
          "indirect accesses");
    check(set_pointer(sum, 0, list) == CL_SUCCESS && set_pointer(sum, 1, result) == CL_SUCCESS, "arguments");
    for (int round = 1; round < 4; round++) {
        *host = (struct node){shared, round, 0};
        *shared = (struct node){anywhere + 1, 10 * round, 0};
        anywhere[1] = (struct node){NULL, 100 * round, 0};
        *list = host;
        launch(sum, 1, NULL);
        check(clFinish(queue) == CL_SUCCESS && *result == 111 * round, "the sum of a list");
    }
    const void *reached[] = {host, shared, anywhere};
    check(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof reached, reached) == 0
              && clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, reached) == CL_INVALID_VALUE
              && clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, NULL) == 0, "pointers");
    check(release(context, host) == 0 && release(context, shared) == 0 && release(context, anywhere) == 0
              && release(context, list) == 0 && release_blocking(context, result) == 0, "free");
}

/* A kernel waits for the host, and the host for the kernel. Whether the kernel has seen the host: lavapipe before 25 ends its loop
   after 65,535 iterations. */
static int meets(atomic_int *go, int *data)
{
    cl_event event;
    cl_int status = CL_QUEUED;
    atomic_store(go, 0), data[0] = 0;
    launch(wait_kernel, one, &event);
    check(clFlush(queue) == CL_SUCCESS, "flush");
    data[0] = 41;
    atomic_store(go, 1);
    while (atomic_load(go) != 2 && status > CL_COMPLETE)
        check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == 0, "status");
    int seen = atomic_load(go) == 2;
    check(seen ? data[1] == 42 : data[1] == -1, "what the kernel has written while it ran");
    cl_int finished = clFinish(queue);
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == 0, "status");
    check((finished == CL_SUCCESS) == (status == CL_COMPLETE) && clReleaseEvent(event) == CL_SUCCESS, "finish");
    return seen;
}

static void concurrent(void)
{
    cl_int code;
    for (int unified = 0; unified < 2; unified++) {
        const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
        atomic_int *go = unified ? allocate_host(context, NULL, 64, 0, &code) : clSVMAlloc(context, fine, 64, 0);
        check(go != NULL, "memory for both at once");
        int *data = (int *)go + 4;
        check((unified ? set_pointer(wait_kernel, 0, go) : clSetKernelArgSVMPointer(wait_kernel, 0, go)) == CL_SUCCESS
                  && (unified ? set_pointer(wait_kernel, 1, data) : clSetKernelArgSVMPointer(wait_kernel, 1, data)) == 0,
              "arguments");
        int seen = 0;
        for (int round = 0; round < 100 && !seen; round++) seen = meets(go, data);
        check(seen, "the kernel sees what the host writes");
        if (unified) check(release(context, go) == CL_SUCCESS, "free"); else clSVMFree(context, go);
    }
}

/* Memory that the device knows nothing of. */
static void system_memory(void)
{
    struct node first = {NULL, 30, 0}, *list = malloc(sizeof *list), *start = list;
    *list = (struct node){&first, 12, 0};
    int result = 0, value = -2;
    const cl_bool yes = CL_TRUE;
    check(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes) == CL_SUCCESS, "all memory");
    check(clSetKernelArgSVMPointer(sum, 0, &start) == CL_SUCCESS && set_pointer(sum, 1, &result) == CL_SUCCESS, "arguments");
    launch(sum, 1, NULL);
    check(set_pointer(add, 0, &result) == 0 && clSetKernelArg(add, 1, sizeof value, &value) == 0, "arguments");
    launch(add, 1, NULL);
    check(clFinish(queue) == CL_SUCCESS && result == 40, "the sum of a list on stack and heap");
    const short pattern = 0x0707;
    check(fill(queue, &result, &pattern, 2, 4, 0, NULL, NULL) == 0 && clFinish(queue) == 0 && result == 0x07070707, "fill");
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, &value, &result, 4, 0, NULL, NULL) == 0 && value == result, "copy");
    free(list);
}

int main(void)
{
    cl_int code;
    char extensions[8192];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    functions();
    cl_bitfield of_device = capability(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
    cl_bitfield of_host = capability(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
    check(!of_device == !strstr(extensions, "cl_intel_unified_shared_memory"), "the name of the extension");
    check(of_host == capability(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL), "capabilities of shared memory");
    check(capability(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) == 0, "memory across devices");
    if (!of_device) {
        refused(CL_INVALID_OPERATION, context, device, NULL, 16, 0, "memory of a feature that is not there");
        return puts("none"), 0;
    }
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS, "build");
    add = clCreateKernel(program, "add", &code), sum = clCreateKernel(program, "sum", &code);
    wait_kernel = clCreateKernel(program, "wait", &code);
    check(code == CL_SUCCESS, "kernels");
    device_memory();
    mistakes();
    fputs("device\n", stdout);
    if (of_host) {
        lists();
        if (of_host & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL) concurrent();
        fputs("host and shared\n", stdout);
    } else {
        check(!allocate_host(context, NULL, 16, 0, &code) && code == CL_INVALID_OPERATION, "host memory");
        check(!allocate_shared(context, device, NULL, 16, 0, &code) && code == CL_INVALID_OPERATION, "shared memory");
    }
    if (capability(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL)) {
        system_memory();
        fputs("system\n", stdout);
    }
    return 0;
}
