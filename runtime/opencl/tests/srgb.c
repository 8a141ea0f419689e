/* Images in the colour space sRGB that kernels write (cl_khr_srgb_image_writes). The host computes the specification's formulas in
   double precision; the specification allows an error of 0.6 of a step. */
#define CL_TARGET_OPENCL_VERSION 300
#include "layers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 11, DEPTH = 5, TEXELS = WIDTH * HEIGHT * DEPTH };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static const cl_channel_order orders[] = {CL_sRGBA, CL_sBGRA};
static float colours[TEXELS][4];

/* What a channel is in 255 steps. */
static double steps(double linear, int is_alpha)
{
    if (isnan(linear) || linear < 0) return 0;
    if (linear > 1) return 255;
    return 255 * (is_alpha ? linear : linear < 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

/* The bytes of a texel are those of a colour. */
static void texel(const unsigned char *bytes, const float *colour, int order, const char *what)
{
    for (int c = 0; c < 4; c++) {
        int byte = bytes[order && c != 1 && c != 3 ? 2 - c : c];
        check(fabs(steps(colour[c], c == 3) - byte) <= 0.6, what);
    }
}

static int has_format(cl_mem_flags flags, cl_mem_object_type type, cl_channel_order order)
{
    static cl_image_format formats[256];
    cl_uint count;
    check(clGetSupportedImageFormats(context, flags, type, 256, formats, &count) == CL_SUCCESS && count <= 256, "formats");
    for (cl_uint i = 0; i < count; i++)
        if (formats[i].image_channel_order == order && formats[i].image_channel_data_type == CL_UNORM_INT8) return 1;
    return 0;
}

static cl_kernel kernel(const char *name)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    return made;
}

/* Kernels of images of all types write each texel whose number is not a multiple of 3. */
#define WRITER(type, coordinate) \
    "kernel void write_" #type "(write_only " #type "_t to, global const float4 *colours)\n" \
    "{\n" \
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n" \
    "    int i = (z * get_global_size(1) + y) * get_global_size(0) + x;\n" \
    "    if (i % 3) write_imagef(to, " coordinate ", colours[i]);\n" \
    "}\n"
static const char *source =
    WRITER(image1d, "x") WRITER(image1d_array, "(int2)(x, y)") WRITER(image2d, "(int2)(x, y)")
    WRITER(image2d_array, "(int4)(x, y, z, 0)") WRITER(image3d, "(int4)(x, y, z, 0)")
    "kernel void query(write_only image2d_t to, read_only image2d_t from, global uint *out)\n"
    "{\n"
    "    out[0] = get_image_channel_order(to); out[1] = get_image_channel_data_type(to);\n"
    "    out[2] = get_image_width(to); out[3] = get_image_height(to); out[4] = get_image_channel_order(from);\n"
    "    write_imagef(to, (int2)(0, 0), (float4)(0.25f, 0.5f, 0.75f, 1));\n"
    "}\n"
    "kernel void read(read_only image2d_t from, global float4 *out) { out[0] = read_imagef(from, (int2)(1, 0)); }\n"
    "kernel void twice(write_only image2d_t a, write_only image2d_t b) {\n"
    "    write_imagef(a, (int2)(0, 0), (float4)(0.1f, 0.2f, 0.3f, 0.4f));\n"
    "    write_imagef(b, (int2)(1, 0), (float4)(0.5f, 0.6f, 0.7f, 0.8f));\n"
    "}\n"
    "kernel void copy(read_only image2d_t from, write_only image2d_t to)\n"
    "{ int2 at = (int2)(get_global_id(0), get_global_id(1)); write_imagef(to, at, read_imagef(from, at)); }\n"
    "#ifdef __opencl_c_read_write_images\n"
    "kernel void both(read_write image2d_t a) { write_imagef(a, (int2)(0, 0), read_imagef(a, (int2)(0, 0))); }\n"
    "#endif\n"
    "#ifdef LEVELS\n"
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
    "kernel void level(write_only image2d_t to) { write_imagef(to, (int2)(1, 1), 1, (float4)(0.1f, 0.2f, 0.3f, 0.4f)); }\n"
    "#endif\n";

static void images(void)
{
    const struct { cl_mem_object_type type; const char *writer; size_t size[3]; } types[] = {
        {CL_MEM_OBJECT_IMAGE1D, "write_image1d", {WIDTH, 1, 1}}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, "write_image1d_array", {WIDTH, HEIGHT, 1}},
        {CL_MEM_OBJECT_IMAGE2D, "write_image2d", {WIDTH, HEIGHT, 1}}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, "write_image2d_array", {WIDTH, HEIGHT, DEPTH}},
        {CL_MEM_OBJECT_IMAGE3D, "write_image3d", {WIDTH, HEIGHT, DEPTH}}};
    static unsigned char before[TEXELS][4], after[TEXELS][4];
    cl_int code;
    cl_mem wanted = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof colours, colours, &code);
    for (int order = 0; order < 2; order++) {
        for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
            const size_t *size = types[t].size, origin[3] = {0, 0, 0};
            for (int i = 0; i < TEXELS * 4; i++) before[0][i] = (unsigned char)(i * 7 + i / 256);
            check(has_format(CL_MEM_WRITE_ONLY, types[t].type, orders[order]), "a format that kernels write");
            const cl_image_format format = {orders[order], CL_UNORM_INT8};
            const cl_image_desc description = {.image_type = types[t].type, .image_width = size[0], .image_height = size[1], .image_depth = size[2],
                                               .image_array_size = types[t].type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? size[1] : size[2]};
            const cl_mem_flags flags = (t & 1 ? CL_MEM_WRITE_ONLY : CL_MEM_READ_WRITE) | CL_MEM_COPY_HOST_PTR;
            cl_mem image = clCreateImage(context, flags, &format, &description, before, &code);
            check(code == CL_SUCCESS, "an image");
            cl_kernel writer = kernel(types[t].writer);
            check(!clSetKernelArg(writer, 0, sizeof image, &image) && !clSetKernelArg(writer, 1, sizeof wanted, &wanted), "arguments");
            check(clEnqueueNDRangeKernel(queue, writer, 3, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
            check(clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, after, 0, NULL, NULL) == CL_SUCCESS, "a read");
            for (size_t i = 0; i < size[0] * size[1] * size[2]; i++) {
                if (i % 3) texel(after[i], colours[i], order, "a texel that was written");
                else check(!memcmp(after[i], before[i], 4), "a texel that was not written");
            }
            clReleaseKernel(writer);
            clReleaseMemObject(image);
        }
    }
    clReleaseMemObject(wanted);
}

/* Bytes that are read and written again stay the same, all 256 of them; an image over a buffer, and a recorded launch. */
static void copies(void)
{
    static unsigned char bytes[16][16][4], found[16][16][4];
    const size_t origin[3] = {0, 0, 0}, size[3] = {16, 16, 1};
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    cl_int code;
    cl_kernel copy = kernel("copy");
    for (int i = 0; i < 1024; i++) bytes[0][0][i] = (unsigned char)(i % 4 == 3 ? 255 - i / 4 : i / 4);
    for (int order = 0; order < 2; order++) {
        for (int way = 0; way < 3; way++) {
            const cl_image_format format = {orders[order], CL_UNORM_INT8};
            cl_mem from = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &plane, bytes, &code);
            cl_mem buffer = clCreateBuffer(context, 0, 16 * 64, NULL, &code);
            cl_image_desc over = plane;
            over.mem_object = way == 1 ? buffer : NULL;
            over.image_row_pitch = way == 1 ? 64 : 0;
            cl_mem to = clCreateImage(context, 0, &format, &over, NULL, &code);
            check(code == CL_SUCCESS && !clSetKernelArg(copy, 0, sizeof from, &from) && !clSetKernelArg(copy, 1, sizeof to, &to), "arguments");
            handle commands = NULL;
            if (way == 2) {
                commands = create_buffer(1, &queue, NULL, &code);
                check(!code && !record_kernel(commands, queue, NULL, copy, 2, NULL, size, NULL, 0, NULL, NULL, NULL) && !finalize(commands), "a recorded launch");
                check(enqueue(0, NULL, commands, 0, NULL, NULL) == CL_SUCCESS, "its execution");
            } else check(clEnqueueNDRangeKernel(queue, copy, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
            memset(found, 1, sizeof found);
            code = way == 1 ? clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL)
                            : clEnqueueReadImage(queue, to, CL_TRUE, origin, size, 0, 0, found, 0, NULL, NULL);
            check(code == CL_SUCCESS && !memcmp(found, bytes, sizeof bytes), "the same bytes");
            if (commands) release_buffer(commands);
            clReleaseMemObject(from);
            clReleaseMemObject(to);
            clReleaseMemObject(buffer);
        }
    }
    clReleaseKernel(copy);
}

/* What kernels are told of such an image, and what they read of it then; two images in one launch. */
static void queries(void)
{
    for (int order = 0; order < 2; order++) {
        const cl_image_format format = {orders[order], CL_UNORM_INT8};
        const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 9, .image_height = 4};
        cl_int code;
        cl_uint told[5];
        float linear[4];
        unsigned char bytes[4];
        const size_t one[3] = {1, 1, 1}, first[3] = {0, 0, 0}, second[3] = {1, 0, 0};
        const float colour[4] = {0.25f, 0.5f, 0.75f, 1}, half[4] = {0.5f, 0.25f, 0.125f, 0.5f};
        cl_mem image = clCreateImage(context, 0, &format, &plane, NULL, &code), other = clCreateImage(context, 0, &format, &plane, NULL, &code);
        cl_mem out = clCreateBuffer(context, 0, 64, NULL, &code);
        cl_kernel query = kernel("query"), read = kernel("read");
        check(clEnqueueFillImage(queue, image, half, second, one, 0, NULL, NULL) == CL_SUCCESS, "a fill");
        check(!clSetKernelArg(query, 0, sizeof image, &image) && !clSetKernelArg(query, 1, sizeof other, &other) && !clSetKernelArg(query, 2, sizeof out, &out), "arguments");
        check(clEnqueueNDRangeKernel(queue, query, 1, NULL, one, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
        check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof told, told, 0, NULL, NULL) == CL_SUCCESS, "a read");
        check(told[0] == orders[order] && told[1] == CL_UNORM_INT8 && told[2] == 9 && told[3] == 4 && told[4] == orders[order], "what kernels are told");
        check(clEnqueueReadImage(queue, image, CL_TRUE, first, one, 0, 0, bytes, 0, NULL, NULL) == CL_SUCCESS, "a read");
        texel(bytes, colour, order, "what was written");
        check(!clSetKernelArg(read, 0, sizeof image, &image) && !clSetKernelArg(read, 1, sizeof out, &out), "arguments");
        check(clEnqueueNDRangeKernel(queue, read, 1, NULL, one, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
        check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof linear, linear, 0, NULL, NULL) == CL_SUCCESS, "a read");
        for (int c = 0; c < 4; c++) check(fabs(steps(linear[c], c == 3) - rint(steps(half[c], c == 3))) <= 0.5, "a colour that was not written");
        clReleaseKernel(query);
        clReleaseKernel(read);
        clReleaseMemObject(image);
        clReleaseMemObject(other);
        clReleaseMemObject(out);
    }
}

/* A kernel writes one image by two arguments. */
static void one_image_twice(void)
{
    const cl_image_format format = {CL_sRGBA, CL_UNORM_INT8};
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 1};
    const float colours[3][4] = {{0.1f, 0.2f, 0.3f, 0.4f}, {0.5f, 0.6f, 0.7f, 0.8f}, {1, 0.5f, 0, 1}};
    const size_t origin[3] = {0, 0, 0}, size[3] = {3, 1, 1}, one = 1;
    unsigned char bytes[3][4];
    cl_int code;
    cl_mem image = clCreateImage(context, 0, &format, &plane, NULL, &code);
    cl_kernel twice = kernel("twice");
    check(code == CL_SUCCESS, "an image");
    for (cl_uint i = 0; i < 2; i++) check(clSetKernelArg(twice, i, sizeof image, &image) == CL_SUCCESS, "an argument");
    check(clEnqueueFillImage(queue, image, colours[2], origin, size, 0, NULL, NULL) == CL_SUCCESS, "a fill");
    check(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
    check(clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, bytes, 0, NULL, NULL) == CL_SUCCESS, "a read");
    for (int i = 0; i < 3; i++) texel(bytes[i], colours[i], 0, "an image that is two arguments");
    clReleaseKernel(twice);
    clReleaseMemObject(image);
}

/* A level of detail is written, and the others stay. */
static void levels(void)
{
    const cl_image_format format = {CL_sRGBA, CL_UNORM_INT8};
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8, .num_mip_levels = 2};
    const float colour[4] = {0.1f, 0.2f, 0.3f, 0.4f}, before[4] = {1, 0.5f, 0, 1};
    unsigned char bytes[8][8][4];
    cl_int code;
    const size_t origins[2][3] = {{0, 0, 0}, {0, 0, 1}}, sizes[2][3] = {{8, 8, 1}, {4, 4, 1}}, one = 1;
    cl_mem image = clCreateImage(context, 0, &format, &plane, NULL, &code);
    cl_kernel level = kernel("level");
    check(code == CL_SUCCESS && clSetKernelArg(level, 0, sizeof image, &image) == CL_SUCCESS, "levels of detail");
    for (int i = 0; i < 2; i++) check(clEnqueueFillImage(queue, image, before, origins[i], sizes[i], 0, NULL, NULL) == CL_SUCCESS, "a fill");
    check(clEnqueueNDRangeKernel(queue, level, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
    for (int l = 0; l < 2; l++) {
        check(clEnqueueReadImage(queue, image, CL_TRUE, origins[l], sizes[l], 0, 0, bytes, 0, NULL, NULL) == CL_SUCCESS, "a read");
        for (size_t i = 0; i < sizes[l][0] * sizes[l][1]; i++) texel(&bytes[0][0][4 * i], l && i == 5 ? colour : before, 0, "a level of detail");
    }
    clReleaseKernel(level);
    clReleaseMemObject(image);
}

/* Where kernels that read what they have written would not find it rounded, the format is not reported and launches are refused. */
static void read_and_written(void)
{
    const cl_image_format format = {CL_sRGBA, CL_UNORM_INT8};
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
    const size_t one = 1;
    cl_int code;
    cl_kernel both = clCreateKernel(program, "both", &code);
    if (code == CL_INVALID_KERNEL_NAME) return;
    cl_mem image = clCreateImage(context, 0, &format, &plane, NULL, &code);
    check(code == CL_SUCCESS && clSetKernelArg(both, 0, sizeof image, &image) == CL_SUCCESS, "an image");
    const int can = has_format(CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, CL_sRGBA);
    code = clEnqueueNDRangeKernel(queue, both, 1, NULL, &one, NULL, 0, NULL, NULL);
    check(code == (can ? CL_SUCCESS : CL_IMAGE_FORMAT_NOT_SUPPORTED), "a read_write image");
    clReleaseKernel(both);
    clReleaseMemObject(image);
}

int main(void)
{
    static char extensions[8192];
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    if (!strstr(extensions, "cl_khr_srgb_image_writes") || !has_format(CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, CL_sRGBA)) {
        puts("none");
        return 0;
    }
    find_layers(platform);
    for (int o = 0; o < 2; o++) check(has_format(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, orders[o]), "a format");
    const int has_levels = strstr(extensions, "cl_khr_mipmap_image_writes") != NULL;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, has_levels ? "-cl-std=CL3.0 -DLEVELS" : "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS, "program");
    srand(1);
    for (int i = 0; i < TEXELS; i++)
        for (int c = 0; c < 4; c++) colours[i][c] = (float)rand() / (float)RAND_MAX * (i & 1 ? 1.0f : 0.01f);
    const float special[] = {-1, 0, 1, 2, NAN, INFINITY, -INFINITY, 0.0031308f, 1e-40f};
    for (int i = 0; i < 36; i++) colours[1 + i / 9][i % 4] = special[i % 9];
    images();
    copies();
    queries();
    one_image_twice();
    read_and_written();
    if (has_levels) levels();
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
