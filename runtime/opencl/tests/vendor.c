/* Extensions of vendors: Arm's dot products, Intel's barriers and places of buffers, the attributes of NVIDIA's and AMD's devices, PoCL's
   sizes of contents. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { CHANNEL = 0x4213, LOCATION = 0x419E, FORCE_HOST = 1 << 20, COUNT = 512 };

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static char names[16384];

static int has(const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at++)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
    return 0;
}

static const char *source =
    "#if !cl_arm_integer_dot_product_int8 || !cl_arm_integer_dot_product_accumulate_int8\n#error macro\n#endif\n"
    "#if !cl_arm_integer_dot_product_accumulate_int16 || !cl_arm_integer_dot_product_accumulate_saturate_int8\n#error macro\n#endif\n"
    "#pragma OPENCL EXTENSION cl_arm_integer_dot_product_int8 : enable\n"
    "#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_int8 : enable\n"
    "#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_int16 : enable\n"
    "#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_saturate_int8 : enable\n"
    "kernel void dots(global const uint *a, global const uint *b, global const uint *c, global uint8 *out) {\n"
    "    size_t i = get_global_id(0); uint x = a[i], y = b[i], z = c[i];\n"
    "    uint8 r;\n"
    "    r.s0 = arm_dot(as_uchar4(x), as_uchar4(y));\n"
    "    r.s1 = as_uint(arm_dot(as_char4(x), as_char4(y)));\n"
    "    r.s2 = arm_dot_acc(as_uchar4(x), as_uchar4(y), z);\n"
    "    r.s3 = as_uint(arm_dot_acc(as_char4(x), as_char4(y), as_int(z)));\n"
    "    r.s4 = arm_dot_acc(as_ushort2(x), as_ushort2(y), z);\n"
    "    r.s5 = as_uint(arm_dot_acc(as_short2(x), as_short2(y), as_int(z)));\n"
    "    r.s6 = arm_dot_acc_sat(as_uchar4(x), as_uchar4(y), z);\n"
    "    r.s7 = as_uint(arm_dot_acc_sat(as_char4(x), as_char4(y), as_int(z)));\n"
    "    out[i] = r;\n"
    "}\n";

static uint32_t pick(void)
{
    static uint32_t state = 12345;
    static const uint32_t edges[] = {0, 0xFFFFFFFF, 0x80808080, 0x7F7F7F7F, 0x80000000, 0x7FFFFFFF, 0x80008000, 0x7FFF7FFF};
    state = state * 1664525u + 1013904223u;
    return state >> 28 == 3 ? edges[state >> 8 & 7] : state ^ state >> 13;
}

/* The sum of the products of the lanes, exactly. */
static int64_t dot(uint32_t x, uint32_t y, int bits, int is_signed)
{
    int64_t sum = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        int64_t a = x >> shift & ((1u << bits) - 1), b = y >> shift & ((1u << bits) - 1);
        if (is_signed && a >> (bits - 1)) a -= 1 << bits;
        if (is_signed && b >> (bits - 1)) b -= 1 << bits;
        sum += a * b;
    }
    return sum;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void dot_products(void)
{
    static uint32_t in[3][COUNT], out[COUNT][8];
    cl_mem buffers[4];
    cl_int code;
    size_t count = COUNT;
    const char *extensions[] = {"cl_arm_integer_dot_product_int8", "cl_arm_integer_dot_product_accumulate_int8",
                                "cl_arm_integer_dot_product_accumulate_int16", "cl_arm_integer_dot_product_accumulate_saturate_int8"};
    for (int i = 0; i < 4; i++) check(has(extensions[i]), extensions[i]);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    code = clBuildProgram(program, 1, &device, "-Werror", NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[4096];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(code == CL_SUCCESS, "build");
    cl_kernel kernel = clCreateKernel(program, "dots", &code);
    for (int i = 0; i < 3 * COUNT; i++) in[i / COUNT][i % COUNT] = pick();
    for (int i = 0; i < 4; i++) {
        buffers[i] = i < 3 ? clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in[i], in[i], &code)
                           : clCreateBuffer(context, 0, sizeof out, NULL, &code);
        check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]) == CL_SUCCESS, "argument");
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    check(clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < COUNT; i++) {
        uint32_t x = in[0][i], y = in[1][i], z = in[2][i];
        int64_t unsigned_bytes = dot(x, y, 8, 0), bytes = dot(x, y, 8, 1), s = (int32_t)z;
        check(out[i][0] == (uint32_t)unsigned_bytes && out[i][1] == (uint32_t)bytes, "arm_dot");
        check(out[i][2] == (uint32_t)(unsigned_bytes + z) && out[i][3] == (uint32_t)(bytes + s), "arm_dot_acc of bytes");
        check(out[i][4] == (uint32_t)((uint64_t)dot(x, y, 16, 0) + z) && out[i][5] == (uint32_t)(dot(x, y, 16, 1) + s), "arm_dot_acc of shorts");
        check(out[i][6] == (uint32_t)clamp(unsigned_bytes + z, 0, UINT32_MAX), "arm_dot_acc_sat of unsigned bytes");
        check(out[i][7] == (uint32_t)clamp(bytes + s, INT32_MIN, INT32_MAX), "arm_dot_acc_sat of bytes");
    }
}

/* A buffer that is filled, mapped and read. */
static void used(cl_mem buffer, size_t size)
{
    cl_int code, pattern = 7;
    check(clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, size, 0, NULL, NULL) == CL_SUCCESS, "fill");
    int *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS && mapped[0] == 7 && mapped[size / 4 - 1] == 7, "map");
    mapped[1] = 8;
    check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 4, 4, &pattern, 0, NULL, NULL) == CL_SUCCESS && pattern == 8, "read");
    check(clReleaseMemObject(buffer) == CL_SUCCESS, "release");
}

static void places_of_buffers(void)
{
    cl_int code;
    cl_uint location = 9;
    size_t needed = 0;
    cl_ulong list[8];
    cl_mem (*create)(cl_context, const cl_ulong *, cl_mem_flags, size_t, void *, cl_int *);
    *(void **)&create = clGetExtensionFunctionAddressForPlatform(platform, "clCreateBufferWithPropertiesINTEL");
    check(create && has("cl_intel_mem_channel_property") && has("cl_intel_mem_alloc_buffer_location"), "extensions");
    const cl_ulong channel[] = {CHANNEL, 3, 0}, first[] = {LOCATION, 0, 0}, second[] = {LOCATION, 1, 0}, both[] = {CHANNEL, 1, LOCATION, 0, 0};
    const cl_ulong twice[] = {LOCATION, 0, LOCATION, 0, 0};
    cl_mem buffer = create(context, channel, 0, 4096, NULL, &code);
    check(code == CL_SUCCESS, "a channel, which is a hint");
    check(clGetMemObjectInfo(buffer, 0x110A, sizeof list, list, &needed) == CL_SUCCESS && needed == sizeof channel && !memcmp(list, channel, needed), "its properties");
    used(buffer, 4096);
    buffer = create(context, first, 0, 4096, NULL, &code);
    check(code == CL_SUCCESS, "the only location");
    check(clGetMemObjectInfo(buffer, LOCATION, sizeof location, &location, &needed) == CL_SUCCESS && location == 0 && needed == 4, "its location");
    used(buffer, 4096);
    check((buffer = create(context, both, 0, 4096, NULL, &code)) != NULL, "both");
    used(buffer, 4096);
    check(!create(context, second, 0, 4096, NULL, &code) && code == CL_INVALID_PROPERTY, "another location");
    check(!create(context, twice, 0, 4096, NULL, &code) && code == CL_INVALID_PROPERTY, "a location twice");
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    clCreateImageWithProperties(context, channel, 0, &format, &description, NULL, &code);
    check(code == CL_INVALID_PROPERTY, "an image with a channel");
    void *(*allocate)(cl_context, cl_device_id, const cl_ulong *, size_t, cl_uint, cl_int *);
    cl_int (*get_info)(cl_context, const void *, cl_uint, size_t, void *, size_t *);
    *(void **)&allocate = clGetExtensionFunctionAddressForPlatform(platform, "clDeviceMemAllocINTEL");
    *(void **)&get_info = clGetExtensionFunctionAddressForPlatform(platform, "clGetMemAllocInfoINTEL");
    void *memory = allocate(context, device, first, 64, 0, &code);
    if (memory) {
        location = 9;
        check(get_info(context, memory, LOCATION, sizeof location, &location, NULL) == CL_SUCCESS && location == 0, "location of memory");
        check(!allocate(context, device, second, 64, 0, &code) && code == CL_INVALID_PROPERTY, "another location of memory");
    }
}

static void buffers_of_the_host(void)
{
    cl_int code;
    cl_uint line = 0;
    cl_mem_flags flags = 0;
    if (!has("cl_intel_mem_force_host_memory")) {
        check(!clCreateBuffer(context, FORCE_HOST, 4096, NULL, &code) && code == CL_INVALID_VALUE, "not there");
        return;
    }
    cl_mem buffer = clCreateBuffer(context, FORCE_HOST | CL_MEM_READ_ONLY, 4096, NULL, &code);
    check(code == CL_SUCCESS, "a buffer in the host's memory");
    check(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL) == CL_SUCCESS && flags == (FORCE_HOST | CL_MEM_READ_ONLY), "its flags");
    cl_buffer_region region = {0, 128};
    check(!clCreateSubBuffer(buffer, FORCE_HOST, CL_BUFFER_CREATE_TYPE_REGION, &region, &code) && code == CL_INVALID_VALUE, "a part");
    used(buffer, 4096);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, sizeof line, &line, NULL);
    char *memory = aligned_alloc(4096, 8192);
    buffer = clCreateBuffer(context, FORCE_HOST | CL_MEM_USE_HOST_PTR, 4096, memory, &code);
    check(code == CL_SUCCESS, "over memory of the host");
    used(buffer, 4096);
    if (line > 1) {
        check(!clCreateBuffer(context, FORCE_HOST | CL_MEM_USE_HOST_PTR, 4096, memory + 4, &code) && code == CL_INVALID_HOST_PTR, "alignment");
        check(!clCreateBuffer(context, FORCE_HOST | CL_MEM_USE_HOST_PTR, 4100, memory, &code) && code == CL_INVALID_BUFFER_SIZE, "size");
    }
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    clCreateImage(context, FORCE_HOST, &format, &description, NULL, &code);
    check(code == CL_INVALID_VALUE, "an image");
}

static void attributes(void)
{
    cl_uint value[8], vendor = 0;
    int is_nvidia = has("cl_nv_device_attribute_query");
    clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, NULL);
    check(!is_nvidia || vendor == 0x10DE, "attributes of another vendor's device");
    for (cl_uint name = 0x4000; name <= 0x400A; name++) {
        value[0] = 0xFFFFFFFF;
        cl_int code = clGetDeviceInfo(device, name, sizeof *value, value, NULL);
        check(code == (is_nvidia ? CL_SUCCESS : CL_INVALID_VALUE), "an attribute");
        if (is_nvidia) printf("%x: %u\n", name, *value);
    }
    check(!has("cl_amd_device_attribute_query"), "attributes of AMD's devices");
    for (cl_uint name = 0x4030; name <= 0x404C; name++)
        check(clGetDeviceInfo(device, name, sizeof value, value, NULL) == CL_INVALID_VALUE, "an attribute of AMD's");
}

/* Buffers that say how many bytes of others matter (cl_pocl_content_size), which is a hint. */
static void sizes_of_contents(void)
{
    cl_int code, (*set)(cl_mem, cl_mem);
    check(has("cl_pocl_content_size"), "cl_pocl_content_size");
    *(void **)&set = clGetExtensionFunctionAddressForPlatform(platform, "clSetContentSizeBufferPoCL");
    check(set != NULL, "the function");
    const cl_uint numbers[4] = {1, 2, 3, 4};
    const cl_ulong two = 8;
    cl_uint found[4] = {0};
    cl_context other_context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, (void *)numbers, &code);
    cl_mem size = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof two, (void *)&two, &code);
    cl_mem small = clCreateBuffer(context, 0, 4, NULL, &code), foreign = clCreateBuffer(other_context, 0, 8, NULL, &code);
    cl_mem copy = clCreateBuffer(context, 0, sizeof numbers, NULL, &code);
    check(set(NULL, size) == CL_INVALID_MEM_OBJECT && set(buffer, NULL) == CL_INVALID_MEM_OBJECT, "no buffer");
    check(set(buffer, small) == CL_INVALID_VALUE, "no room for 64 bits");
    check(set(buffer, foreign) == CL_INVALID_CONTEXT, "another context");
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image = clCreateImage(context, 0, &format, &plane, NULL, &code);
    if (!code) check(set(image, size) == CL_INVALID_VALUE && set(buffer, image) == CL_INVALID_VALUE && !clReleaseMemObject(image), "an image");
    check(set(buffer, size) == CL_SUCCESS, "the size of the contents");
    /* The bytes that the hint is about are those of copies and reads. */
    check(clEnqueueCopyBuffer(queue, buffer, copy, 0, 0, sizeof numbers, 0, NULL, NULL) == CL_SUCCESS, "a copy");
    check(clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "a read");
    check(found[0] == 1 && found[1] == 2, "the meaningful bytes");
    clReleaseMemObject(buffer), clReleaseMemObject(size), clReleaseMemObject(small), clReleaseMemObject(foreign), clReleaseMemObject(copy);
    clReleaseContext(other_context);
}

/* Intel's barriers in two halves, and bfloat16: the numbers of a group are reversed, each with 7 bits of its fraction. */
static void halves_of_barriers(void)
{
    /* The other name is not listed where there are too many. */
    check(has("cl_intel_bfloat16_conversions"), "name");
    const char *text =
        "#if !cl_intel_bfloat16_conversions || !cl_intel_split_work_group_barrier\n#error macro\n#endif\n"
        "kernel void reversed(global float *a) {\n"
        "    local ushort shared[32]; size_t i = get_local_id(0);\n"
        "    shared[i] = intel_convert_bfloat16_as_ushort(a[i]);\n"
        "    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);\n"
        "    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);\n"
        "    a[i] = intel_convert_as_bfloat16_float(shared[31 - i]);\n"
        "}\n";
    cl_int code;
    float numbers[32];
    /* Numbers from 256 on are even as bfloat16; of the odd ones, which are ties, the one with an even last bit is next. */
    for (int i = 0; i < 32; i++) numbers[i] = (float)(256 + i);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "build");
    cl_kernel kernel = clCreateKernel(program, "reversed", &code);
    const size_t size = 32;
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "argument");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL) == CL_SUCCESS, "launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < 32; i++) {
        int number = 256 + 31 - i, below = number & ~1;
        int expected = number == below ? number : below & 2 ? below + 2 : below;
        check(numbers[i] == (float)expected, "a rounded number of another work-item");
    }
    clReleaseKernel(kernel), clReleaseProgram(program), clReleaseMemObject(buffer);
}

int main(void)
{
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL) == CL_SUCCESS, "extensions");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    dot_products();
    halves_of_barriers();
    places_of_buffers();
    buffers_of_the_host();
    attributes();
    sizes_of_contents();
    puts("passed");
    return 0;
}
