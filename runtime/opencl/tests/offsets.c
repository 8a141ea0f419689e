/* Global offsets that lead to ids beyond 32 bits, which a device of 64 address bits has. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>

static const char *source = "kernel void ids(global ulong *o) {\n"
                            "    size_t x = get_global_id(0) - get_global_offset(0);\n"
                            "    o[x * 2] = get_global_id(0);\n"
                            "    o[x * 2 + 1] = get_global_id(1);\n"
                            "}\n";

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static cl_int launch(cl_kernel kernel, cl_mem buffer, size_t x, size_t y)
{
    size_t items[2] = {8, 1}, offset[2] = {x, y};
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == 0, "the argument");
    return clEnqueueNDRangeKernel(queue, kernel, 2, offset, items, NULL, 0, NULL, NULL);
}

static void check_ids(cl_kernel kernel, cl_mem buffer, size_t x, size_t y)
{
    cl_ulong ids[16];
    check(launch(kernel, buffer, x, y) == 0, "the launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof ids, ids, 0, NULL, NULL) == 0, "the ids");
    for (size_t i = 0; i < 8; i++)
        check(ids[2 * i] == x + i && ids[2 * i + 1] == y, "an id");
}

/* A program of the binary of another one, which has no source to be compiled again of. */
static void check_binary(cl_program made, cl_mem buffer)
{
    size_t size = 0;
    check(clGetProgramInfo(made, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == 0, "the binary's size");
    unsigned char *bytes = malloc(size);
    const unsigned char *binary = bytes;
    check(clGetProgramInfo(made, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == 0, "the binary");
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &binary, NULL, NULL);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == 0, "the build of the binary");
    cl_kernel kernel = clCreateKernel(program, "ids", NULL);
    check_ids(kernel, buffer, ((size_t)1 << 32) - 8, 0);
    check(launch(kernel, buffer, (size_t)1 << 40, 0) == CL_INVALID_GLOBAL_OFFSET, "ids of 32 bits in a binary");
    free(bytes);
    check(clReleaseKernel(kernel) == 0 && clReleaseProgram(program) == 0, "the release");
}

int main(void)
{
    cl_platform_id platform;
    cl_uint bits = 0;
    check(clGetPlatformIDs(1, &platform, NULL) == 0, "the platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0, "the device");
    check(clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL) == 0 && bits == 64, "64 bits");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == 0, "the build");
    cl_kernel kernel = clCreateKernel(program, "ids", NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 128, NULL, NULL);
    size_t two_32 = (size_t)1 << 32, two_40 = (size_t)1 << 40;
    size_t offsets[][2] = {{5, 6}, {two_32 - 8, 0}, {two_32 - 4, 0}, {two_40, 0}, {7, two_32}, {two_40 + 1, two_40}, {0, 0}};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        check_ids(kernel, buffer, offsets[i][0], offsets[i][1]);
    check(launch(kernel, buffer, (size_t)-8, 0) == CL_INVALID_GLOBAL_OFFSET, "ids of more than 64 bits");
    size_t items = two_40, local = 1;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL) == CL_INVALID_GLOBAL_WORK_SIZE,
          "2^40 work-groups");
    check_binary(program, buffer);
    puts("passed");
    return 0;
}
