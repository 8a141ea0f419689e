/* Programs of a SPIR-V module, whose file is the argument: a kernel `k(global uint *p)` that stores the value of specialisation
   constant 7, a `uint` that is 42 by default. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/* What the kernel of a program stores. */
static cl_uint stored(cl_program program)
{
    cl_int code;
    cl_uint value = 0;
    size_t one = 1;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    check(code == CL_SUCCESS, "kernel");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof value, NULL, &code);
    check(code == CL_SUCCESS, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "argument");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS, "read");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    return value;
}

int main(int count, char **arguments)
{
    static unsigned char module[1 << 16], kept[1 << 16];
    cl_platform_id platform;
    cl_int code;
    char versions[256];
    size_t kept_size, source_size;
    cl_uint value = 10;
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    check(file != NULL, "file");
    size_t size = fread(module, 1, sizeof module, file);
    fclose(file);
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL) == CL_SUCCESS, "versions");
    check(strstr(versions, "SPIR-V_1.0") != NULL, "SPIR-V 1.0");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");

    /* `cl_khr_il_program`, for programs of OpenCL 1.2. */
    clCreateProgramWithILKHR_fn create = (clCreateProgramWithILKHR_fn)clGetExtensionFunctionAddressForPlatform(
        platform, "clCreateProgramWithILKHR");
    cl_program old = create ? create(context, module, size, &code) : NULL;
    check(old != NULL && code == CL_SUCCESS && clReleaseProgram(old) == CL_SUCCESS, "program by the extension");
    check(clCreateProgramWithIL(context, "kernel", 6, &code) == NULL && code == CL_INVALID_VALUE, "text");
    check(clCreateProgramWithIL(context, NULL, 4, &code) == NULL && code == CL_INVALID_VALUE, "no module");
    check(clCreateProgramWithIL(context, module, size - 2, &code) == NULL && code == CL_INVALID_VALUE, "half a word");
    cl_program program = clCreateProgramWithIL(context, module, size, &code);
    check(program != NULL && code == CL_SUCCESS, "program");
    check(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof kept, kept, &kept_size) == CL_SUCCESS, "module");
    check(kept_size == size && memcmp(module, kept, size) == 0, "the module's bytes");
    check(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &source_size) == CL_SUCCESS && source_size == 1, "source");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "build");
    check(stored(program) == 42, "default value");

    check(clSetProgramSpecializationConstant(program, 8, sizeof value, &value) == CL_INVALID_SPEC_ID, "number");
    check(clSetProgramSpecializationConstant(program, 7, 2, &value) == CL_INVALID_VALUE, "size");
    check(clSetProgramSpecializationConstant(program, 7, sizeof value, NULL) == CL_INVALID_VALUE, "no value");
    check(clSetProgramSpecializationConstant(program, 7, sizeof value, &value) == CL_SUCCESS, "constant");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "second build");
    check(stored(program) == 10, "given value");

    check(clCompileProgram(program, 1, &device, "", 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "compile");
    cl_program linked = clLinkProgram(context, 1, &device, "", 1, &program, NULL, NULL, &code);
    check(code == CL_SUCCESS && stored(linked) == 10, "link");

    const char *text = "kernel void k(global uint *p) { p[0] = 1; }";
    cl_program source = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    code = clSetProgramSpecializationConstant(source, 7, sizeof value, &value);
    check(code == CL_INVALID_PROGRAM, "constant of a source");
    clReleaseProgram(source);
    clReleaseProgram(linked);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
