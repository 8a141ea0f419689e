/* Types of shared virtual memory (cl_khr_unified_svm). It prints how many types the device has. The names are declared here,
   because headers of distributions lack them. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <stdint.h>
#include <string.h>

enum { PLATFORM_TYPES = 0x0909, DEVICE_TYPES = 0x1077, INDIRECT = 0x11BB };
enum { ASSOCIATED = 0x2078, ACCESS, ALIGNMENT };
enum { TYPE_INDEX = 0x2088, CAPABILITIES, PROPERTIES, ACCESS_FLAGS, BASE = 0x419B, SIZE, DEVICE };
enum {
    SINGLE_SPACE = 1 << 0, SYSTEM = 1 << 1, OWNED = 1 << 2, UNASSOCIATED = 1 << 3, HOST_OWNED = 1 << 5, HOST_READ = 1 << 6,
    HOST_WRITE = 1 << 7, HOST_MAP = 1 << 8, DEVICE_READ = 1 << 9, DEVICE_WRITE = 1 << 10, ATOMICS = 1 << 11, FOLLOWED = 1 << 14
};
enum { MOST = 16, COUNT = 256 };

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel add, follow, count_up;

static void *(*allocate)(cl_context, const cl_ulong *, cl_uint, size_t, cl_int *);
static cl_int (*release)(cl_context, const cl_ulong *, cl_ulong, void *);
static cl_int (*get_info)(cl_context, cl_device_id, const void *, cl_uint, size_t, void *, size_t *);
static cl_int (*suggest)(cl_context, cl_ulong, cl_ulong, const cl_ulong *, size_t, cl_uint *);

static const char *source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void follow(global int *global *list, global int *out) { *out = **list; }\n"
    "kernel void count_up(global atomic_int *p) { atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_device); }\n";

static void launch(cl_kernel kernel, size_t count)
{
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    check(clFinish(queue) == CL_SUCCESS, "finish");
}

static cl_ulong asked(const void *pointer, cl_device_id of, cl_uint name, size_t size)
{
    cl_ulong value = 0;
    size_t needed = 0;
    check(get_info(context, of, pointer, name, sizeof value, &value, &needed) == CL_SUCCESS && needed == size, "information");
    return value;
}

static void described(const int *first, cl_uint index, const cl_ulong *properties, size_t count, cl_ulong of_device, cl_ulong of_platform)
{
    cl_ulong list[8];
    size_t needed;
    for (int offset = 0; offset < 2; offset++) {
        const int *pointer = first + offset * 5;
        check(asked(pointer, NULL, TYPE_INDEX, 4) == index && asked(pointer, device, TYPE_INDEX, 4) == index, "index");
        check(asked(pointer, device, CAPABILITIES, 8) == of_device, "capabilities on the device");
        check((asked(pointer, NULL, CAPABILITIES, 8) & of_platform) == of_platform, "capabilities on all devices");
        check(asked(pointer, NULL, BASE, sizeof pointer) == (uintptr_t)first, "base");
        check(asked(pointer, NULL, SIZE, sizeof(size_t)) == COUNT * sizeof(int), "size");
        check(asked(pointer, NULL, DEVICE, sizeof device) == (count > 1 ? properties[1] : 0), "device");
        check(asked(pointer, NULL, ACCESS_FLAGS, 8) == (count > 3 ? properties[3] : 0), "access");
        check(get_info(context, NULL, pointer, PROPERTIES, sizeof list, list, &needed) == CL_SUCCESS, "properties");
        check(needed == count * sizeof *list && !memcmp(list, properties, needed), "the properties that were given");
    }
    check(get_info(context, NULL, first, CL_MEM_SIZE, sizeof list, list, NULL) == CL_INVALID_VALUE, "other information");
}

/* The memory's contents by what the type allows, and back. */
static void put(int *memory, const int *from, cl_ulong has)
{
    if (has & HOST_WRITE) {
        memcpy(memory, from, COUNT * sizeof(int));
    } else if (has & HOST_MAP) {
        check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, COUNT * sizeof(int), 0, NULL, NULL) == CL_SUCCESS, "map");
        memcpy(memory, from, COUNT * sizeof(int));
        check(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    } else {
        check(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, from, COUNT * sizeof(int), 0, NULL, NULL) == CL_SUCCESS, "copy");
    }
}

static void get(int *to, int *memory, cl_ulong has)
{
    check(clFinish(queue) == CL_SUCCESS, "finish");
    if (has & HOST_READ) {
        memcpy(to, memory, COUNT * sizeof(int));
    } else if (has & HOST_MAP) {
        check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, COUNT * sizeof(int), 0, NULL, NULL) == CL_SUCCESS, "map");
        memcpy(to, memory, COUNT * sizeof(int));
        check(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    } else {
        check(clEnqueueSVMMemcpy(queue, CL_TRUE, to, memory, COUNT * sizeof(int), 0, NULL, NULL) == CL_SUCCESS, "copy");
    }
}

static void used(int *memory, cl_ulong has)
{
    int host[COUNT], five = 5, pattern = 77, out = 0;
    cl_int code;
    for (int i = 0; i < COUNT; i++) host[i] = 3 * i;
    put(memory, host, has);
    check(clSetKernelArgSVMPointer(add, 0, memory + 16) == CL_SUCCESS, "a pointer into the memory");
    check(clSetKernelArg(add, 1, sizeof five, &five) == CL_SUCCESS, "a number");
    launch(add, COUNT - 16);
    get(host, memory, has);
    for (int i = 0; i < COUNT; i++) check(host[i] == 3 * i + (i < 16 ? 0 : 5), "what the kernel has added");
    check(clEnqueueSVMMemFill(queue, memory, &pattern, sizeof pattern, 64 * sizeof(int), 0, NULL, NULL) == CL_SUCCESS, "fill");
    get(host, memory, has);
    for (int i = 0; i < 64; i++) check(host[i] == 77, "what was filled");
    if (has & ATOMICS) {
        check(clSetKernelArgSVMPointer(count_up, 0, memory) == CL_SUCCESS, "a pointer");
        launch(count_up, 1000);
        get(host, memory, has);
        check(host[0] == 1077, "atomic operations");
    }
    if (has & FOLLOWED) {
        cl_bool yes = CL_TRUE;
        cl_mem list = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof memory, &(int *){memory + 100}, &code);
        cl_mem to = clCreateBuffer(context, 0, sizeof out, NULL, &code);
        check(clSetKernelExecInfo(follow, INDIRECT, sizeof yes, &yes) == CL_SUCCESS, "memory that kernels reach");
        check(clSetKernelExecInfo(follow, INDIRECT, 1, &yes) == CL_INVALID_VALUE, "not a truth value");
        check(clSetKernelArg(follow, 0, sizeof list, &list) == 0 && clSetKernelArg(follow, 1, sizeof to, &to) == 0, "arguments");
        launch(follow, 1);
        check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL) == CL_SUCCESS && out == 305, "followed");
        clReleaseMemObject(list);
        clReleaseMemObject(to);
    }
}

static void mistakes(cl_uint types)
{
    const cl_ulong unknown[] = {0x9999, 1, 0}, odd[] = {ALIGNMENT, 3, 0}, twice[] = {ACCESS, 0, ACCESS, 0, 0}, bad[] = {ACCESS, 1 << 20, 0};
    const cl_ulong of_device[] = {ASSOCIATED, (cl_ulong)(uintptr_t)device, 0}, wrong[] = {ASSOCIATED, (cl_ulong)(uintptr_t)context, 0};
    cl_int code;
    cl_uint index = 1;
    check(!allocate(context, of_device, types, 64, &code) && code == CL_INVALID_VALUE, "an index");
    check(!allocate(context, unknown, 0, 64, &code) && code == CL_INVALID_PROPERTY, "a property");
    check(!allocate(context, odd, 0, 64, &code) && code == CL_INVALID_PROPERTY, "an alignment");
    check(!allocate(context, twice, 0, 64, &code) && code == CL_INVALID_PROPERTY, "a property twice");
    check(!allocate(context, bad, 0, 64, &code) && code == CL_INVALID_PROPERTY, "flags");
    check(!allocate(context, wrong, 0, 64, &code) && code == CL_INVALID_DEVICE, "a device");
    check(!allocate(context, of_device, 0, 0, &code) && code == CL_INVALID_BUFFER_SIZE, "no bytes");
    check(!allocate(context, NULL, 0, 64, &code) && code == CL_INVALID_DEVICE, "memory of no device");
    check(!allocate((cl_context)queue, NULL, 0, 64, &code) && code == CL_INVALID_CONTEXT, "a context");
    check(suggest(context, ~(cl_ulong)0, 0, NULL, 64, &index) == CL_SUCCESS && index == UINT32_MAX, "what no type has");
    check(suggest(context, 0, 0, NULL, 64, NULL) == CL_INVALID_VALUE, "no place");
    check(asked(&index, NULL, TYPE_INDEX, 4) == UINT32_MAX && asked(&index, NULL, BASE, 8) == 0, "memory of the host");
    check(asked(&index, device, SIZE, 8) == 0 && asked(&index, NULL, CAPABILITIES, 8) == 0, "memory of the host");
    check(release(context, NULL, 1, NULL) == CL_INVALID_VALUE && release(context, unknown, 0, NULL) == CL_INVALID_PROPERTY, "free");
    check(release(context, NULL, 0, NULL) == CL_SUCCESS, "nothing to free");
}

int main(void)
{
    cl_int code;
    cl_ulong of_platform[MOST], of_device[MOST];
    size_t platform_size, size;
    char names[16384];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL) == CL_SUCCESS, "extensions");
    check(clGetPlatformInfo(platform, PLATFORM_TYPES, sizeof of_platform, of_platform, &platform_size) == CL_SUCCESS, "types");
    check(clGetDeviceInfo(device, DEVICE_TYPES, sizeof of_device, of_device, &size) == CL_SUCCESS && size == platform_size, "types of the device");
    cl_uint types = size / sizeof *of_device, has = 0;
    if (!strstr(names, "cl_khr_unified_svm")) return puts("none"), 0;
    *(void **)&allocate = clGetExtensionFunctionAddressForPlatform(platform, "clSVMAllocWithPropertiesKHR");
    *(void **)&release = clGetExtensionFunctionAddressForPlatform(platform, "clSVMFreeWithPropertiesKHR");
    *(void **)&get_info = clGetExtensionFunctionAddressForPlatform(platform, "clGetSVMPointerInfoKHR");
    *(void **)&suggest = clGetExtensionFunctionAddressForPlatform(platform, "clGetSVMSuggestedTypeIndexKHR");
    check(allocate && release && get_info && suggest, "functions");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS, "build");
    add = clCreateKernel(program, "add", &code), follow = clCreateKernel(program, "follow", &code);
    count_up = clCreateKernel(program, "count_up", &code);
    for (cl_uint index = 0; index < types; index++) {
        cl_ulong can = of_device[index];
        check(!can || (can & of_platform[index]) == of_platform[index], "more than the platform has");
        if (!can) continue;
        has++;
        const cl_ulong named[] = {ASSOCIATED, (cl_ulong)(uintptr_t)device, ACCESS, 1 << 9, ALIGNMENT, 64, 0};
        cl_uint suggested = UINT32_MAX;
        check(suggest(context, can, 0, named, 64, &suggested) == CL_SUCCESS && (of_device[suggested] & can) == can, "a type that can do it");
        check(suggest(context, SINGLE_SPACE, can, named, 64, &suggested) == CL_SUCCESS && (of_device[suggested] & can) == can, "a type that is desired");
        if (can & SYSTEM) {
            check(!allocate(context, named, index, 64, &code) && code == CL_INVALID_OPERATION, "memory of the system");
            int *memory = malloc(COUNT * sizeof(int));
            used(memory, can);
            free(memory);
            continue;
        }
        int *memory = allocate(context, named, index, COUNT * sizeof(int), &code);
        check(memory && code == CL_SUCCESS && (uintptr_t)memory % 64 == 0, "memory with all properties");
        described(memory, index, named, 7, can, of_platform[index]);
        used(memory, can);
        check(release(context, NULL, 0, memory) == CL_SUCCESS && asked(memory, NULL, SIZE, 8) == 0, "free");
        if (can & UNASSOCIATED) {
            memory = allocate(context, NULL, index, COUNT * sizeof(int), &code);
            check(memory && code == CL_SUCCESS, "memory without properties");
            described(memory, index, NULL, 0, can, of_platform[index]);
            used(memory, can);
            check(clEnqueueSVMFree(queue, 1, (void *[]){memory}, NULL, NULL, 0, NULL, NULL) == CL_SUCCESS && !clFinish(queue), "free by a command");
            check(asked(memory, NULL, SIZE, 8) == 0, "no memory any more");
        }
    }
    /* Memory of `clSVMAlloc` has types too. */
    int *memory = clSVMAlloc(context, 0, COUNT * sizeof(int), 0);
    check(memory != NULL, "clSVMAlloc");
    cl_uint index = asked(memory, NULL, TYPE_INDEX, 4);
    check(index < types && of_device[index] & HOST_MAP && !(of_device[index] & HOST_READ), "coarse-grained memory");
    check(release(context, NULL, 0, memory) == CL_SUCCESS && asked(memory, NULL, SIZE, 8) == 0, "free");
    mistakes(types);
    printf("%u\n", has);
    return 0;
}
