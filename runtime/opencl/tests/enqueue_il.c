/* Modules in which kernels enqueue others and use pipes. The arguments are files: the source that the modules are made of
   (`enqueue_il.cl`), and the modules. All must give the same values, which are the right ones. */
#define CL_TARGET_OPENCL_VERSION 300
#define begin begin_with_source
#include "enqueue.h"
#undef begin
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16, FAMILY = 2 * N + 20, PACKETS = 64 };

static char bytes[1 << 18];

static size_t contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    check(file != NULL, path);
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    bytes[size] = 0;
    return size;
}

static void expect(const char *what, int index, int found, int wanted)
{
    if (found != wanted) {
        fprintf(stderr, "%s[%d] is %d and not %d\n", what, index, found, wanted);
        exit(1);
    }
}

static void launch(cl_kernel kernel, size_t items, size_t group)
{
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, group ? &group : NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
}

static void read_and_release(cl_mem buffer, int *to, size_t count)
{
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4 * count, to, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
}

/* What `descend` adds: each level has twice the launches. */
static int descent(int depth)
{
    return depth ? depth + 2 * descent(depth - 1) : 0;
}

static void family(void)
{
    int out[FAMILY], n = N, wanted[FAMILY] = { 0 };
    cl_ulong times[2] = { 0, 0 };
    cl_int error;
    cl_mem buffer = ints(FAMILY), clock = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof times, times, &error);
    CHECK(error == CL_SUCCESS);
    cl_kernel made = kernel("family");
    OK(clSetKernelArg(made, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(made, 1, sizeof n, &n));
    OK(clSetKernelArg(made, 2, sizeof clock, &clock));
    launch(made, 1, 0);
    read_and_release(buffer, out, FAMILY);
    OK(clEnqueueReadBuffer(queue, clock, CL_TRUE, 0, sizeof times, times, 0, NULL, NULL));
    OK(clReleaseMemObject(clock));
    for (int i = 0; i < N; ++i) wanted[i] = i * 2 * N + N + 1 + (i >= 2 && i < N - 2 ? 7 : 0);
    for (int i = 0; i < N; ++i) wanted[N + i] = wanted[i / 4 * 4 + 3 - i % 4];
    for (int i = 0; i < 8; ++i) wanted[2 * N + i] = i % 4 / 2 + 20 + 100 * (i / 4);
    for (int i = 0; i < 8; ++i) wanted[2 * N + 8 + i] = 1 + i % 2 + 10 * (2 + i / 2 % 2) + 100 * (3 + i / 4);
    wanted[2 * N + 16] = wanted[N];
    wanted[2 * N + 18] = 3;
    wanted[2 * N + 19] = descent(3);
    for (int i = 0; i < FAMILY; ++i) expect("family", i, out[i], wanted[i]);
    CHECK(times[0] > 0 && times[1] >= times[0]);
}

/* What the device says is the same for all programs. */
static void sizes(int *out)
{
    int n = 1;
    cl_mem buffer = ints(5);
    cl_kernel made = kernel("sizes");
    OK(clSetKernelArg(made, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(made, 1, sizeof n, &n));
    launch(made, 1, 0);
    read_and_release(buffer, out, 5);
    CHECK(out[0] > 0 && out[2] > 0);
}

static void pictures(cl_command_queue of_device)
{
    int out[8], texels[4][4] = { { 5 }, { 6 }, { 7 }, { 8 } };
    cl_int error;
    cl_image_format format = { CL_RGBA, CL_SIGNED_INT32 };
    cl_image_desc shape = { CL_MEM_OBJECT_IMAGE2D, 2, 2 };
    cl_sampler_properties unfiltered[] = { CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0 };
    cl_mem picture = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, texels, &error);
    CHECK(error == CL_SUCCESS);
    cl_sampler by = clCreateSamplerWithProperties(context, unfiltered, &error);
    CHECK(error == CL_SUCCESS);
    cl_mem buffer = ints(8);
    cl_kernel made = kernel("pictures");
    OK(clSetKernelArg(made, 0, sizeof picture, &picture));
    OK(clSetKernelArg(made, 1, sizeof by, &by));
    OK(clSetKernelArg(made, 2, sizeof buffer, &buffer));
    OK(clSetKernelArg(made, 3, sizeof of_device, &of_device));
    launch(made, 1, 0);
    read_and_release(buffer, out, 8);
    OK(clReleaseSampler(by));
    OK(clReleaseMemObject(picture));
    for (int i = 0; i < 4; ++i) expect("pictures", i, out[i], 5 + i);
    for (int i = 0; i < 4; ++i) expect("pictures", 4 + i, out[4 + i], 5 + (i ^ 1) + 40);
}

static void on_pipe(const char *name, cl_mem pipe, cl_mem buffer, size_t items, size_t group)
{
    cl_kernel made = kernel(name);
    OK(clSetKernelArg(made, 0, sizeof pipe, &pipe));
    OK(clSetKernelArg(made, 1, sizeof buffer, &buffer));
    launch(made, items, group);
}

static void pipes(void)
{
    int out[PACKETS + 1];
    cl_int error;
    cl_mem numbers = clCreatePipe(context, 0, 4, PACKETS, NULL, &error);
    CHECK(error == CL_SUCCESS);
    cl_mem buffer = ints(4);
    on_pipe("put", numbers, buffer, 30, 0);
    on_pipe("put_two", numbers, buffer, 1, 0);
    on_pipe("get", numbers, buffer, 33, 0);
    read_and_release(buffer, out, 4);
    OK(clReleaseMemObject(numbers));
    /* One work-item finds the pipe empty. */
    int wanted[4] = { 0, 3 * 29 * 30 / 2 + 300, 1, PACKETS };
    for (int i = 0; i < 4; ++i) expect("numbers", i, out[i], wanted[i]);
    cl_mem pairs = clCreatePipe(context, 0, 8, PACKETS, NULL, &error);
    CHECK(error == CL_SUCCESS);
    buffer = ints(PACKETS + 1);
    on_pipe("put_groups", pairs, buffer, PACKETS, 16);
    on_pipe("get_groups", pairs, buffer, PACKETS, 16);
    read_and_release(buffer, out, PACKETS + 1);
    OK(clReleaseMemObject(pairs));
    expect("pairs", 0, out[0], 0);
    for (int i = 0; i < PACKETS; ++i) expect("pairs", i + 1, out[i + 1], i + 7);
}

static void build(const char *options)
{
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char text[8192];
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
        check(0, text);
    }
}

/* Kernels that only others can enqueue are none of the program's. */
static void names(void)
{
    char text[1024];
    size_t count;
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(count == 8 && strstr(text, "block") == NULL && strstr(text, "family") != NULL);
}

int main(int count, char **paths)
{
    int given[5], found[5];
    cl_int error;
    cl_bool has_images;
    contents(paths[1]);
    begin_with_source("kernel void none(void) {}");
    OK(clReleaseProgram(program));
    cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES,
                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0 };
    cl_command_queue of_device = clCreateCommandQueueWithProperties(context, device, properties, &error);
    CHECK(error == CL_SUCCESS);
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL));
    for (int at = 1; at < count; ++at) {
        size_t size = contents(paths[at]);
        const char *text = bytes;
        program = at == 1 ? clCreateProgramWithSource(context, 1, &text, NULL, &error)
                          : clCreateProgramWithIL(context, bytes, size, &error);
        CHECK(error == CL_SUCCESS);
        build(at == 1 ? "-cl-std=CL3.0" : NULL);
        names();
        family();
        sizes(at == 1 ? given : found);
        if (at > 1) check(memcmp(given, found, sizeof given) == 0, "sizes");
        if (has_images) pictures(of_device);
        pipes();
        OK(clReleaseProgram(program));
    }
    OK(clReleaseCommandQueue(of_device));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    printf("%d modules\n", count - 2);
    return 0;
}
