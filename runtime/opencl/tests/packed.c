/* Images of packed texels: cl_ext_image_unorm_int_2_101010, cl_ext_image_unsigned_10x6_12x4_14x2, cl_ext_image_raw10_raw12. The
   expected values are computed here, by the layouts and conversions of the specifications. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Names of the extensions, which older headers lack. */
enum { NORM10 = 0x10E1, RAW10 = 0x10E3, RAW12, WORD, INT10, INT12, INT14, NORM12, NORM14 };
enum { WIDTH = 20, HEIGHT = 6, TEXELS = WIDTH * HEIGHT };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const char *source =
    "#if !__opencl_c_ext_image_unorm_int_2_101010 || !cl_ext_image_unorm_int_2_101010\n#error macro\n#endif\n"
    "#if !__opencl_c_ext_image_unsigned_10x6_12x4_14x2 || !cl_ext_image_unsigned_10x6_12x4_14x2\n#error macro\n#endif\n"
    "#if !__opencl_c_ext_image_raw10_raw12 || !cl_ext_image_raw10_raw12\n#error macro\n#endif\n"
    "#define AT (int2)(get_global_id(0), get_global_id(1))\n"
    "#define OUT out[get_global_id(1) * get_global_size(0) + get_global_id(0)]\n"
    "kernel void getf(read_only image2d_t i, global float4 *out) { OUT = read_imagef(i, AT); }\n"
    "kernel void getui(read_only image2d_t i, global uint4 *out) { OUT = read_imageui(i, AT); }\n"
    "kernel void putf(write_only image2d_t i, global const float4 *out) { write_imagef(i, AT, OUT); }\n"
    "kernel void putui(write_only image2d_t i, global const uint4 *out) { write_imageui(i, AT, OUT); }\n"
    "kernel void names(read_only image2d_t i, global int *out) {\n"
    "    out[0] = get_image_channel_data_type(i); out[1] = get_image_channel_order(i); }\n"
    "kernel void known(global int *out) { int all[] = {CLK_UNORM_INT10X6_EXT, CLK_UNSIGNED_INT_RAW10_EXT, CLK_UNSIGNED_INT_RAW12_EXT,\n"
    "    CLK_UNORM_INT_2_101010_EXT, CLK_UNSIGNED_INT10X6_EXT, CLK_UNSIGNED_INT12X4_EXT, CLK_UNSIGNED_INT14X2_EXT,\n"
    "    CLK_UNORM_INT12X4_EXT, CLK_UNORM_INT14X2_EXT}; for (int k = 0; k < 9; k++) out[k] = all[k]; }\n";

struct format {
    cl_channel_order order;
    cl_channel_type type;
    int channels, bits;
};

static int is_raw(const struct format *f) { return f->type == RAW10 || f->type == RAW12; }
static int is_float(const struct format *f) { return f->type == NORM10 || f->type == NORM12 || f->type == NORM14 || f->type == WORD; }

static size_t row_bytes(const struct format *f, size_t texels)
{
    if (is_raw(f)) return texels * f->bits / 8;
    return f->type == WORD ? 4 * texels : 2 * f->channels * texels;
}

/* The integer of a channel, as it is stored in a row. */
static uint32_t stored(const struct format *f, const unsigned char *row, size_t x, int channel)
{
    if (f->type == WORD) {
        uint32_t word;
        memcpy(&word, row + 4 * x, 4);
        return channel == 3 ? word >> 30 : word >> 10 * channel & 1023;
    }
    if (f->type == RAW10) {
        const unsigned char *group = row + x / 4 * 5;
        return group[x % 4] << 2 | (group[4] >> 2 * (x % 4) & 3);
    }
    if (f->type == RAW12) {
        const unsigned char *group = row + x / 2 * 3;
        return group[x % 2] << 4 | (group[2] >> 4 * (x % 2) & 15);
    }
    uint16_t word;
    memcpy(&word, row + 2 * (f->channels * x + channel), 2);
    return word >> (16 - f->bits);
}

static double most(const struct format *f, int channel)
{
    return f->type == WORD && channel == 3 ? 3 : (1 << f->bits) - 1;
}

static cl_kernel kernel(const char *name, cl_mem image, cl_mem buffer)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    code = clSetKernelArg(made, 0, sizeof image, &image);
    check(code == CL_SUCCESS, "the image");
    check(clSetKernelArg(made, 1, sizeof buffer, &buffer) == CL_SUCCESS, "the buffer");
    return made;
}

static void launch(const char *name, cl_mem image, cl_mem buffer, size_t width, size_t height)
{
    cl_kernel made = kernel(name, image, buffer);
    size_t global[] = {width, height};
    check(clEnqueueNDRangeKernel(queue, made, 2, NULL, global, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    clReleaseKernel(made);
}

static const size_t zero[3], whole[] = {WIDTH, HEIGHT, 1};

/* What a kernel reads is what the rows say. */
static void kernel_reads(const struct format *f, cl_mem image, const unsigned char *rows, size_t pitch)
{
    static union { float f[4]; uint32_t u[4]; } texels[TEXELS];
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, 0, sizeof texels, NULL, &code);
    launch(is_float(f) ? "getf" : "getui", image, buffer, WIDTH, HEIGHT);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof texels, texels, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 4; c++) {
                uint32_t value = c < f->channels ? stored(f, rows + y * pitch, x, c) : 0;
                if (!is_float(f)) {
                    check(texels[y * WIDTH + x].u[c] == (c >= f->channels && c == 3 ? 1 : value), "an integer");
                    continue;
                }
                double expected = c >= f->channels ? c == 3 : value / most(f, c);
                /* 1.5 ulp. */
                check(fabs(texels[y * WIDTH + x].f[c] - expected) <= 1.5 * 0x1p-23 * expected, "a normalised value");
            }
    clReleaseMemObject(buffer);
}

static void pattern(unsigned char *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) bytes[i] = (seed = seed * 1103515245u + 12345u) >> 16;
}

/* Kernels write values that have to be rounded and saturated. */
static void kernel_writes(const struct format *f, cl_mem image)
{
    static union { float f[4]; uint32_t u[4]; } texels[TEXELS];
    static unsigned char rows[TEXELS * 8];
    cl_int code;
    for (int i = 0; i < TEXELS; i++)
        for (int c = 0; c < 4; c++) {
            if (is_float(f)) texels[i].f[c] = (i * 4 + c - 40) / 400.0f;
            else texels[i].u[c] = i % 7 == 0 ? 100000 + i : i * 150 + c;
        }
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof texels, texels, &code);
    launch(is_float(f) ? "putf" : "putui", image, buffer, WIDTH, HEIGHT);
    /* A kernel behind it sees what is stored. */
    check(clEnqueueReadImage(queue, image, CL_TRUE, zero, whole, 0, 0, rows, 0, NULL, NULL) == CL_SUCCESS, "read an image");
    kernel_reads(f, image, rows, row_bytes(f, WIDTH));
    for (int i = 0; i < TEXELS; i++)
        for (int c = 0; c < f->channels; c++) {
            uint32_t value = stored(f, rows + i / WIDTH * row_bytes(f, WIDTH), i % WIDTH, c);
            if (is_float(f)) {
                double scaled = fmin(fmax(texels[i].f[c], 0), 1) * most(f, c);
                check(fabs(value - scaled) <= 0.6, "a rounded value");
            } else
                check(value == fmin(texels[i].u[c], most(f, c)), "a saturated value");
        }
    clReleaseMemObject(buffer);
}

static int is_supported(const struct format *f, cl_mem_flags flags)
{
    static cl_image_format all[512];
    cl_uint count = 0;
    check(clGetSupportedImageFormats(context, flags, CL_MEM_OBJECT_IMAGE2D, 512, all, &count) == CL_SUCCESS, "formats");
    check(count <= 512, "many formats");
    for (cl_uint i = 0; i < count; i++)
        if (all[i].image_channel_order == f->order && all[i].image_channel_data_type == f->type) return 1;
    return 0;
}

static cl_mem create(const struct format *f, cl_mem_flags flags, size_t pitch, cl_mem below, void *host, cl_int *code)
{
    cl_image_format format = {f->order, f->type};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT,
                                 .image_row_pitch = pitch, .mem_object = below};
    return clCreateImage(context, flags, &format, &description, host, code);
}

static void commands(const struct format *f, cl_mem image)
{
    static unsigned char model[TEXELS * 8], bytes[TEXELS * 8], other[TEXELS * 8];
    size_t row = row_bytes(f, WIDTH), all = row * HEIGHT, origin[] = {4, 2, 0}, region[] = {8, 3, 1}, pitch, to[] = {12, 0, 0};
    cl_int code;
    pattern(model, all, 5);
    if (!is_raw(f) && f->type != WORD) /* The bits that are not a channel's need not be kept. */
        for (size_t i = 0; i < all; i += 2) {
            uint16_t word;
            memcpy(&word, model + i, 2);
            word &= 0xFFFF << (16 - f->bits);
            memcpy(model + i, &word, 2);
        }
    check(clEnqueueWriteImage(queue, image, CL_TRUE, zero, whole, 0, 0, model, 0, NULL, NULL) == CL_SUCCESS, "write");
    kernel_reads(f, image, model, row);
    /* A region, with rows that are apart. */
    pattern(bytes, all, 9);
    check(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, row, 0, bytes, 0, NULL, NULL) == CL_SUCCESS, "read a region");
    for (int y = 0; y < 3; y++)
        check(!memcmp(bytes + y * row, model + (2 + y) * row + row_bytes(f, 4), row_bytes(f, 8)), "a row of the region");
    /* Mapped, and changed. */
    unsigned char *mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS && !memcmp(mapped, model + 2 * row + row_bytes(f, 4), row_bytes(f, 8)), "mapped texels");
    for (int y = 0; y < 3; y++) {
        memset(mapped + y * pitch, 0, row_bytes(f, 8));
        memset(model + (2 + y) * row + row_bytes(f, 4), 0, row_bytes(f, 8));
    }
    check(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    kernel_reads(f, image, model, row);
    /* Copies to a buffer, another image and back. */
    cl_mem buffer = clCreateBuffer(context, 0, all, NULL, &code), twin = create(f, 0, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS, "a second image");
    check(clEnqueueCopyImageToBuffer(queue, image, buffer, zero, whole, 0, 0, NULL, NULL) == CL_SUCCESS, "to a buffer");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, all, other, 0, NULL, NULL) == CL_SUCCESS && !memcmp(other, model, all), "the buffer");
    check(clEnqueueCopyBufferToImage(queue, buffer, twin, 0, zero, whole, 0, NULL, NULL) == CL_SUCCESS, "from a buffer");
    kernel_reads(f, twin, model, row);
    check(clEnqueueCopyImage(queue, image, twin, origin, to, region, 0, NULL, NULL) == CL_SUCCESS, "copy an image");
    for (int y = 0; y < 3; y++)
        memcpy(other + y * row + row_bytes(f, 12), model + (2 + y) * row + row_bytes(f, 4), row_bytes(f, 8));
    kernel_reads(f, twin, other, row);
    /* Filled: with 1, of an integer what is more than it holds. */
    union { float f[4]; uint32_t u[4]; } color;
    for (int c = 0; c < 4; c++) {
        if (is_float(f)) color.f[c] = 1; else color.u[c] = 70000;
    }
    check(clEnqueueFillImage(queue, twin, &color, zero, whole, 0, NULL, NULL) == CL_SUCCESS, "fill");
    check(clEnqueueReadImage(queue, twin, CL_TRUE, zero, whole, 0, 0, other, 0, NULL, NULL) == CL_SUCCESS, "read what was filled");
    for (int x = 0; x < WIDTH; x++)
        for (int c = 0; c < f->channels; c++) check(stored(f, other + row, x, c) == most(f, c), "a colour");
    clReleaseMemObject(buffer);
    clReleaseMemObject(twin);
}

static void format(const struct format *f)
{
    static unsigned char rows[HEIGHT * (WIDTH * 8 + 24)];
    size_t row = row_bytes(f, WIDTH), pitch = row + 24, size;
    cl_int code, got[2];
    cl_image_format told;
    cl_mem none = NULL;
    check(is_supported(f, CL_MEM_READ_ONLY), "the format is supported");
    pattern(rows, sizeof rows, f->type);
    cl_mem image = create(f, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, pitch, NULL, rows, &code);
    check(code == CL_SUCCESS, "an image");
    kernel_reads(f, image, rows, pitch);
    check(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof told, &told, NULL) == CL_SUCCESS && told.image_channel_data_type == f->type, "its format");
    check(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL) == CL_SUCCESS && size == (is_raw(f) ? 2 : row / WIDTH), "its texels");
    check(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof none, &none, NULL) == CL_SUCCESS && !none, "no buffer");
    check(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof none, &none, NULL) == CL_SUCCESS && !none, "no other object");
    cl_mem buffer = clCreateBuffer(context, 0, sizeof got, NULL, &code);
    launch("names", image, buffer, 1, 1);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(got[0] == (cl_int)f->type && got[1] == (cl_int)f->order, "what kernels know of the format");
    clReleaseMemObject(buffer);
    clReleaseMemObject(image);

    image = create(f, CL_MEM_USE_HOST_PTR, pitch, NULL, rows, &code);
    check(code == CL_SUCCESS, "an image in the host's memory");
    kernel_reads(f, image, rows, pitch);
    commands(f, image);
    if (is_supported(f, CL_MEM_READ_WRITE)) kernel_writes(f, image);
    clReleaseMemObject(image);

    /* In shared virtual memory, which is the host's and the device's. */
    unsigned char *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof rows, 0);
    if (shared) {
        check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, sizeof rows, 0, NULL, NULL) == CL_SUCCESS, "map");
        memcpy(shared, rows, sizeof rows);
        check(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "unmap");
        image = create(f, CL_MEM_USE_HOST_PTR, pitch, NULL, shared, &code);
        check(code == CL_SUCCESS, "an image in shared memory");
        kernel_reads(f, image, rows, pitch);
        commands(f, image);
        if (is_supported(f, CL_MEM_READ_WRITE)) kernel_writes(f, image);
        clReleaseMemObject(image);
        clFinish(queue);
        clSVMFree(context, shared);
    }

    /* Over a buffer, which other commands write. */
    pattern(rows, sizeof rows, f->bits);
    buffer = clCreateBuffer(context, 0, sizeof rows, NULL, &code);
    image = create(f, 0, pitch, buffer, NULL, &code);
    check(code == CL_SUCCESS, "an image over a buffer");
    check(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof none, &none, NULL) == CL_SUCCESS && none == buffer, "its buffer");
    check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof rows, rows, 0, NULL, NULL) == CL_SUCCESS, "write the buffer");
    kernel_reads(f, image, rows, pitch);
    if (is_supported(f, CL_MEM_READ_WRITE)) kernel_writes(f, image);
    commands(f, image);
    clReleaseMemObject(image);
    clReleaseMemObject(buffer);
}

static void mistakes(void)
{
    struct format raw = {CL_R, RAW10, 1, 10}, wrong[] = {{CL_RG, RAW10, 2, 10}, {CL_RGBA, WORD, 4, 10}, {CL_BGRA, INT10, 4, 10}, {CL_ABGR, NORM12, 4, 12}};
    cl_int code;
    cl_image_format format = {CL_R, RAW10};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 6, .image_height = 2};
    clCreateImage(context, 0, &format, &description, NULL, &code);
    check(code == CL_INVALID_IMAGE_SIZE, "a width that is no multiple of 4");
    format.image_channel_data_type = RAW12;
    cl_mem image = clCreateImage(context, 0, &format, &description, NULL, &code);
    check(code == CL_SUCCESS, "a multiple of 2");
    size_t origin[] = {1, 0, 0}, region[] = {2, 1, 1};
    unsigned char bytes[8];
    check(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL) == CL_INVALID_VALUE, "half a group");
    clReleaseMemObject(image);
    for (int i = 0; i < 4; i++) {
        create(&wrong[i], 0, 0, NULL, NULL, &code);
        check(code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "an order that the type does not have");
    }
    check(!is_supported(&raw, CL_MEM_KERNEL_READ_AND_WRITE), "not for kernels that read what they write");
}

int main(void)
{
    static const struct format all[] = {
        {CL_ABGR, WORD, 4, 10}, {CL_R, INT10, 1, 10}, {CL_RG, INT12, 2, 12}, {CL_RGBA, INT14, 4, 14}, {CL_RGBA, INT10, 4, 10},
        {CL_R, NORM10, 1, 10}, {CL_RG, NORM12, 2, 12}, {CL_RGBA, NORM14, 4, 14}, {CL_R, RAW10, 1, 10}, {CL_R, RAW12, 1, 12}};
    cl_platform_id platform;
    cl_bool has;
    cl_int code, known[9];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL);
    if (!has) {
        puts("none");
        return 0;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
        char log[4096];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        return 1;
    }
    cl_mem buffer = clCreateBuffer(context, 0, sizeof known, NULL, &code);
    cl_kernel constants = clCreateKernel(program, "known", &code);
    size_t one = 1;
    clSetKernelArg(constants, 0, sizeof buffer, &buffer);
    check(clEnqueueNDRangeKernel(queue, constants, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof known, known, 0, NULL, NULL) == CL_SUCCESS, "read");
    static const int numbers[] = {NORM10, RAW10, RAW12, WORD, INT10, INT12, INT14, NORM12, NORM14};
    for (int i = 0; i < 9; i++) check(known[i] == numbers[i], "a constant of OpenCL C");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fprintf(stderr, "%x of %x\n", all[i].type, all[i].order);
        format(&all[i]);
    }
    mistakes();
    puts("passed");
    return 0;
}
