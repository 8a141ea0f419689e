/* What OpenCL 3.1 has that 3.0 lacks. The argument is a module for OpenCL of a kernel 'k' that stores 42. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of headers that are newer than those of this system. */
enum { SPIRV_INSTRUCTION_SETS = 0x12B9, SPIRV_EXTENSIONS = 0x12BA, SPIRV_CAPABILITIES = 0x12BB };
typedef cl_int (*suggest)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);

static const char *source =
    "#if __OPENCL_C_VERSION__ != 310 || __OPENCL_VERSION__ != 310 || CL_VERSION_3_1 != 310\n"
    "#error version\n"
    "#endif\n"
    "kernel void sum(global int *out, local int *scratch, int n)\n"
    "{\n"
    "    if (n) scratch[get_local_id(0)] = n;\n"
    "    out[get_global_id(0)] = sub_group_rotate(7, 1) + bit_reverse(1) + (n ? scratch[get_local_id(0)] : 0);\n"
    "}\n";

static int has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
    return 0;
}

static void versions(cl_platform_id platform, cl_device_id device)
{
    static const char *core[] = {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product",
                                 "cl_khr_spirv_queries", "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate",
                                 "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
                                 "cl_khr_suggested_local_work_size"};
    char text[1 << 13];
    cl_version number = 0;
    cl_uint sub_groups = 0;
    cl_name_version listed[16];
    size_t size;
    check(!clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL) && !strncmp(text, "OpenCL 3.1 ", 11),
          "version of the platform");
    check(!clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof number, &number, NULL)
              && number == CL_MAKE_VERSION(3, 1, 0), "its number");
    check(!clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL) && !strncmp(text, "OpenCL 3.1 ", 11),
          "version of the device");
    check(!clGetDeviceInfo(device, CL_DEVICE_NUMERIC_VERSION, sizeof number, &number, NULL)
              && number == CL_MAKE_VERSION(3, 1, 0), "its number");
    check(!clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL) && sub_groups,
          "sub-groups");
    check(!clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL), "extensions");
    for (unsigned i = 0; i < sizeof core / sizeof *core; i++) check(has_word(text, core[i]), core[i]);
    check(!clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL), "intermediate languages");
    for (int minor = 0; minor <= 4; minor++) {
        char name[] = "SPIR-V_1.0";
        name[9] = (char)('0' + minor);
        check(has_word(text, name), name);
    }
    static const int numbers[][2] = {{1, 0}, {1, 1}, {1, 2}, {3, 0}, {3, 1}};
    check(!clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof listed, listed, &size), "languages");
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int found = 0;
        for (unsigned at = 0; at < size / sizeof *listed; at++)
            found |= listed[at].version == CL_MAKE_VERSION(numbers[i][0], numbers[i][1], 0);
        check(found, "a version of OpenCL C");
    }
}

/* The device's UUIDs are those that Vulkan's own function tells for one of its devices. */
static void identity(cl_device_id device)
{
    struct properties {
        int type;
        void *next;
        unsigned char rest[4096];
    } all = {1000059001, NULL, {0}};
    struct {
        int type;
        void *next;
        unsigned char device[16], driver[16], luid[8];
        uint32_t nodes, valid;
    } ids = {1000071004, NULL, {0}, {0}, {0}, 0, 0};
    struct {
        int type;
        const void *next, *name;
        uint32_t version, zero;
        const void *engine;
        uint32_t engine_version, api;
    } application = {0, NULL, NULL, 0, 0, NULL, 0, 1 << 22 | 1 << 12};
    struct {
        int type;
        const void *next;
        uint32_t flags;
        const void *application;
        uint32_t layers;
        const void *layer_names;
        uint32_t extensions;
        const void *extension_names;
    } creation = {1, NULL, 0, &application, 0, NULL, 0, NULL};
    unsigned char uuid[16] = {0}, driver[16] = {0};
    check(!clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, 16, uuid, NULL), "UUID");
    check(!clGetDeviceInfo(device, CL_DRIVER_UUID_KHR, 16, driver, NULL), "UUID of the driver");
    void *vulkan = dlopen("libvulkan.so.1", RTLD_NOW), *instance = NULL, *devices[16];
    check(vulkan != NULL, "Vulkan");
    int (*create)(const void *, const void *, void **), (*list)(void *, uint32_t *, void **);
    void (*describe)(void *, struct properties *);
    *(void **)&create = dlsym(vulkan, "vkCreateInstance");
    *(void **)&list = dlsym(vulkan, "vkEnumeratePhysicalDevices");
    *(void **)&describe = dlsym(vulkan, "vkGetPhysicalDeviceProperties2");
    uint32_t count = 16, found = 0;
    check(!create(&creation, NULL, &instance) && !list(instance, &count, devices) && count, "devices of Vulkan");
    for (uint32_t i = 0; i < count; i++) {
        all.next = &ids;
        describe(devices[i], &all);
        found |= !memcmp(uuid, ids.device, 16) && !memcmp(driver, ids.driver, 16);
    }
    check(found, "the UUIDs are Vulkan's");
}

static void *list_of(cl_device_id device, cl_uint name, size_t *size)
{
    check(!clGetDeviceInfo(device, name, 0, NULL, size), "size of a query");
    void *list = malloc(*size);
    check(!clGetDeviceInfo(device, name, *size, list, NULL), "query");
    return list;
}

/* Builds and runs a module with words inserted behind its header or behind its capabilities. */
static void run_module(cl_context context, cl_command_queue queue, const uint32_t *module, size_t words,
                       const uint32_t *inserted, size_t count, int is_extension)
{
    size_t at = 5;
    while (is_extension && (module[at] & 0xffff) == 17) at += module[at] >> 16;
    uint32_t *changed = malloc(4 * (words + count));
    memcpy(changed, module, 4 * at);
    memcpy(changed + at, inserted, 4 * count);
    memcpy(changed + at + count, module + at, 4 * (words - at));
    changed[1] = 0x10600;
    cl_int code, result = 0;
    size_t one = 1;
    cl_program program = clCreateProgramWithIL(context, changed, 4 * (words + count), &code);
    check(code == CL_SUCCESS && !clBuildProgram(program, 0, NULL, "", NULL, NULL), "a module that declares what is reported");
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_mem buffer = clCreateBuffer(context, 0, 4, NULL, &code);
    check(!clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), "launch");
    check(!clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &result, 0, NULL, NULL) && result == 42, "its result");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    free(changed);
}

/* Modules may declare every capability and extension that is reported, which the reader of modules does not look at; those that
 * the specification requires are reported. */
static void spirv_queries(cl_device_id device, cl_context context, cl_command_queue queue, const char *path)
{
    static const uint32_t required[] = {4, 5, 6, 7, 8, 11, 18, 22, 39, 58, 65, 66, 71, 5629, 6017, 6018, 6019, 6025, 6026};
    static uint32_t module[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t words = file ? fread(module, 4, 1 << 14, file) : 0, size;
    check(words > 5, "the module");
    const char **sets = list_of(device, SPIRV_INSTRUCTION_SETS, &size);
    check(size >= sizeof *sets && !strcmp(*sets, "OpenCL.std"), "instruction sets");
    for (size_t at = 0; at < size / sizeof *sets; at++) {
        /* Under an id that the module does not use. */
        uint32_t imported[32] = {0, module[3]++};
        size_t length = strlen(sets[at]) / 4 + 1;
        memcpy(imported + 2, sets[at], strlen(sets[at]));
        imported[0] = (uint32_t)(length + 2) << 16 | 11;
        run_module(context, queue, module, words, imported, length + 2, 1);
    }
    uint32_t *capabilities = list_of(device, SPIRV_CAPABILITIES, &size);
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        int found = 0;
        for (size_t at = 0; at < size / 4; at++) found |= capabilities[at] == required[i];
        check(found, "a capability that is required");
    }
    for (size_t at = 0; at < size / 4; at++) {
        uint32_t declared[] = {2 << 16 | 17, capabilities[at]};
        run_module(context, queue, module, words, declared, 2, 0);
    }
    const char **extensions = list_of(device, SPIRV_EXTENSIONS, &size);
    int has_rotate = 0;
    for (size_t at = 0; at < size / sizeof *extensions; at++) {
        uint32_t declared[32] = {0};
        size_t length = strlen(extensions[at]) / 4 + 1;
        memcpy(declared + 1, extensions[at], strlen(extensions[at]));
        declared[0] = (uint32_t)(length + 1) << 16 | 10;
        run_module(context, queue, module, words, declared, length + 1, 1);
        has_rotate |= !strcmp(extensions[at], "SPV_KHR_subgroup_rotate");
    }
    check(has_rotate, "an extension that is required");
    free(sets), free(capabilities), free(extensions);
}

/* The function is found by name, and behind those of OpenCL 3.0 in the table that loaders use. */
static void suggested_sizes(cl_platform_id platform, cl_command_queue queue, cl_command_queue foreign, cl_kernel kernel)
{
    suggest function, extension;
    *(void **)&function = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSize");
    *(void **)&extension = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    check(function && extension, "functions");
    size_t last = offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void *);
    check((*(suggest **)platform)[last + 1] == function, "its place in the table");
    size_t global[] = {96, 6, 2}, local[3], other[3], offset[] = {(size_t)-1, 0, 0}, none[] = {4, 0, 4};
    for (cl_uint dims = 1; dims <= 3; dims++) {
        check(!function(queue, kernel, dims, NULL, global, local) && !extension(queue, kernel, dims, NULL, global, other),
              "suggested size");
        for (cl_uint d = 0; d < dims; d++) check(local[d] && global[d] % local[d] == 0 && local[d] == other[d], "its parts");
    }
    check(function(foreign, kernel, 1, NULL, global, local) == CL_INVALID_CONTEXT, "a queue of another context");
    check(function(queue, kernel, 1, offset, global, local) == CL_INVALID_GLOBAL_OFFSET, "an offset that is too large");
    check(function(queue, kernel, 3, NULL, none, local) == CL_INVALID_GLOBAL_WORK_SIZE, "a global size of zero");
    check(function(queue, kernel, 1, NULL, NULL, local) == CL_INVALID_GLOBAL_WORK_SIZE, "no global size");
    check(function(queue, kernel, 4, NULL, global, local) == CL_INVALID_WORK_DIMENSION, "four dimensions");
    check(function(queue, kernel, 1, NULL, global, NULL) == CL_INVALID_VALUE, "no place for the size");
}

/* Local memory of no bytes, and as much as one work-group needs. */
static cl_mem local_arguments(cl_context context, cl_command_queue queue, cl_kernel kernel)
{
    cl_int code, out[8], n = 0;
    size_t global = 8, zero = 0;
    cl_mem buffer = clCreateBuffer(context, 0, sizeof out, NULL, &code);
    for (n = 0; n < 2; n++) {
        check(!clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument 0");
        check(!clSetKernelArg(kernel, 1, n ? sizeof out : 0, NULL), "local memory");
        check(!clSetKernelArg(kernel, 2, sizeof n, &n), "argument 2");
        check(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL), "launch");
        check(!clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
        for (int i = 0; i < 8; i++) check(out[i] == 7 + INT32_MIN + n, "what the kernel has written");
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &zero, 0, NULL, NULL) == CL_INVALID_WORK_GROUP_SIZE,
          "a local size of zero");
    return buffer;
}

static void codes_of_programs(cl_context context, cl_context other, cl_device_id device, cl_program foreign)
{
    cl_int code;
    const char *text = "kernel void empty() {}", *name = "header.h";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(clCompileProgram(program, 0, NULL, "", 1, &foreign, &name, NULL, NULL) == CL_INVALID_CONTEXT,
          "a header of another context");
    check(clCompileProgram(program, 0, NULL, "", 0, &foreign, NULL, NULL, NULL) == CL_INVALID_VALUE
              && clCompileProgram(program, 0, NULL, "", 0, NULL, &name, NULL, NULL) == CL_INVALID_VALUE
              && clCompileProgram(program, 0, NULL, "", 1, &foreign, NULL, NULL, NULL) == CL_INVALID_VALUE
              && clCompileProgram(program, 0, NULL, "", 1, NULL, &name, NULL, NULL) == CL_INVALID_VALUE
              && clCompileProgram(program, 1, NULL, "", 0, NULL, NULL, NULL, NULL) == CL_INVALID_VALUE
              && clCompileProgram(program, 0, &device, "", 0, NULL, NULL, NULL, NULL) == CL_INVALID_VALUE,
          "lists that do not fit their lengths");
    check(!clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL), "compile");
    check(!clLinkProgram(other, 0, NULL, "", 1, &program, NULL, NULL, &code) && code == CL_INVALID_CONTEXT,
          "a program of another context");
    check(!clLinkProgram(context, 0, NULL, "", 0, &program, NULL, NULL, &code) && code == CL_INVALID_VALUE, "no length");
    check(!clLinkProgram(context, 1, NULL, "", 1, &program, NULL, NULL, &code) && code == CL_INVALID_VALUE, "no devices");
    clReleaseProgram(program);
}

static void codes_of_kernels(cl_device_id device, cl_kernel kernel)
{
    cl_device_svm_capabilities memory = 0;
    cl_bool no = CL_FALSE, yes = CL_TRUE;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof memory, &memory, NULL);
    check(!clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no), "no system memory");
    check(memory & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
              || clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes) == CL_INVALID_OPERATION,
          "system memory");
    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &no) == CL_INVALID_VALUE
              && clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 0, NULL) == CL_INVALID_VALUE
              && clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL) == CL_INVALID_VALUE
              && clSetKernelExecInfo(kernel, 1, sizeof no, &no) == CL_INVALID_VALUE, "values of execution");
    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL) == (memory ? CL_SUCCESS : CL_INVALID_OPERATION),
          "no pointers");
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(count == 2 && !clGetPlatformIDs(1, &platform, NULL), "platform");
    check(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_version number = 0;
    check(!clGetDeviceInfo(device, CL_DEVICE_NUMERIC_VERSION, sizeof number, &number, NULL), "version");
    if (number < CL_MAKE_VERSION(3, 1, 0)) return puts("3.0") < 0;
    versions(platform, device);
    identity(device);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    cl_command_queue foreign = clCreateCommandQueueWithProperties(other, device, NULL, &code);
    check(code == CL_SUCCESS, "queues");
    cl_program programs[] = {clCreateProgramWithSource(context, 1, &source, NULL, &code),
                             clCreateProgramWithSource(other, 1, &source, NULL, &code)};
    check(!clBuildProgram(programs[0], 1, &device, "-cl-std=CL3.1 -Werror", NULL, NULL), "build");
    cl_kernel kernel = clCreateKernel(programs[0], "sum", &code);
    check(code == CL_SUCCESS, "kernel");
    cl_mem buffer = local_arguments(context, queue, kernel);
    suggested_sizes(platform, queue, foreign, kernel);
    codes_of_programs(context, other, device, programs[1]);
    codes_of_kernels(device, kernel);
    spirv_queries(device, context, queue, arguments[1]);
    clReleaseMemObject(buffer);
    puts("passed");
    return 0;
}
