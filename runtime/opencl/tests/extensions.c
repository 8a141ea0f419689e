/* Extensions: each that the device reports is used, and what it computes is compared with the host's result. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of headers that are newer than those of this system. */
#define UNLOADABLE 0x0921
#define PRIVATE_ADDRESS 0x5000
#define ADDRESS 0x5001
#define POINTERS 0x5002
#define MIGRATED 0x4040
#define IMMUTABLE ((cl_mem_flags)1 << 6)
#define CLOCKS 0x1076
#define SUB_GROUP_SIZES 0x4108
#define SPILLED 0x4109
#define COMPILED_SUB_GROUP_SIZE 0x410A

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static char extensions[1 << 13];

static int has(const char *name)
{
    size_t length = strlen(name);
    for (const char *at = extensions; (at = strstr(at, name)); at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
    return 0;
}

static cl_kernel built(const char *source, const char *options)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL)) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n%s\n", source, log);
        exit(1);
    }
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    check(code == CL_SUCCESS, "kernel");
    clReleaseProgram(program);
    return kernel;
}

static cl_mem filled(const void *bytes, size_t size)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, (void *)bytes, &code);
    check(code == CL_SUCCESS, "buffer");
    return buffer;
}

/* Runs a kernel on bytes, and returns what they are then. */
static void run(const char *source, const char *options, size_t global, size_t local, void *bytes, size_t size)
{
    cl_kernel kernel = built(source, options);
    cl_mem buffer = filled(bytes, size);
    check(!clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
    check(!clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL), "read");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
}

/* 192 work-items add and take the extremes of small integers, which all three types represent. */
static void float_atomics(void)
{
    static const char *source =
        "kernel void k(volatile global ATOMIC *a)\n"
        "{\n"
        "    VARIABLE volatile SPACE ATOMIC *p = POINTER;\n"
        "    int id = get_global_id(0), first = get_local_id(0) == 0;\n"
        "    if (LOCAL && first) for (int i = 0; i < 4; i++) atomic_store_explicit(p + i, atomic_load_explicit(a + i, "
        "memory_order_relaxed, memory_scope_device), memory_order_relaxed, memory_scope_work_group);\n"
        "    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    atomic_fetch_add_explicit(p, (T)1, memory_order_relaxed, memory_scope_device);\n"
        "    atomic_fetch_sub_explicit(p + 1, (T)2, memory_order_relaxed, memory_scope_device);\n"
        "    atomic_fetch_min_explicit(p + 2, (T)(id - 50), memory_order_relaxed, memory_scope_device);\n"
        "    atomic_fetch_max_explicit(p + 3, (T)(id - 50), memory_order_relaxed, memory_scope_device);\n"
        "    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    if (LOCAL && first) for (int i = 0; i < 4; i++) atomic_store_explicit(a + i, atomic_load_explicit(p + i, "
        "memory_order_relaxed, memory_scope_work_group), memory_order_relaxed, memory_scope_device);\n"
        "}\n";
    static const char *types[] = {"float", "double", "half"};
    for (int t = 0; t < 3; t++) {
        cl_bitfield capabilities = 0;
        check(!clGetDeviceInfo(device, 0x4231 + t, sizeof capabilities, &capabilities, NULL), "atomics of a type");
        if (t == 0) check((capabilities & 6) == 6, "additions and extremes of float in global memory");
        for (int local = 0; local < 2; local++) {
            if ((capabilities >> (local ? 16 : 0) & 7) != 7) continue;
            char options[256];
            sprintf(options, "-cl-std=CL3.0 -DT=%s -DATOMIC=atomic_%s -DLOCAL=%d -DSPACE=%s -DVARIABLE=\"%s\" -DPOINTER=%s",
                    types[t], types[t], local, local ? "local" : "global", local ? "local ATOMIC s[4];" : "",
                    local ? "s" : "a");
            union {
                float f[4];
                double d[4];
                uint16_t h[4];
            } bytes;
            size_t size = t == 0 ? sizeof bytes.f : t == 1 ? sizeof bytes.d : sizeof bytes.h;
            memset(&bytes, 0, sizeof bytes);
            run(source, options, 192, 192, &bytes, size);
            static const double expected[] = {192, -384, -50, 141};
            static const uint16_t halves[] = {0x5A00, 0xDE00, 0xD240, 0x5868};
            for (int i = 0; i < 4; i++)
                check(t == 0 ? bytes.f[i] == expected[i] : t == 1 ? bytes.d[i] == expected[i] : bytes.h[i] == halves[i],
                      types[t]);
        }
    }
}

static void work_group_arithmetic(void)
{
    int values[24], expected[24];
    for (int i = 0; i < 24; i++) values[i] = i * i % 7 + 1;
    for (int group = 0; group < 2; group++) {
        int product = 1, bits = 0;
        for (int i = 0; i < 12; i++) product = product * (values[12 * group + i] % 3 + 1), bits ^= values[12 * group + i];
        for (int i = 0, so_far = 0; i < 12; i++) expected[12 * group + i] = product + 100000 * (so_far |= values[12 * group + i]) + bits;
    }
    run("kernel void k(global int *a) { int v = a[get_global_id(0)]; a[get_global_id(0)] = work_group_reduce_mul(v % 3 + 1) + "
        "100000 * work_group_scan_inclusive_or(v) + work_group_reduce_xor(v); }", "-cl-std=CL3.0", 24, 12, values, sizeof values);
    check(!memcmp(values, expected, sizeof values), "arithmetic of a work-group");
}

/* A block of 3 by 5 within 8 by 8, to local memory with lines of 4 and back to another place. */
static void extended_copies(void)
{
    int values[64], expected[64];
    for (int i = 0; i < 64; i++) values[i] = expected[i] = i;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 3; x++) expected[8 * (y + 3) + x + 5] = 8 * y + x + 1;
    run("kernel void k(global int *a) { local int l[20]; event_t e = async_work_group_copy_2D2D(l, 0, a, 1, 4, 3, 5, 8, 4, 0); "
        "wait_group_events(1, &e); e = async_work_group_copy_2D2D(a, 29, l, 0, 4, 3, 5, 4, 8, 0); wait_group_events(1, &e); }",
        "", 4, 4, values, sizeof values);
    check(!memcmp(values, expected, sizeof values), "a copy of two dimensions");
}

static void clocks(void)
{
    static const char *scopes[] = {"device", "work_group", "sub_group"};
    cl_bitfield capabilities = 0;
    check(!clGetDeviceInfo(device, CLOCKS, sizeof capabilities, &capabilities, NULL) && capabilities, "clocks");
    for (int i = 0; i < 3; i++) {
        char source[512];
        cl_long spent[2] = {-1, -1};
        if (!(capabilities >> i & 1)) continue;
        sprintf(source, "kernel void k(global long *a) { ulong first = clock_read_%s(); for (int i = 0; i < 1000; i++) "
                        "a[1] = a[1] * 3 + i; a[0] = clock_read_%s() - first; }", scopes[i], scopes[i]);
        run(source, "-cl-std=CL3.0", 1, 1, spent, sizeof spent);
        check(spent[0] >= 0, "a clock that does not go back");
    }
}

static void hints(void)
{
    cl_int code;
    for (cl_queue_properties name = 0x1096; name <= 0x1097; name++) {
        for (cl_queue_properties hint = 0; hint <= 5; hint++) {
            cl_queue_properties given[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, name, hint, 0}, kept[5];
            cl_command_queue hinted = clCreateCommandQueueWithProperties(context, device, given, &code);
            int is_known = hint == 1 || hint == 2 || hint == 4;
            check(is_known ? hinted && !code : !hinted && code == CL_INVALID_VALUE, "a hint for a queue");
            if (!hinted) continue;
            check(!clGetCommandQueueInfo(hinted, CL_QUEUE_PROPERTIES_ARRAY, sizeof kept, kept, NULL)
                      && !memcmp(kept, given, sizeof kept), "its properties");
            check(!clEnqueueMarkerWithWaitList(hinted, 0, NULL, NULL) && !clFinish(hinted), "a command there");
            clReleaseCommandQueue(hinted);
        }
    }
}

static void migration(void)
{
    typedef cl_int (*migrate_t)(cl_command_queue, cl_uint, const cl_mem *, cl_bitfield, cl_uint, const cl_event *, cl_event *);
    migrate_t migrate;
    *(void **)&migrate = clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueMigrateMemObjectEXT");
    int value = 5, read = 0;
    cl_mem buffer = filled(&value, sizeof value);
    for (cl_bitfield to_host = 0; to_host < 2; to_host++) {
        cl_event event;
        cl_command_type type = 0;
        check(!migrate(queue, 1, &buffer, to_host, 0, NULL, &event) && !clWaitForEvents(1, &event), "migration");
        check(!clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) && type == MIGRATED, "its type");
        clReleaseEvent(event);
    }
    check(migrate(queue, 1, &buffer, 2, 0, NULL, NULL) == CL_INVALID_VALUE, "flags that it does not have");
    check(migrate(queue, 0, NULL, 0, 0, NULL, NULL) == CL_INVALID_VALUE, "nothing to migrate");
    check(!clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof read, &read, 0, NULL, NULL) && read == 5, "contents");
    clReleaseMemObject(buffer);
}

static void immutable_buffers(void)
{
    int values[64], read[64] = {0};
    cl_int code, zero = 0;
    size_t origin[3] = {0}, region[3] = {4, 1, 1};
    for (int i = 0; i < 64; i++) values[i] = i;
    static const cl_mem_flags wrong[] = {0, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR | CL_MEM_WRITE_ONLY,
                                         CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY, CL_MEM_ALLOC_HOST_PTR};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        void *host = wrong[i] & CL_MEM_COPY_HOST_PTR ? values : NULL;
        check(!clCreateBuffer(context, IMMUTABLE | wrong[i], sizeof values, host, &code) && code == CL_INVALID_VALUE,
              "flags that contradict each other");
    }
    cl_mem fixed = clCreateBuffer(context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    cl_mem other = clCreateBuffer(context, 0, sizeof values, NULL, &code);
    cl_buffer_region half = {128, 128};
    check(!clCreateSubBuffer(fixed, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, &code) && code == CL_INVALID_VALUE,
          "a part that can be written");
    cl_mem parts[] = {fixed, clCreateSubBuffer(fixed, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code)};
    check(code == CL_SUCCESS, "a part");
    for (int i = 0; i < 2; i++) {
        cl_mem_flags flags = 0;
        check(!clGetMemObjectInfo(parts[i], CL_MEM_FLAGS, sizeof flags, &flags, NULL) && flags & IMMUTABLE, "flags");
        check(clEnqueueWriteBuffer(queue, parts[i], CL_TRUE, 0, 4, &zero, 0, NULL, NULL) == CL_INVALID_OPERATION, "write");
        check(clEnqueueWriteBufferRect(queue, parts[i], CL_TRUE, origin, origin, region, 0, 0, 0, 0, &zero, 0, NULL, NULL)
                  == CL_INVALID_OPERATION, "write of a rectangle");
        check(clEnqueueFillBuffer(queue, parts[i], &zero, 4, 0, 4, 0, NULL, NULL) == CL_INVALID_OPERATION, "fill");
        check(clEnqueueCopyBuffer(queue, other, parts[i], 0, 0, 4, 0, NULL, NULL) == CL_INVALID_OPERATION, "copy");
        check(clEnqueueCopyBufferRect(queue, other, parts[i], origin, origin, region, 0, 0, 0, 0, 0, NULL, NULL)
                  == CL_INVALID_OPERATION, "copy of a rectangle");
        check(!clEnqueueMapBuffer(queue, parts[i], CL_TRUE, CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &code)
                  && code == CL_INVALID_OPERATION, "map for writing");
    }
    cl_kernel kernel = built("kernel void k(global int *a, global const int *b, constant int *c) { *a = *b + *c; }", "");
    check(clSetKernelArg(kernel, 0, sizeof fixed, &fixed) == CL_INVALID_ARG_VALUE && !clSetKernelArg(kernel, 1, sizeof fixed, &fixed)
              && !clSetKernelArg(kernel, 2, sizeof fixed, &fixed), "arguments");
    clReleaseKernel(kernel);
    void *mapped = clEnqueueMapBuffer(queue, fixed, CL_TRUE, CL_MAP_READ, 0, sizeof values, 0, NULL, NULL, &code);
    check(mapped && !memcmp(mapped, values, sizeof values), "map for reading");
    check(!clEnqueueUnmapMemObject(queue, fixed, mapped, 0, NULL, NULL), "unmap");
    check(!clEnqueueCopyBuffer(queue, parts[1], other, 0, 0, 128, 0, NULL, NULL), "copy from it");
    check(!clEnqueueReadBuffer(queue, other, CL_TRUE, 0, 128, read, 0, NULL, NULL) && !memcmp(read, values + 32, 128), "read");
    clReleaseMemObject(parts[1]);
    clReleaseMemObject(other);
    clReleaseMemObject(fixed);
}

static void immutable_images(void)
{
    cl_int code;
    cl_bool has_images = CL_FALSE;
    unsigned char texels[64];
    size_t origin[3] = {0}, region[3] = {4, 4, 1};
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc sizes = {0};
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    if (!has_images) return;
    memset(texels, 7, sizeof texels);
    sizes.image_type = CL_MEM_OBJECT_IMAGE2D;
    sizes.image_width = sizes.image_height = 4;
    check(!clCreateImage(context, IMMUTABLE, &format, &sizes, NULL, &code) && code == CL_INVALID_VALUE, "no contents");
    cl_mem image = clCreateImage(context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, &format, &sizes, texels, &code);
    check(code == CL_SUCCESS, "image");
    cl_mem buffer = filled(texels, sizeof texels), fixed;
    fixed = clCreateBuffer(context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, sizeof texels, texels, &code);
    float color[4] = {0};
    check(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL) == CL_INVALID_OPERATION
              && clEnqueueFillImage(queue, image, color, origin, region, 0, NULL, NULL) == CL_INVALID_OPERATION
              && clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin, region, 0, NULL, NULL) == CL_INVALID_OPERATION
              && clEnqueueCopyImageToBuffer(queue, image, fixed, origin, region, 0, 0, NULL, NULL) == CL_INVALID_OPERATION,
          "commands that write");
    check(!clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, origin, region, NULL, NULL, 0, NULL, NULL, &code)
              && code == CL_INVALID_OPERATION, "map for writing");
    sizes.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    sizes.image_height = 0;
    sizes.mem_object = fixed;
    check(!clCreateImage(context, CL_MEM_READ_ONLY, &format, &sizes, NULL, &code) && code == CL_INVALID_VALUE,
          "an image without the flag of its buffer");
    cl_mem over = clCreateImage(context, IMMUTABLE, &format, &sizes, NULL, &code);
    check(code == CL_SUCCESS, "an image over a buffer");
    cl_kernel kernel = built("kernel void k(write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(0)); }", "");
    check(clSetKernelArg(kernel, 0, sizeof image, &image) == CL_INVALID_ARG_VALUE, "a kernel that writes it");
    clReleaseKernel(kernel);
    clReleaseMemObject(over);
    clReleaseMemObject(fixed);
    clReleaseMemObject(buffer);
    clReleaseMemObject(image);
}

static void CL_CALLBACK destroyed(cl_mem memory, void *data)
{
    (void)memory;
    ++*(volatile int *)data;
}

/* A list through buffers that are no arguments, an address within a buffer, and a buffer that is released before the kernel
   that has its address begins. */
static void addresses(void)
{
    typedef cl_int (*set_t)(cl_kernel, cl_uint, cl_ulong);
    set_t set;
    *(void **)&set = clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT");
    cl_int code, sum = 0, three = 3;
    cl_ulong with[] = {PRIVATE_ADDRESS, 1, 0}, without[] = {PRIVATE_ADDRESS, 0, 0}, wrong[] = {PRIVATE_ADDRESS, 2, 0}, at[3], none;
    cl_mem nodes[3], plain, out = filled(&sum, sizeof sum);
    volatile int count = 0;
    size_t one = 1;
    check(!clCreateBufferWithProperties(context, wrong, 0, 64, NULL, &code) && code == CL_INVALID_PROPERTY, "a wrong value");
    plain = clCreateBufferWithProperties(context, without, 0, 64, NULL, &code);
    check(plain && clGetMemObjectInfo(plain, ADDRESS, sizeof none, &none, NULL) == CL_INVALID_OPERATION, "no address");
    for (int i = 0; i < 3; i++) {
        nodes[i] = clCreateBufferWithProperties(context, with, 0, 64, NULL, &code);
        check(code == CL_SUCCESS, "a buffer with an address");
        check(!clGetMemObjectInfo(nodes[i], ADDRESS, sizeof at[i], &at[i], NULL) && at[i] && at[i] % 16 == 0, "its address");
        for (int j = 0; j < i; j++) check(at[j] + 64 <= at[i] || at[i] + 64 <= at[j], "addresses of their own");
        check(!clSetMemObjectDestructorCallback(nodes[i], destroyed, (void *)&count), "callback");
    }
    for (int i = 0; i < 3; i++) {
        /* The first node is 16 bytes past the start of its buffer. */
        cl_ulong node[2] = {i < 2 ? at[i + 1] : 0, 10u + i};
        check(!clEnqueueWriteBuffer(queue, nodes[i], CL_TRUE, i ? 0 : 16, sizeof node, node, 0, NULL, NULL), "write");
    }
    cl_kernel kernel = built("typedef struct node { global struct node *next; ulong value; } node;\n"
                             "kernel void k(global node *list, global int *out, int by)\n"
                             "{ int sum = 0; for (; list; list = list->next) sum += (int)list->value; *out = sum * by; }", "");
    check(!set(kernel, 0, at[0] + 16) && !clSetKernelArg(kernel, 1, sizeof out, &out)
              && !clSetKernelArg(kernel, 2, sizeof three, &three), "arguments");
    check(set(kernel, 2, at[0]) == CL_INVALID_ARG_INDEX && set(kernel, 3, at[0]) == CL_INVALID_ARG_INDEX, "wrong arguments");
    check(clSetKernelExecInfo(kernel, POINTERS, 4, at) == CL_INVALID_VALUE, "half an address");
    check(!clSetKernelExecInfo(kernel, POINTERS, sizeof at, at), "other pointers");
    cl_event gate = clCreateUserEvent(context, &code);
    check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL), "launch");
    for (int i = 0; i < 3; i++) clReleaseMemObject(nodes[i]);
    check(count == 0, "the command keeps what it may reach");
    check(!clSetUserEventStatus(gate, CL_COMPLETE), "begin");
    check(!clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL) && sum == 99, "the sum of the list");
    for (int i = 0; i < 1000000000 && count < 3; i++) {}
    check(count == 3, "then they are destroyed");
    check(!set(kernel, 0, 0) && !clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), "no list");
    check(!clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL) && sum == 0, "its sum");
    clReleaseEvent(gate);
    clReleaseKernel(kernel);
    clReleaseMemObject(plain);
    clReleaseMemObject(out);
}

static void required_sub_groups(void)
{
    size_t sizes[32], size, compiled = 9;
    cl_ulong spilled = 9;
    check(!clGetDeviceInfo(device, SUB_GROUP_SIZES, sizeof sizes, sizes, &size) && size >= sizeof *sizes, "sizes of sub-groups");
    for (size_t i = 0; i <= size / sizeof *sizes; i++) {
        char attribute[64] = "", source[256];
        int is_required = i < size / sizeof *sizes;
        if (is_required) sprintf(attribute, "__attribute__((intel_reqd_sub_group_size(%zu)))", sizes[i]);
        sprintf(source, "#ifndef cl_intel_required_subgroup_size\n#error macro\n#endif\n"
                        "kernel %s void k(global int *a) { a[get_global_id(0)] = get_max_sub_group_size(); }", attribute);
        cl_kernel kernel = built(source, "-cl-std=CL3.0");
        check(!clGetKernelSubGroupInfo(kernel, device, COMPILED_SUB_GROUP_SIZE, 0, NULL, sizeof compiled, &compiled, NULL)
                  && compiled == (is_required ? sizes[i] : 0), "the size that the kernel requires");
        check(!clGetKernelWorkGroupInfo(kernel, device, SPILLED, sizeof spilled, &spilled, NULL) && spilled == 0, "spills");
        clReleaseKernel(kernel);
        if (!is_required) break;
        int found[64] = {0};
        run(source, "-cl-std=CL3.0", 64, 64, found, sizeof found);
        for (int at = 0; at < 64; at++) check(found[at] == (int)sizes[i], "the size that it gets");
    }
    /* Twice the largest size is one that the device does not have; the launch says so. */
    char source[256];
    cl_int code;
    size_t one = 1, largest = sizes[size / sizeof *sizes - 1];
    sprintf(source, "__attribute__((intel_reqd_sub_group_size(%zu))) kernel void k(global int *a) { a[0] = 1; }", 2 * largest);
    cl_kernel kernel = built(source, "-cl-std=CL3.0");
    cl_mem memory = clCreateBuffer(context, 0, 4, NULL, &code);
    check(!clSetKernelArg(kernel, 0, sizeof memory, &memory), "argument");
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    check(code == CL_INVALID_WORK_GROUP_SIZE, "a size that the device does not have");
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
}

/* The names of cl_khr_cooperative_matrix, which the headers do not have yet. */
#define DEFAULT_MATRICES 0x1078
#define MATRICES 0x1079
#define MATRIX_POINTER_ALIGNMENT 0x107A
#define MATRIX_STRIDE_MULTIPLE 0x107B
struct matrix_variant { cl_uint m, n, k, a, b, c, result; cl_bool saturates; };
typedef cl_int (CL_API_CALL *matrix_query)(cl_device_id, cl_uint, size_t, const void *, size_t, void *, size_t *);

/* A product of small integers of each variant of the device, and the sums that the host computes. */
static void product(const struct matrix_variant *v)
{
    static const char *const types[] = {"half", "float", "double", "char", "short", "int", "long", "uchar", "ushort", "uint", "ulong"};
    static const char *source =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "#define MATRIX(rows, columns, use) __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, use)))\n"
        "#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR\n"
        "#define EACH(i, count) for (uint i = get_local_id(0); i < (count); i += get_local_size(0))\n"
        "kernel void k(global const int *in, global A *a, global B *b, global C *c, global int *out) {\n"
        "  EACH(i, M * K) a[i] = in[i];\n"
        "  EACH(i, K * N) b[i] = in[M * K + i];\n"
        "  EACH(i, M * N) c[i] = in[M * K + K * N + i];\n"
        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "  A MATRIX(M, K, CLK_COOPERATIVE_MATRIX_A) x = coop_mat_load(a, ROWS, K);\n"
        "  B MATRIX(K, N, CLK_COOPERATIVE_MATRIX_B) y = coop_mat_load(b, ROWS, N);\n"
        "  C MATRIX(M, N, CLK_COOPERATIVE_MATRIX_ACCUMULATOR) z = coop_mat_load(c, ROWS, N);\n"
        "  z = coop_mat_mulAdd(x, y, z, OPERANDS);\n"
        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "  coop_mat_store(c, z, ROWS, N);\n"
        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "  EACH(i, M * N) out[i] = c[i];\n"
        "}\n";
    enum { MOST = 64 * 64 };
    static int in[3 * MOST], out[MOST];
    char options[256];
    if (v->c != v->result) return;
    int is_signed = v->a < 7 && v->b < 7;
    check(v->m * v->k <= MOST && v->k * v->n <= MOST && v->m * v->n <= MOST, "a matrix that the test has room for");
    for (unsigned i = 0; i < v->m * v->k + v->k * v->n + v->m * v->n; i++) in[i] = i * 7 % 5 - (is_signed ? 2 : 0);
    sprintf(options, "-cl-std=CL3.0 -D A=%s -D B=%s -D C=%s -D M=%u -D N=%u -D K=%u -D OPERANDS=%s", types[v->a], types[v->b],
            types[v->c], v->m, v->n, v->k,
            v->saturates ? "CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION" : "CLK_COOPERATIVE_MATRIX_OPERAND_NONE");
    cl_kernel kernel = built(source, options);
    cl_mem buffers[5] = {filled(in, sizeof in)};
    for (int i = 1; i < 5; i++) buffers[i] = filled(in, 8 * MOST < sizeof in ? 8 * MOST : sizeof in);
    for (int i = 0; i < 5; i++) check(!clSetKernelArg(kernel, i, sizeof *buffers, buffers + i), "argument");
    size_t size = 64;
    check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "launch");
    check(!clEnqueueReadBuffer(queue, buffers[4], CL_TRUE, 0, v->m * v->n * sizeof *out, out, 0, NULL, NULL), "read");
    const int *a = in, *b = a + v->m * v->k, *c = b + v->k * v->n;
    for (unsigned i = 0; i < v->m * v->n; i++) {
        int sum = c[i];
        for (unsigned k = 0; k < v->k; k++) sum += a[i / v->n * v->k + k] * b[k * v->n + i % v->n];
        if (out[i] != sum) fprintf(stderr, "%s: component %u is %d, not %d\n", options, i, out[i], sum);
        check(out[i] == sum, "a product of matrices");
    }
    for (int i = 0; i < 5; i++) clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
}

static void matrices(void)
{
    union { void *object; matrix_query function; } found;
    found.object = clGetExtensionFunctionAddressForPlatform(platform, "clGetDeviceCooperativeMatrixInfoKHR");
    matrix_query query = found.function;
    struct matrix_variant variants[256], same[256];
    size_t size, same_size, sub_groups[32];
    cl_uint alignment = 0, stride = 0, sub_group;
    check(query && !query(device, DEFAULT_MATRICES, 0, NULL, 0, NULL, &size) && size && size <= sizeof variants
              && size % sizeof *variants == 0, "the number of products");
    check(!query(device, DEFAULT_MATRICES, 0, NULL, size, variants, NULL), "the products");
    check(query(device, DEFAULT_MATRICES, 0, NULL, size - 1, variants, NULL) == CL_INVALID_VALUE, "too little room");
    check(query(NULL, DEFAULT_MATRICES, 0, NULL, size, variants, NULL) == CL_INVALID_DEVICE, "no device");
    check(query(device, 0x1234, 0, NULL, size, variants, NULL) == CL_INVALID_VALUE, "another query");
    check(query(device, MATRICES, 0, NULL, size, same, NULL) == CL_INVALID_VALUE, "no size");
    check(query(device, MATRICES, 2, &sub_group, size, same, NULL) == CL_INVALID_VALUE, "a size of two bytes");
    check(!clGetDeviceInfo(device, SUB_GROUP_SIZES, sizeof sub_groups, sub_groups, NULL), "sizes of sub-groups");
    sub_group = (cl_uint)sub_groups[0];
    check(!query(device, MATRICES, sizeof sub_group, &sub_group, sizeof same, same, &same_size) && same_size == size
              && !memcmp(variants, same, size), "the products of a size");
    sub_group = 3;
    check(!query(device, MATRICES, sizeof sub_group, &sub_group, sizeof same, same, &same_size) && !same_size, "of none");
    check(!clGetDeviceInfo(device, MATRIX_POINTER_ALIGNMENT, sizeof alignment, &alignment, NULL) && alignment
              && !clGetDeviceInfo(device, MATRIX_STRIDE_MULTIPLE, sizeof stride, &stride, NULL) && stride, "alignments");
    for (size_t i = 0; i < size / sizeof *variants; i++) product(variants + i);
}

/* Images whose texels are depths: kernels read and write one float, and parameters take no other images. */
static void depth_images(void)
{
    static const char *source =
        "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
        "kernel void put(write_only image2d_depth_t to)\n"
        "{ int2 at = (int2)(get_global_id(0), get_global_id(1)); write_imagef(to, at, at.x * 0.125f + at.y * 0.25f); }\n"
        "kernel void get(read_only image2d_depth_t from, global float *to)\n"
        "{ int2 at = (int2)(get_global_id(0), get_global_id(1)); to[at.y * 4 + at.x] = read_imagef(from, nearest, at) + read_imagef(from, at); }\n"
        "kernel void other(read_only image2d_t from) { }\n";
    const size_t size[3] = {4, 3, 1}, origin[3] = {0, 0, 0};
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(!clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "kernels of depths");
    cl_kernel put = clCreateKernel(program, "put", &code), get = clCreateKernel(program, "get", &code);
    cl_kernel other = clCreateKernel(program, "other", &code);
    const cl_channel_type types[2] = {CL_FLOAT, CL_UNORM_INT16};
    for (int i = 0; i < 2; i++) {
        cl_image_format format = {CL_DEPTH, types[i]}, colours = {CL_R, CL_FLOAT};
        cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 3};
        cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
        check(code == CL_SUCCESS, "an image of depths");
        cl_mem colour = clCreateImage(context, CL_MEM_READ_WRITE, &colours, &shape, NULL, &code);
        check(code == CL_SUCCESS, "an image of colours");
        check(clSetKernelArg(put, 0, sizeof colour, &colour) == CL_INVALID_ARG_VALUE, "colours for depths");
        check(clSetKernelArg(other, 0, sizeof image, &image) == CL_INVALID_ARG_VALUE, "depths for colours");
        float values[12];
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
        check(!clSetKernelArg(put, 0, sizeof image, &image) && !clSetKernelArg(get, 0, sizeof image, &image)
                  && !clSetKernelArg(get, 1, sizeof buffer, &buffer), "depths");
        check(!clEnqueueNDRangeKernel(queue, put, 2, NULL, size, NULL, 0, NULL, NULL)
                  && !clEnqueueNDRangeKernel(queue, get, 2, NULL, size, NULL, 0, NULL, NULL)
                  && !clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL), "launches");
        for (int at = 0; at < 12; at++) {
            const float expected = 2 * (at % 4 * 0.125f + at / 4 * 0.25f), error = values[at] - expected;
            check(error < 0.0001f && error > -0.0001f, "depths that kernels write and read");
        }
        /* The colour is one float at the end of a page's worth of others. */
        const float depth = 0.5f;
        char texels[12 * 4];
        check(!clEnqueueFillImage(queue, image, &depth, origin, size, 0, NULL, NULL)
                  && !clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, texels, 0, NULL, NULL), "a fill");
        for (int at = 0; at < 12; at++)
            check(types[i] == CL_FLOAT ? ((float *)texels)[at] == 0.5f : ((uint16_t *)texels)[at] == 32768, "the depths of a fill");
        clReleaseMemObject(buffer);
        clReleaseMemObject(colour);
        clReleaseMemObject(image);
    }
    cl_image_format wrong = {CL_DEPTH, CL_UNORM_INT8}, format = {CL_DEPTH, CL_FLOAT};
    cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 3, .image_depth = 2};
    clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
    check(code == CL_IMAGE_FORMAT_NOT_SUPPORTED, "depths in three dimensions");
    clCreateImage(context, CL_MEM_READ_WRITE, &wrong, &shape, NULL, &code);
    check(code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "depths of 8 bits");
    clReleaseKernel(put);
    clReleaseKernel(get);
    clReleaseKernel(other);
    clReleaseProgram(program);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*test)(void);
        /* It works also where there are too many names to list it. */
        int is_everywhere;
    } tests[] = {{"cl_ext_float_atomics", float_atomics},
                 {"cl_khr_work_group_uniform_arithmetic", work_group_arithmetic},
                 {"cl_khr_extended_async_copies", extended_copies},
                 {"cl_khr_kernel_clock", clocks},
                 {"cl_khr_priority_hints", hints},
                 {"cl_khr_throttle_hints", hints},
                 {"cl_ext_migrate_memobject", migration, 1},
                 {"cl_ext_immutable_memory_objects", immutable_buffers, 1},
                 {"cl_ext_immutable_memory_objects", immutable_images, 1},
                 {"cl_ext_buffer_device_address", addresses},
                 {"cl_khr_depth_images", depth_images},
                 {"cl_khr_cooperative_matrix", matrices},
                 {"cl_intel_required_subgroup_size", required_sub_groups}};
    cl_int code;
    cl_bool is_unloadable = 9;
    check(!clGetPlatformIDs(1, &platform, NULL), "platform");
    check(!clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions, NULL), "extensions");
    check(has("cl_khr_icd_unloadable") && !clGetPlatformInfo(platform, UNLOADABLE, sizeof is_unloadable, &is_unloadable, NULL)
              && is_unloadable <= 1, "whether the platform can be unloaded");
    check(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    check(!clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL), "extensions");
    if (count == 2 && !strcmp(arguments[1], "list")) {
        puts(extensions);
        check(!clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions, NULL), "extensions");
        puts(extensions);
        return 0;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
        if (has(tests[i].name) || tests[i].is_everywhere) tests[i].test(), puts(tests[i].name);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
