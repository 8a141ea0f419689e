/* Calls each function that takes a pointer with the smallest memory that is valid for it, directly before a page that cannot be
   accessed, and those that compare sizes also with a wrong size and less memory than it says. `loader.rs` passes the library and
   a SPIR-V module, and checks the names that are printed against the list of the functions that have pointers. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "gl.h"
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef intptr_t word;
/* More parameters than any function has: in the calling conventions of C on 64-bit systems those too many are ignored. */
typedef word (*function)(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word);

static void *library;
static word platform, device, context, queue, gate, buffer, small, image, kernel, svm;

/* `size` bytes before a page that cannot be accessed, with these contents. */
static word edge(size_t size, const void *contents)
{
    size_t page = sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    char *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(memory != MAP_FAILED && mprotect(memory + whole, page, PROT_NONE) == 0, "mmap");
    memory += whole - size;
    if (contents) memcpy(memory, contents, size);
    return (word)memory;
}

#define OUT(size) edge(size, NULL)
#define AT(type, ...) edge(sizeof((type[]){__VA_ARGS__}), (type[]){__VA_ARGS__})
#define TEXT(text) edge(strlen(text) + 1, text)
/* The last parameters of functions that enqueue. */
#define EVENTS 1, AT(word, gate), OUT(8)

static word call(const char *name, const word a[16])
{
    function f = (function)dlsym(library, name);
    check(f != NULL, name);
    puts(name);
    return f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
}

#define CALL(name, ...) call(name, (word[16]){__VA_ARGS__})
/* The call succeeds, fails, or makes an object. */
#define GOOD(name, ...) check((cl_int)CALL(name, __VA_ARGS__) == CL_SUCCESS, name)
#define FAIL(code, name, ...) check((cl_int)CALL(name, __VA_ARGS__) == (code), name)
#define WRONG(name, ...) check((cl_int)CALL(name, __VA_ARGS__) < 0, name)
#define MAKE(name, ...) made(name, CALL(name, __VA_ARGS__))
#define NONE(name, ...) check(CALL(name, __VA_ARGS__) == 0, name)

static word made(const char *name, word object)
{
    check(object != 0, name);
    return object;
}

/* A query with as much room as the value needs, and with a byte less. `count` of the arguments are before the room. */
static void query(const char *name, int count, word first, word second, word third)
{
    word a[16] = {first, second, third}, needed = OUT(8);
    a[count + 2] = needed;
    check((cl_int)call(name, a) == CL_SUCCESS, name);
    size_t size = *(size_t *)needed;
    a[count] = size, a[count + 1] = OUT(size), a[count + 2] = OUT(8);
    check((cl_int)call(name, a) == CL_SUCCESS && *(size_t *)a[count + 2] == size, name);
    a[count] = size - 1, a[count + 1] = OUT(size - 1), a[count + 2] = OUT(8);
    check((cl_int)call(name, a) == CL_INVALID_VALUE, name);
}

static void CL_CALLBACK notify(word object, word data, word third, word fourth)
{
    (void)object, (void)data, (void)third, (void)fourth;
}

static void CL_CALLBACK native(void *arguments)
{
    check(((word *)arguments)[0] == 5, "argument of a native kernel");
}

static void contexts(void)
{
    platform = OUT(8), device = OUT(8);
    GOOD("clIcdGetPlatformIDsKHR", 1, OUT(8), OUT(4));
    GOOD("clGetPlatformIDs", 1, platform, OUT(4));
    platform = *(word *)platform;
    query("clGetPlatformInfo", 2, platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0);
    GOOD("clGetDeviceIDs", platform, CL_DEVICE_TYPE_ALL, 1, device, OUT(4));
    device = *(word *)device;
    word queried[] = {CL_DEVICE_NAME, CL_DEVICE_MAX_WORK_ITEM_SIZES, CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_OPENCL_C_FEATURES};
    for (int i = 0; i < 4; i++) query("clGetDeviceInfo", 2, device, queried[i], 0);
    /* Two parts at least, or none. */
    WRONG("clCreateSubDevices", device, AT(word, CL_DEVICE_PARTITION_EQUALLY, 1, 0), 1, OUT(8), OUT(4));
    word part = OUT(8);
    if (!CALL("clCreateSubDevices", device, AT(word, CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0), 1, part, OUT(4)))
        check(CALL("clReleaseDevice", *(word *)part) == 0, "a part");
    enum { BY_NAMES_EXT = 0x4052 };
    if (!CALL("clCreateSubDevicesEXT", device, AT(cl_ulong, BY_NAMES_EXT, 0, -1, 0), 1, part, OUT(4)))
        check(CALL("clReleaseDeviceEXT", *(word *)part) == 0, "a part");
    GOOD("clGetDeviceAndHostTimer", device, OUT(8), OUT(8));
    GOOD("clGetHostTimer", device, OUT(8));
    MAKE("clGetExtensionFunctionAddress", TEXT("clIcdGetPlatformIDsKHR"));
    MAKE("clGetExtensionFunctionAddressForPlatform", platform, TEXT("clIcdGetPlatformIDsKHR"));
    context = MAKE("clCreateContext", AT(word, CL_CONTEXT_PLATFORM, platform, 0), 1, AT(word, device), 0, 0, OUT(4));
    MAKE("clCreateContextFromType", AT(word, CL_CONTEXT_PLATFORM, platform, 0), CL_DEVICE_TYPE_ALL, 0, 0, OUT(4));
    query("clGetContextInfo", 2, context, CL_CONTEXT_DEVICES, 0);
    GOOD("clSetContextDestructorCallback", context, (word)notify, 0);
    MAKE("clCreateCommandQueue", context, device, 0, OUT(4));
    MAKE("clCreateCommandQueueWithProperties", context, device, AT(word, CL_QUEUE_PROPERTIES, 0, 0), OUT(4));
    queue = MAKE("clCreateCommandQueueWithPropertiesKHR", context, device,
                 AT(word, CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0), OUT(4));
    query("clGetCommandQueueInfo", 2, queue, CL_QUEUE_PROPERTIES_ARRAY, 0);
    WRONG("clSetCommandQueueProperty", queue, 0, 0, OUT(8));
}

static void events(void)
{
    word marker = OUT(8);
    gate = MAKE("clCreateUserEvent", context, OUT(4));
    check(clSetUserEventStatus((cl_event)gate, CL_COMPLETE) == CL_SUCCESS, "user event");
    GOOD("clEnqueueMarkerWithWaitList", queue, EVENTS);
    GOOD("clEnqueueBarrierWithWaitList", queue, EVENTS);
    GOOD("clEnqueueMarker", queue, marker);
    GOOD("clEnqueueWaitForEvents", queue, 1, AT(word, gate));
    GOOD("clWaitForEvents", 1, marker);
    GOOD("clSetEventCallback", gate, CL_COMPLETE, (word)notify, 0);
    query("clGetEventInfo", 2, gate, CL_EVENT_COMMAND_EXECUTION_STATUS, 0);
    query("clGetEventProfilingInfo", 2, *(word *)marker, CL_PROFILING_COMMAND_END, 0);
}

static void buffers(void)
{
    char bytes[64] = {1, 2, 3};
    buffer = MAKE("clCreateBuffer", context, CL_MEM_COPY_HOST_PTR, 64, edge(64, bytes), OUT(4));
    small = MAKE("clCreateBuffer", context, CL_MEM_USE_HOST_PTR, 13, edge(13, bytes), OUT(4));
    MAKE("clCreateBufferWithProperties", context, AT(cl_ulong, 0), CL_MEM_COPY_HOST_PTR, 1, edge(1, bytes), OUT(4));
    MAKE("clCreateBufferWithPropertiesINTEL", context, AT(cl_ulong, 0), CL_MEM_COPY_HOST_PTR, 1, edge(1, bytes), OUT(4));
    /* No descriptor, an unknown property without a value, and devices without a descriptor. */
    enum { OPAQUE_FD = 0x2060, LIST = 0x2051 };
    NONE("clCreateBufferWithProperties", context, AT(cl_ulong, OPAQUE_FD, -1, 0), 0, 1, 0, OUT(4));
    NONE("clCreateBufferWithProperties", context, AT(cl_ulong, 77), 0, 1, 0, OUT(4));
    NONE("clCreateBufferWithProperties", context, AT(cl_ulong, LIST, device, 0, 0), 0, 1, 0, OUT(4));
    FAIL(CL_INVALID_MEM_OBJECT, "clEnqueueAcquireExternalMemObjectsKHR", queue, 1, AT(word, buffer), EVENTS);
    FAIL(CL_INVALID_MEM_OBJECT, "clEnqueueReleaseExternalMemObjectsKHR", queue, 1, AT(word, buffer), EVENTS);
    MAKE("clCreateSubBuffer", buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, AT(cl_buffer_region, {0, 8}), OUT(4));
    NONE("clCreatePipe", context, 0, 4, 4, AT(word, 0), OUT(4));
    query("clGetPipeInfo", 2, MAKE("clCreatePipe", context, 0, 4, 4, 0, OUT(4)), CL_PIPE_PACKET_SIZE, 0);
    WRONG("clGetPipeInfo", buffer, CL_PIPE_PACKET_SIZE, 4, OUT(4), OUT(8));
    GOOD("clSetMemObjectDestructorCallback", buffer, (word)notify, 0);
    query("clGetMemObjectInfo", 2, buffer, CL_MEM_SIZE, 0);
    GOOD("clEnqueueReadBuffer", queue, buffer, CL_TRUE, 51, 13, OUT(13), EVENTS);
    FAIL(CL_INVALID_VALUE, "clEnqueueReadBuffer", queue, buffer, CL_TRUE, 51, 14, OUT(13), EVENTS);
    GOOD("clEnqueueWriteBuffer", queue, buffer, CL_TRUE, 51, 13, edge(13, bytes), EVENTS);
    FAIL(CL_INVALID_VALUE, "clEnqueueWriteBuffer", queue, small, CL_TRUE, 0, 14, edge(13, bytes), EVENTS);
    /* Two rows of two slices of three bytes: the last byte is the 18th. */
    word zero = AT(word, 0, 0, 0), region = AT(word, 3, 2, 2);
    GOOD("clEnqueueReadBufferRect", queue, buffer, CL_TRUE, zero, zero, region, 4, 16, 5, 10, OUT(18), EVENTS);
    GOOD("clEnqueueWriteBufferRect", queue, buffer, CL_TRUE, zero, zero, region, 4, 16, 5, 10, edge(18, bytes), EVENTS);
    GOOD("clEnqueueCopyBufferRect", queue, buffer, buffer, zero, AT(word, 0, 0, 2), region, 4, 16, 4, 16, EVENTS);
    GOOD("clEnqueueCopyBuffer", queue, buffer, small, 8, 0, 13, EVENTS);
    GOOD("clEnqueueFillBuffer", queue, buffer, AT(cl_uint, 7), 4, 0, 64, EVENTS);
    FAIL(CL_INVALID_VALUE, "clEnqueueFillBuffer", queue, buffer, AT(cl_uint, 7), 96, 0, 64, EVENTS);
    GOOD("clEnqueueMigrateMemObjects", queue, 1, AT(word, buffer), 0, EVENTS);
    GOOD("clEnqueueMigrateMemObjectEXT", queue, 1, AT(word, buffer), 0, EVENTS);
    word mapped = MAKE("clEnqueueMapBuffer", queue, small, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 1, 12, EVENTS, OUT(4));
    GOOD("clEnqueueUnmapMemObject", queue, small, mapped, EVENTS);
    check(clFinish((cl_command_queue)queue) == CL_SUCCESS, "finish");
}

/* Images of 5 texels a row: bytes of the host that they need where their pitches are 7 and 22. */
static const struct {
    cl_mem_object_type type;
    word bytes, rows, slices;
} kinds[] = {{CL_MEM_OBJECT_IMAGE1D, 7, 1, 1}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, 66, 3, 1}, {CL_MEM_OBJECT_IMAGE2D, 21, 3, 1},
             {CL_MEM_OBJECT_IMAGE2D_ARRAY, 66, 3, 3}, {CL_MEM_OBJECT_IMAGE3D, 44, 3, 2}};

static void images(void)
{
    char bytes[66] = {0};
    word format = AT(cl_image_format, {CL_R, CL_UNSIGNED_INT8}), zero = AT(word, 0, 0, 0), region = AT(word, 3, 2, 1);
    for (int i = 0; i < 5; i++) {
        cl_image_desc desc = {.image_type = kinds[i].type, .image_width = 5, .image_height = 3, .image_depth = 2,
                              .image_array_size = 3, .image_row_pitch = 7, .image_slice_pitch = i == 0 || i == 2 ? 0 : 22};
        word copied = MAKE("clCreateImage", context, CL_MEM_COPY_HOST_PTR, format, edge(sizeof desc, &desc),
                           edge(kinds[i].bytes, bytes), OUT(4));
        word used = MAKE("clCreateImageWithProperties", context, AT(cl_ulong, 0), CL_MEM_USE_HOST_PTR, format,
                         edge(sizeof desc, &desc), edge(kinds[i].bytes, bytes), OUT(4));
        if (kinds[i].type == CL_MEM_OBJECT_IMAGE2D) image = copied;
        word whole = AT(word, 5, kinds[i].rows, kinds[i].slices);
        word mapped = MAKE("clEnqueueMapImage", queue, used, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, zero, whole, OUT(8), OUT(8),
                           EVENTS, OUT(4));
        GOOD("clEnqueueUnmapMemObject", queue, used, mapped, EVENTS);
    }
    MAKE("clCreateImage2D", context, CL_MEM_COPY_HOST_PTR, format, 5, 3, 7, edge(21, bytes), OUT(4));
    MAKE("clCreateImage3D", context, CL_MEM_COPY_HOST_PTR, format, 5, 3, 2, 7, 22, edge(44, bytes), OUT(4));
    query("clGetImageInfo", 2, image, CL_IMAGE_FORMAT, 0);
    GOOD("clGetSupportedImageFormats", context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 1, OUT(8), OUT(4));
    GOOD("clEnqueueReadImage", queue, image, CL_TRUE, zero, region, 7, 0, OUT(10), EVENTS);
    GOOD("clEnqueueWriteImage", queue, image, CL_TRUE, zero, region, 7, 0, edge(10, bytes), EVENTS);
    GOOD("clEnqueueFillImage", queue, image, AT(cl_uint, 1, 2, 3, 4), zero, region, EVENTS);
    GOOD("clEnqueueCopyImage", queue, image, image, zero, AT(word, 0, 2, 0), AT(word, 3, 1, 1), EVENTS);
    GOOD("clEnqueueCopyImageToBuffer", queue, image, buffer, zero, region, 0, EVENTS);
    GOOD("clEnqueueCopyBufferToImage", queue, buffer, image, 0, zero, region, EVENTS);
    word sampler = MAKE("clCreateSampler", context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, OUT(4));
    MAKE("clCreateSamplerWithProperties", context, AT(cl_ulong, CL_SAMPLER_NORMALIZED_COORDS, 0, 0), OUT(4));
    query("clGetSamplerInfo", 2, sampler, CL_SAMPLER_ADDRESSING_MODE, 0);
    GOOD("clSetKernelArg", kernel, 3, 8, AT(word, image));
    GOOD("clSetKernelArg", kernel, 4, 8, AT(word, sampler));
}

static const char *source[] = {
    "typedef struct { char c[3]; } three;\n"
    "kernel void all(global int *to, int n, local int *t, read_only image2d_t i, sampler_t s, three v, char c, float4 f, int u)\n",
    "{ t[0] = n; to[0] = t[0] + (int)read_imageui(i, s, (int2)(0, 0)).x + v.c[0] + c + (int)f.x; }\n"};

/* Values of exactly their size, and sizes of more bytes than there are. */
static void arguments(void)
{
    static const struct {
        int index, size;
    } values[] = {{1, 4}, {5, 3}, {6, 1}, {7, 16}, {0, 8}};
    char zeros[16] = {0};
    for (int i = 0; i < 5; i++) {
        word index = values[i].index, size = values[i].size;
        GOOD("clSetKernelArg", kernel, index, size, edge(size, zeros));
        FAIL(CL_INVALID_ARG_SIZE, "clSetKernelArg", kernel, index, size + 1, edge(size, zeros));
        FAIL(CL_INVALID_ARG_SIZE, "clSetKernelArg", kernel, index, 2 * size, edge(size, zeros));
        FAIL(CL_INVALID_ARG_SIZE, "clSetKernelArg", kernel, index, 65536, edge(size, zeros));
        FAIL(CL_INVALID_ARG_SIZE, "clSetKernelArg", kernel, index, -1, edge(size, zeros));
    }
    GOOD("clSetKernelArg", kernel, 0, 8, AT(word, buffer));
    GOOD("clSetKernelArg", kernel, 2, 16, 0);
    /* The kernel does not use it, so nothing says what is wrong with its size. */
    CALL("clSetKernelArg", kernel, 8, 65536, edge(4, zeros));
    GOOD("clSetKernelArg", kernel, 8, 4, edge(4, zeros));
}

static void programs(const char *module, size_t module_size)
{
    word strings = AT(word, edge(strlen(source[0]), source[0]), TEXT(source[1])), devices = AT(word, device);
    word program = MAKE("clCreateProgramWithSource", context, 2, strings, AT(word, strlen(source[0]), 0), OUT(4));
    GOOD("clBuildProgram", program, 1, devices, TEXT("-cl-kernel-arg-info"), 0, 0);
    query("clGetProgramBuildInfo", 3, program, device, CL_PROGRAM_BUILD_OPTIONS);
    query("clGetProgramInfo", 2, program, CL_PROGRAM_SOURCE, 0);
    word size = OUT(8), binary;
    GOOD("clGetProgramInfo", program, CL_PROGRAM_BINARY_SIZES, 8, size, OUT(8));
    binary = OUT(*(word *)size);
    GOOD("clGetProgramInfo", program, CL_PROGRAM_BINARIES, 8, AT(word, binary), OUT(8));
    MAKE("clCreateProgramWithBinary", context, 1, devices, size, AT(word, binary), OUT(4), OUT(4));
    NONE("clCreateProgramWithBuiltInKernels", context, 1, devices, TEXT("nothing"), OUT(4));
    WRONG("clSetProgramReleaseCallback", program, (word)notify, 0);
    kernel = MAKE("clCreateKernel", program, TEXT("all"), OUT(4));
    GOOD("clCreateKernelsInProgram", program, 1, OUT(8), OUT(4));

    word header = MAKE("clCreateProgramWithSource", context, 1, AT(word, edge(11, "#define A 1")), AT(word, 11), OUT(4));
    word text = TEXT("#include \"h\"\nkernel void k(global int *p) { *p = A; }");
    word including = MAKE("clCreateProgramWithSource", context, 1, AT(word, text), 0, OUT(4));
    GOOD("clCompileProgram", including, 1, devices, TEXT(""), 1, AT(word, header), AT(word, TEXT("h")), 0, 0);
    MAKE("clLinkProgram", context, 1, devices, TEXT(""), 1, AT(word, including), 0, 0, OUT(4));

    MAKE("clCreateProgramWithIL", context, edge(module_size, module), module_size, OUT(4));
    word il = MAKE("clCreateProgramWithILKHR", context, edge(module_size, module), module_size, OUT(4));
    GOOD("clSetProgramSpecializationConstant", il, 7, 4, AT(cl_uint, 1));
    FAIL(CL_INVALID_VALUE, "clSetProgramSpecializationConstant", il, 7, 8, AT(cl_uint, 1));
    FAIL(CL_INVALID_VALUE, "clSetProgramSpecializationConstant", il, 7, -1, AT(cl_uint, 1));
}

static void launches(void)
{
    MAKE("clCloneKernel", kernel, OUT(4));
    query("clGetKernelInfo", 2, kernel, CL_KERNEL_FUNCTION_NAME, 0);
    query("clGetKernelArgInfo", 3, kernel, 1, CL_KERNEL_ARG_NAME);
    query("clGetKernelWorkGroupInfo", 3, kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
    word sizes = AT(word, 2, 2), most = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
    GOOD("clGetKernelSubGroupInfo", kernel, device, most, 16, sizes, 8, OUT(8), OUT(8));
    FAIL(CL_INVALID_VALUE, "clGetKernelSubGroupInfo", kernel, device, most, 4096, sizes, 8, OUT(8), OUT(8));
    GOOD("clGetKernelSuggestedLocalWorkSize", queue, kernel, 2, sizes, sizes, OUT(16));
    GOOD("clGetKernelSuggestedLocalWorkSizeKHR", queue, kernel, 2, sizes, sizes, OUT(16));
    GOOD("clEnqueueNDRangeKernel", queue, kernel, 2, sizes, sizes, sizes, EVENTS);
    GOOD("clEnqueueTask", queue, kernel, EVENTS);
    word values = edge(20, (word[3]){5});
    GOOD("clEnqueueNativeKernel", queue, (word)native, values, 20, 1, AT(word, buffer), AT(word, values + 12), EVENTS);
    check(clFinish((cl_command_queue)queue) == CL_SUCCESS, "finish");
}

/* Where the device has no shared virtual memory everything but the call itself fails. */
static void shared(void)
{
    char bytes[13] = {0};
    svm = CALL("clSVMAlloc", context, CL_MEM_READ_WRITE, 64, 0);
    word pointer = svm ? svm : AT(cl_long, 0, 0, 0, 0, 0, 0, 0, 0);
    int good = svm != 0, all = 1;
    all &= good == !CALL("clEnqueueSVMMemcpy", queue, CL_TRUE, pointer, edge(13, bytes), 13, EVENTS);
    all &= good == !CALL("clEnqueueSVMMemcpy", queue, CL_TRUE, OUT(13), pointer, 13, EVENTS);
    all &= good == !CALL("clEnqueueSVMMemFill", queue, pointer, AT(cl_uint, 1), 4, 64, EVENTS);
    WRONG("clEnqueueSVMMemFill", queue, pointer, AT(cl_uint, 1), 96, 64, EVENTS);
    all &= good == !CALL("clEnqueueSVMMap", queue, CL_TRUE, CL_MAP_READ, pointer, 64, EVENTS);
    all &= good == !CALL("clEnqueueSVMUnmap", queue, pointer, EVENTS);
    all &= good == !CALL("clEnqueueSVMMigrateMem", queue, 1, AT(word, pointer), AT(word, 64), 0, EVENTS);
    all &= good == !CALL("clSetKernelArgSVMPointer", kernel, 0, pointer);
    all &= good == !CALL("clSetKernelExecInfo", kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, AT(word, pointer));
    all &= good == !CALL("clSetKernelExecInfo", kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, AT(cl_uint, 0));
    WRONG("clSetKernelExecInfo", kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 8, AT(cl_uint, 0));
    check(all, "shared virtual memory");
    GOOD("clSetKernelArg", kernel, 0, 8, AT(word, buffer));
}

/* The same of unified shared memory. */
static void unified(void)
{
    enum { FLAGS = 0x4195, TYPE = 0x419A, INDIRECT_DEVICE = 0x4201, POINTERS = 0x4203 };
    word none = AT(cl_ulong, FLAGS, 0, 0);
    word memory = CALL("clDeviceMemAllocINTEL", context, device, none, 64, 0, OUT(4)), other = AT(cl_long, 0, 0, 0, 0, 0, 0, 0, 0);
    word pointer = memory ? memory : other;
    int good = memory != 0, all = 1;
    word host = CALL("clHostMemAllocINTEL", context, none, 64, 0, OUT(4));
    word both = CALL("clSharedMemAllocINTEL", context, device, none, 64, 0, OUT(4));
    all &= !host == !both;
    all &= good == !CALL("clEnqueueMemcpyINTEL", queue, CL_TRUE, pointer, edge(13, "a dozen and 1"), 13, EVENTS);
    all &= good == !CALL("clEnqueueMemcpyINTEL", queue, CL_TRUE, OUT(13), pointer, 13, EVENTS);
    all &= good == !CALL("clEnqueueMemFillINTEL", queue, pointer, AT(cl_uint, 1), 4, 64, EVENTS);
    WRONG("clEnqueueMemFillINTEL", queue, pointer, AT(cl_uint, 1), 96, 64, EVENTS);
    all &= good == !CALL("clEnqueueMigrateMemINTEL", queue, pointer, 64, 0, EVENTS);
    all &= good == !CALL("clEnqueueMemAdviseINTEL", queue, pointer, 64, 0, EVENTS);
    all &= good == !CALL("clSetKernelArgMemPointerINTEL", kernel, 0, pointer);
    all &= good == !CALL("clSetKernelExecInfo", kernel, POINTERS, 8, AT(word, pointer));
    all &= good == !CALL("clSetKernelExecInfo", kernel, INDIRECT_DEVICE, 4, AT(cl_uint, 0));
    WRONG("clSetKernelExecInfo", kernel, INDIRECT_DEVICE, 8, AT(cl_uint, 0));
    GOOD("clGetMemAllocInfoINTEL", context, pointer, TYPE, 4, OUT(4), OUT(8));
    WRONG("clGetMemAllocInfoINTEL", context, pointer, TYPE, 3, OUT(3), OUT(8));
    GOOD("clSetKernelArg", kernel, 0, 8, AT(word, buffer));
    GOOD("clMemFreeINTEL", context, host);
    GOOD("clMemFreeINTEL", context, both);
    GOOD("clMemBlockingFreeINTEL", context, memory);

    enum { ASSOCIATED = 0x2078, TYPE_INDEX = 0x2088, INDIRECT = 0x11BB };
    word of_device = AT(cl_ulong, ASSOCIATED, device, 0);
    word typed = CALL("clSVMAllocWithPropertiesKHR", context, of_device, 0, 64, OUT(4));
    all &= good == !!typed;
    all &= good == !CALL("clSetKernelExecInfo", kernel, INDIRECT, 4, AT(cl_uint, 0));
    GOOD("clGetSVMPointerInfoKHR", context, device, typed, TYPE_INDEX, 4, OUT(4), OUT(8));
    WRONG("clGetSVMPointerInfoKHR", context, device, typed, TYPE_INDEX, 3, OUT(3), OUT(8));
    GOOD("clGetSVMSuggestedTypeIndexKHR", context, 0, 0, of_device, 64, OUT(4));
    GOOD("clSVMFreeWithPropertiesKHR", context, AT(cl_ulong, 0), 0, typed);
    check(all, "unified shared memory");
}

/* What images need, of any format and size and of some; see images_over_buffers. */
static void requirements(void)
{
    enum { PITCH = 0x1290, NEEDED = 0x12B2 };
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 3};
    GOOD("clGetImageRequirementsInfoEXT", context, 0, 0, 0, 0, PITCH, 8, OUT(8), OUT(8));
    WRONG("clGetImageRequirementsInfoEXT", context, 0, 0, 0, 0, PITCH, 7, OUT(7), OUT(8));
    word known = edge(sizeof format, &format), sizes = edge(sizeof plane, &plane);
    GOOD("clGetImageRequirementsInfoEXT", context, AT(cl_ulong, 0), 0, known, sizes, NEEDED, 8, OUT(8), OUT(8));
    WRONG("clGetImageRequirementsInfoEXT", context, AT(cl_ulong, 77), 0, 0, 0, PITCH, 8, OUT(8), OUT(8));
}

/* The products of matrices; with the size of a sub-group, which one of the queries needs, where it has room. */
static void matrices(void)
{
    enum { DEFAULT_VARIANTS = 0x1078, VARIANTS = 0x1079 };
    word needed = OUT(8);
    if (CALL("clGetDeviceCooperativeMatrixInfoKHR", device, DEFAULT_VARIANTS, 0, 0, 0, 0, needed)) return;
    size_t size = *(size_t *)needed;
    GOOD("clGetDeviceCooperativeMatrixInfoKHR", device, DEFAULT_VARIANTS, 0, 0, size, OUT(size), OUT(8));
    WRONG("clGetDeviceCooperativeMatrixInfoKHR", device, DEFAULT_VARIANTS, 0, 0, size - 1, OUT(size - 1), OUT(8));
    GOOD("clGetDeviceCooperativeMatrixInfoKHR", device, VARIANTS, 4, AT(cl_uint, 3), 0, OUT(0), OUT(8));
    WRONG("clGetDeviceCooperativeMatrixInfoKHR", device, VARIANTS, 3, OUT(3), 0, OUT(0), OUT(8));
}

#define RECORDED 1, AT(cl_uint, *(cl_uint *)point), OUT(4), 0
static void layers(void)
{
    enum { SEMAPHORE_TYPE = 0x203D, BINARY = 1, STATE = 0x1297 };
    word semaphore = MAKE("clCreateSemaphoreWithPropertiesKHR", context, AT(cl_ulong, SEMAPHORE_TYPE, BINARY, 0), OUT(4));
    GOOD("clEnqueueSignalSemaphoresKHR", queue, 1, AT(word, semaphore), AT(cl_ulong, 0), EVENTS);
    GOOD("clEnqueueWaitSemaphoresKHR", queue, 1, AT(word, semaphore), AT(cl_ulong, 0), EVENTS);
    query("clGetSemaphoreInfoKHR", 2, semaphore, SEMAPHORE_TYPE, 0);
    WRONG("clGetSemaphoreHandleForTypeKHR", semaphore, device, 1, 4, OUT(4), OUT(8));
    WRONG("clReImportSemaphoreSyncFdKHR", semaphore, AT(cl_ulong, 0), -1);
    enum { EXPORT_TYPES = 0x203F, OPAQUE_FD = 0x2055 };
    word shared = CALL("clCreateSemaphoreWithPropertiesKHR", context, AT(cl_ulong, SEMAPHORE_TYPE, BINARY, EXPORT_TYPES, OPAQUE_FD, 0, 0), OUT(4));
    if (shared) {
        GOOD("clGetSemaphoreHandleForTypeKHR", shared, device, OPAQUE_FD, 4, OUT(4), OUT(8));
        WRONG("clGetSemaphoreHandleForTypeKHR", shared, device, OPAQUE_FD, 3, OUT(3), OUT(8));
        query("clGetSemaphoreInfoKHR", 2, shared, EXPORT_TYPES, 0);
    }

    word list = MAKE("clCreateCommandBufferKHR", 1, AT(word, queue), AT(cl_ulong, 0), OUT(4)), point = OUT(4);
    word none = AT(cl_ulong, 0), zero = AT(word, 0, 0, 0), region = AT(word, 3, 1, 1), sizes = AT(word, 1, 1);
    GOOD("clCommandBarrierWithWaitListKHR", list, 0, none, 0, 0, point, 0);
    GOOD("clCommandCopyBufferKHR", list, 0, none, buffer, small, 0, 0, 13, RECORDED);
    GOOD("clCommandCopyBufferRectKHR", list, 0, none, buffer, small, zero, zero, region, 0, 0, 0, 0, RECORDED);
    GOOD("clCommandCopyBufferToImageKHR", list, 0, none, buffer, image, 0, zero, region, RECORDED);
    GOOD("clCommandCopyImageToBufferKHR", list, 0, none, image, buffer, zero, region, 0, RECORDED);
    GOOD("clCommandCopyImageKHR", list, 0, none, image, image, zero, AT(word, 0, 1, 0), region, RECORDED);
    GOOD("clCommandFillBufferKHR", list, 0, none, buffer, AT(cl_uint, 1), 4, 0, 64, RECORDED);
    FAIL(CL_INVALID_VALUE, "clCommandFillBufferKHR", list, 0, none, buffer, AT(cl_uint, 1), 96, 0, 64, RECORDED);
    GOOD("clCommandFillImageKHR", list, 0, none, image, AT(cl_uint, 1, 2, 3, 4), zero, region, RECORDED);
    GOOD("clCommandNDRangeKernelKHR", list, 0, none, kernel, 2, zero, sizes, sizes, RECORDED);
    int good = svm != 0, all = 1;
    word pointer = svm ? svm : AT(cl_long, 0, 0, 0, 0);
    all &= good == !CALL("clCommandSVMMemcpyKHR", list, 0, none, pointer, AT(char, 1, 2, 3), 3, RECORDED);
    all &= good == !CALL("clCommandSVMMemFillKHR", list, 0, none, pointer, AT(cl_uint, 1), 4, 16, RECORDED);
    check(all, "recorded commands of shared virtual memory");
    check(CALL("clFinalizeCommandBufferKHR", list) == 0, "finalize");
    GOOD("clEnqueueCommandBufferKHR", 1, AT(word, queue), list, EVENTS);
    query("clGetCommandBufferInfoKHR", 2, list, STATE, 0);
    MAKE("clRemapCommandBufferKHR", list, 0, 1, AT(word, queue), 0, 0, 0, OUT(4));
    NONE("clRemapCommandBufferKHR", list, 0, 1, AT(word, queue), 1, AT(word, 0), OUT(8), OUT(4));

    enum { FLAGS = 0x1293, MUTABLE = 2, FIELDS = 0x12B1, GLOBAL = 2, PROPERTIES = 0x12A2, GLOBAL_SIZE = 0x12A6 };
    struct config { word command; cl_uint counts[4]; word arguments, shared, information, offset, global, local; };
    word changed = MAKE("clCreateCommandBufferKHR", 1, AT(word, queue), AT(cl_ulong, FLAGS, MUTABLE, 0), OUT(4)), handle = OUT(8);
    GOOD("clCommandNDRangeKernelKHR", changed, 0, AT(cl_ulong, FIELDS, GLOBAL, 0), kernel, 2, zero, sizes, sizes, 0, 0, point, handle);
    FAIL(CL_INVALID_VALUE, "clCommandNDRangeKernelKHR", changed, 0, AT(cl_ulong, 77), kernel, 2, zero, sizes, sizes, 0, 0, point, 0);
    check(CALL("clFinalizeCommandBufferKHR", changed) == 0, "finalize");
    MAKE("clRemapCommandBufferKHR", changed, 0, 1, AT(word, queue), 1, AT(word, *(word *)handle), OUT(8), OUT(4));
    struct config config = {.command = *(word *)handle, .global = AT(word, 1, 1)};
    GOOD("clUpdateMutableCommandsKHR", changed, 1, AT(cl_uint, 0), AT(word, edge(sizeof config, &config)));
    config.counts[0] = 1;
    FAIL(CL_INVALID_VALUE, "clUpdateMutableCommandsKHR", changed, 1, AT(cl_uint, 0), AT(word, edge(sizeof config, &config)));
    query("clGetMutableCommandInfoKHR", 2, *(word *)handle, PROPERTIES, 0);
    query("clGetMutableCommandInfoKHR", 2, *(word *)handle, GLOBAL_SIZE, 0);
    check(clFinish((cl_command_queue)queue) == CL_SUCCESS, "finish");
}

/* Objects of OpenGL and images of EGL. */
static void objects_of_opengl(void)
{
    enum { GL_CONTEXT = 0x2008, EGL_DISPLAY = 0x2009, DEVICES = 0x2007, TARGET = 0x2004, EGL_TEXTURE_2D = 0x30B1 };
    open_display();
    void *gl = new_context(0, NULL);
    word properties = AT(word, CL_CONTEXT_PLATFORM, platform, GL_CONTEXT, (word)gl, EGL_DISPLAY, (word)display, 0);
    query("clGetGLContextInfoKHR", 2, properties, DEVICES, 0);
    word sharing = MAKE("clCreateContext", properties, 1, AT(word, device), 0, 0, OUT(4));
    word its = MAKE("clCreateCommandQueue", sharing, device, 0, OUT(4)), user = MAKE("clCreateUserEvent", sharing, OUT(4)), events = AT(word, user);
    check(clSetUserEventStatus((cl_event)user, CL_COMPLETE) == CL_SUCCESS, "user event");
    unsigned names[3];
    glGenBuffers(1, &names[0]);
    glBindBuffer(GL_ARRAY_BUFFER, names[0]);
    glBufferData(GL_ARRAY_BUFFER, 5, "five", GL_STATIC_DRAW);
    word object = MAKE("clCreateFromGLBuffer", sharing, 0, names[0], OUT(4));
    GOOD("clGetGLObjectInfo", object, OUT(4), OUT(4));
    GOOD("clEnqueueAcquireGLObjects", its, 1, AT(word, object), 1, events, OUT(8));
    GOOD("clEnqueueReadBuffer", its, object, CL_TRUE, 0, 5, OUT(5), 1, events, OUT(8));
    GOOD("clEnqueueReleaseGLObjects", its, 1, AT(word, object), 1, events, OUT(8));
    void *fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    MAKE("clCreateEventFromGLsyncKHR", sharing, (word)fence, OUT(4));
    NONE("clCreateFromGLTexture3D", sharing, 0, GL_TEXTURE_3D, 0, 1000, OUT(4));
    glGenRenderbuffers(1, &names[1]);
    glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 3, 3);
    glGenTextures(1, &names[2]);
    glBindTexture(GL_TEXTURE_2D, names[2]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 3, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    void *egl_image = eglCreateImageKHR(display, gl, EGL_TEXTURE_2D, (void *)(uintptr_t)names[2], NULL);
    word of_renderbuffer = CALL("clCreateFromGLRenderbuffer", sharing, 0, names[1], OUT(4));
    word texture = CALL("clCreateFromGLTexture", sharing, 0, GL_TEXTURE_2D, 0, names[2], OUT(4));
    CALL("clCreateFromGLTexture2D", sharing, 0, GL_TEXTURE_2D, 0, names[2], OUT(4));
    word of_image = CALL("clCreateFromEGLImageKHR", sharing, (word)display, (word)egl_image, 0, AT(word, 0), OUT(4));
    check(!of_renderbuffer == !image && !texture == !image && !of_image == !image, "images of devices that have images");
    if (image) query("clGetGLTextureInfo", 2, texture, TARGET, 0);
    else WRONG("clGetGLTextureInfo", object, TARGET, 4, OUT(4), OUT(8));
    word expected = image ? CL_SUCCESS : -1093;
    FAIL(expected, "clEnqueueAcquireEGLObjectsKHR", its, 1, AT(word, image ? of_image : object), 1, events, OUT(8));
    FAIL(expected, "clEnqueueReleaseEGLObjectsKHR", its, 1, AT(word, image ? of_image : object), 1, events, OUT(8));
    check(clFinish((cl_command_queue)its) == CL_SUCCESS, "finish");
}

int main(int count, char **files)
{
    static char module[1 << 16];
    check(count == 3, "a library and a module");
    library = dlopen(files[1], RTLD_NOW);
    FILE *file = fopen(files[2], "rb");
    check(library && file, "the files");
    size_t size = fread(module, 1, sizeof module, file);
    contexts();
    events();
    buffers();
    programs(module, size);
    arguments();
    images();
    requirements();
    launches();
    shared();
    unified();
    matrices();
    layers();
    objects_of_opengl();
    check(!CALL("clEnqueueSVMFree", queue, 1, AT(word, svm), 0, 0, EVENTS) == (svm != 0), "clEnqueueSVMFree");
    CALL("clSVMFree", context, 0);
    return clFinish((cl_command_queue)queue) != CL_SUCCESS;
}
