/* Local and private memory that begins as zeros (cl_khr_initialize_memory). A kernel that leaves other bytes there comes first;
   what kernels find in objects that they have not written is zero, as the extension says. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <string.h>

enum { INITIALIZE = 0x2030, LOCAL = 1, PRIVATE = 2, ITEMS = 64, GROUP = 16, FOUND = 12 };

static const char *source =
    "void leave(volatile int *p, int n) { for (int i = 0; i < n; i++) p[i] = -1 - i; }\n"
    "kernel void soil(local int *given, int count, global int *out) {\n"
    "    local int own[100]; int mine[100];\n"
    "    for (int i = get_local_id(0); i < 100; i += get_local_size(0)) own[i] = ~i;\n"
    "    for (int i = get_local_id(0); i < count; i += get_local_size(0)) given[i] = ~i;\n"
    "    leave(mine, 100);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = own[get_local_id(0)] + mine[get_local_id(0)] + (count ? given[0] : 0);\n"
    "}\n"
    "kernel void find_local(local uchar *bytes, int count, local float4 *vectors, int more, global int *out) {\n"
    "    local int own[100]; local struct { char c; double d; } record; local uchar odd[7];\n"
    "    int found = 0; size_t at = get_global_id(0) * 12;\n"
    "    for (int i = 0; i < 100; i++) found += own[i] != 0;\n"
    "    out[at] = found; found = 0;\n"
    "    for (int i = 0; i < count; i++) found += bytes[i] != 0;\n"
    "    out[at + 1] = found; found = 0;\n"
    "    for (int i = 0; i < more; i++) found += any(vectors[i] != 0.0f);\n"
    "    out[at + 2] = found; found = 0;\n"
    "    for (int i = 0; i < 7; i++) found += odd[i] != 0;\n"
    "    out[at + 3] = found + (record.c != 0) + (record.d != 0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    own[get_local_id(0)] = odd[0] = record.c = bytes[0] = 1; vectors[0] = 1.0f;\n"
    "}\n"
    "struct pair { int a; float4 b; long c[3]; };\n"
    "int deep(int at) { int other[40]; return other[at]; }\n"
    "int through(int *p) { return *p; }\n"
    "kernel void find_private(global int *out, int n) {\n"
    "    size_t at = get_global_id(0) * 12; int found = 0;\n"
    "    int scalar; float4 vector; struct pair pair; int large[300]; uchar odd[5]; int passed; int *pointer; union { int i; float f; uchar b[8]; } both;\n"
    "    out[at] = scalar != 0; out[at + 1] = any(vector != 0.0f);\n"
    "    out[at + 2] = (pair.a != 0) + any(pair.b != 0.0f) + (pair.c[n & 1] != 0);\n"
    "    for (int i = 0; i < n; i++) found += large[i] != 0;\n"
    "    out[at + 3] = found; out[at + 4] = odd[n % 5] != 0; out[at + 5] = through(&passed) != 0; out[at + 6] = deep(n % 40) != 0;\n"
    "    out[at + 7] = pointer != 0; out[at + 8] = (both.b[n & 7] != 0) + (both.f != 0.0f);\n"
    "    if (n > 1000) { scalar = 5; large[n & 255] = 7; }\n"
    "    out[at + 9] = scalar + large[n & 255];\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_mem out;

static cl_context make(cl_context_properties kinds, cl_int *code)
{
    cl_context_properties properties[] = {INITIALIZE, kinds, 0};
    return clCreateContext(properties, 1, &device, NULL, NULL, code);
}

/* Executes a kernel whose arguments are set, and returns how often it has found something else than zero. */
static int launch(cl_kernel kernel)
{
    size_t global = ITEMS, local = GROUP;
    int found[ITEMS * FOUND], all = 0, none = 0;
    check(clEnqueueFillBuffer(queue, out, &none, sizeof none, 0, sizeof found, 0, NULL, NULL) == CL_SUCCESS, "zeros");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) == CL_SUCCESS, "a launch");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "a read");
    for (int i = 0; i < ITEMS * FOUND; i++) {
        if (found[i] && !all) fprintf(stderr, "work-item %d finds something at %d\n", i / FOUND, i % FOUND);
        all += found[i] != 0;
    }
    return all;
}

static void run(cl_program program, int kinds)
{
    cl_int code, count = 333, more = 9, n = 300;
    for (int round = 0; round < 3; round++) {
        cl_kernel soil = clCreateKernel(program, "soil", &code);
        check(code == CL_SUCCESS, "a kernel");
        clSetKernelArg(soil, 0, 4 * 1000, NULL);
        clSetKernelArg(soil, 1, sizeof(int), &(int){1000});
        clSetKernelArg(soil, 2, sizeof out, &out);
        size_t global = ITEMS, local = GROUP;
        check(clEnqueueNDRangeKernel(queue, soil, 1, NULL, &global, &local, 0, NULL, NULL) == CL_SUCCESS, "a launch");
        clReleaseKernel(soil);
        if (kinds & LOCAL) {
            cl_kernel find = clCreateKernel(program, "find_local", &code);
            clSetKernelArg(find, 0, count, NULL);
            clSetKernelArg(find, 1, sizeof count, &count);
            clSetKernelArg(find, 2, 16 * more, NULL);
            clSetKernelArg(find, 3, sizeof more, &more);
            clSetKernelArg(find, 4, sizeof out, &out);
            check(launch(find) == 0, "local memory begins as zeros");
            clReleaseKernel(find);
        }
        if (kinds & PRIVATE) {
            cl_kernel find = clCreateKernel(program, "find_private", &code);
            clSetKernelArg(find, 0, sizeof out, &out);
            clSetKernelArg(find, 1, sizeof n, &n);
            check(launch(find) == 0, "private memory begins as zeros");
            clReleaseKernel(find);
        }
    }
}

static void in_context(int kinds, const char *options)
{
    cl_int code, found;
    cl_context_properties list[3];
    context = make(kinds, &code);
    check(code == CL_SUCCESS, "a context");
    check(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof list, list, NULL) == CL_SUCCESS && list[0] == INITIALIZE && list[1] == kinds, "its properties");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    out = clCreateBuffer(context, 0, ITEMS * FOUND * sizeof(int), NULL, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS, "a build");
    run(program, kinds);

    unsigned char *binary;
    size_t size;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS, "its size");
    binary = malloc(size);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS, "its binary");
    clReleaseProgram(program);
    program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, &found, &code);
    check(code == CL_SUCCESS && found == CL_SUCCESS, "a program of the binary");
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS, "its build");
    run(program, kinds);
    clReleaseProgram(program);
    cl_context other = make(LOCAL | PRIVATE, &code);
    program = clCreateProgramWithBinary(other, 1, &device, &size, (const unsigned char **)&binary, &found, &code);
    int suits = kinds == (LOCAL | PRIVATE);
    check((code == CL_SUCCESS) == suits && (found == CL_SUCCESS) == suits, "a binary whose memory does not begin as zeros");
    if (suits) clReleaseProgram(program);
    clReleaseContext(other);
    free(binary);

    cl_program compiled = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clCompileProgram(compiled, 1, &device, options, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "compile");
    cl_program linked = clLinkProgram(context, 1, &device, NULL, 1, &compiled, NULL, NULL, &code);
    check(code == CL_SUCCESS, "link");
    run(linked, kinds);
    clReleaseProgram(linked), clReleaseProgram(compiled);
    clReleaseMemObject(out), clReleaseCommandQueue(queue), clReleaseContext(context);
}

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    char names[8192];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "a device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL) == CL_SUCCESS, "extensions");
    check(strstr(names, "cl_khr_initialize_memory") != NULL, "the extension");
    make(4, &code);
    check(code == CL_INVALID_PROPERTY, "an unknown kind of memory");
    in_context(LOCAL | PRIVATE, "");
    in_context(LOCAL, "");
    in_context(PRIVATE, "-cl-opt-disable");
    in_context(LOCAL | PRIVATE, "-cl-opt-disable");
    puts("passed");
    return 0;
}
