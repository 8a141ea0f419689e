/* Copies between images, and between images and buffers, as the commands of the API; images in the colour space sRGB; flags of
   images over other objects. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "check.h"
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
static const size_t start[3];

static cl_mem image(cl_mem_object_type type, size_t width, size_t height, size_t slices, cl_mem buffer)
{
    cl_image_desc description = {0};
    cl_int code;
    description.image_type = type;
    description.image_width = width;
    description.image_height = height;
    description.image_depth = description.image_array_size = slices;
    description.mem_object = buffer;
    cl_mem made = clCreateImage(context, 0, &format, &description, NULL, &code);
    check(code == CL_SUCCESS, "an image");
    return made;
}

static void read(cl_mem from, size_t width, size_t height, size_t slices, unsigned char *to)
{
    size_t region[3] = {width, height, slices};
    check(clEnqueueReadImage(queue, from, CL_TRUE, start, region, 0, 0, to, 0, NULL, NULL) == CL_SUCCESS, "a read");
}

/* Texels of 4 bytes, row after row. */
static void copies(const unsigned char bytes[256])
{
    cl_mem flat = image(CL_MEM_OBJECT_IMAGE2D, 4, 4, 1, NULL), solid = image(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, NULL);
    cl_mem layers = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 4, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 256, (void *)bytes, NULL);
    cl_mem row = image(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64, 0, 0, buffer);
    unsigned char seen[256];
    size_t whole[3] = {4, 4, 4}, plane[3] = {4, 4, 1}, line[3] = {4, 1, 1}, corner[3] = {0, 1, 2}, third[3] = {0, 2, 0};

    check(clEnqueueCopyBufferToImage(queue, buffer, solid, 0, start, whole, 0, NULL, NULL) == CL_SUCCESS, "to an image");
    check(clEnqueueCopyImage(queue, solid, layers, start, start, whole, 0, NULL, NULL) == CL_SUCCESS, "3D to layers");
    read(layers, 4, 4, 4, seen);
    check(!memcmp(seen, bytes, 256), "the layers");

    size_t second[3] = {0, 0, 1};
    check(clEnqueueCopyImage(queue, layers, flat, second, start, plane, 0, NULL, NULL) == CL_SUCCESS, "a layer");
    check(clEnqueueCopyImage(queue, solid, flat, corner, third, line, 0, NULL, NULL) == CL_SUCCESS, "a line");
    size_t tenth[3] = {10, 0, 0}, fourth[3] = {0, 3, 0};
    check(clEnqueueCopyImage(queue, row, flat, tenth, fourth, line, 0, NULL, NULL) == CL_SUCCESS, "from a buffer image");
    read(flat, 4, 4, 1, seen);
    check(!memcmp(seen, bytes + 64, 32) && !memcmp(seen + 32, bytes + 144, 16) && !memcmp(seen + 48, bytes + 40, 16),
          "the plane");

    /* Behind the copies before: every byte of the buffer is one of the image's by now. */
    check(clEnqueueCopyImageToBuffer(queue, flat, buffer, fourth, line, 3, 0, NULL, NULL) == CL_SUCCESS, "any byte");
    check(clEnqueueCopyImage(queue, flat, row, fourth, tenth, line, 0, NULL, NULL) == CL_SUCCESS, "to a buffer image");
    check(clEnqueueCopyImage(queue, row, row, tenth, start, line, 0, NULL, NULL) == CL_SUCCESS, "in a buffer image");
    check(clEnqueueCopyBufferToImage(queue, buffer, flat, 1, start, line, 0, NULL, NULL) == CL_SUCCESS, "from any byte");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 256, seen, 0, NULL, NULL) == CL_SUCCESS, "a read");
    check(!memcmp(seen, bytes + 40, 16) && !memcmp(seen + 16, bytes + 53, 3) && !memcmp(seen + 19, bytes + 19, 237),
          "the buffer");
    unsigned char expected[17];
    memcpy(expected, seen + 1, 16);
    read(flat, 4, 1, 1, seen);
    check(!memcmp(seen, expected, 16), "the first line");
    size_t outside[3] = {1, 0, 0};
    check(clEnqueueCopyImage(queue, flat, solid, outside, start, plane, 0, NULL, NULL) == CL_INVALID_VALUE, "outside");
    check(clEnqueueCopyImageToBuffer(queue, solid, buffer, start, whole, 1, 0, NULL, NULL) == CL_INVALID_VALUE, "too much");
    check(clFinish(queue) == CL_SUCCESS, "finish");
    cl_mem all[] = {flat, solid, layers, row, buffer};
    for (int i = 0; i < 5; i++) clReleaseMemObject(all[i]);
}

/* The specification's conversion of a linear channel to 255 steps of sRGB. */
static double steps(double linear)
{
    return 255 * (linear < 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

static int has_format(cl_mem_flags flags, cl_channel_order order)
{
    cl_image_format formats[128];
    cl_uint count;
    check(clGetSupportedImageFormats(context, flags, CL_MEM_OBJECT_IMAGE2D, 128, formats, &count) == CL_SUCCESS, "formats");
    for (cl_uint i = 0; i < count; i++)
        if (formats[i].image_channel_order == order) return formats[i].image_channel_data_type == CL_UNORM_INT8;
    return 0;
}

/* Kernels read linear values, also where a sampler filters; alpha is linear. */
static void colours(void)
{
    const char *source =
        "kernel void k(read_only image2d_t from, sampler_t between, global float4 *out)\n"
        "{\n"
        "    const int i = get_global_id(0);\n"
        "    out[i] = read_imagef(from, (int2)(i, 0));\n"
        "    if (i == 0) {\n"
        "        out[256] = read_imagef(from, between, (float2)(200, 0));\n"
        "        out[257] = (float4)(get_image_channel_order(from) == CLK_sRGBA, get_image_channel_order(from), 0, 0);\n"
        "    }\n"
        "}\n";
    const cl_channel_order orders[] = {CL_sRGBA, CL_sBGRA};
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS, "a program");
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    cl_sampler between = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code);
    check(code == CL_SUCCESS, "a sampler");
    static unsigned char texels[256][4], seen[256][4];
    static float found[258][4];
    cl_mem out = clCreateBuffer(context, 0, sizeof found, NULL, NULL);
    for (int i = 0; i < 256; i++)
        for (int c = 0; c < 4; c++) texels[i][c] = (unsigned char)(c < 2 ? i : 255 - i);
    for (int o = 0; o < 2; o++) {
        if (!has_format(CL_MEM_READ_ONLY, orders[o])) continue;
        const cl_image_format format = {orders[o], CL_UNORM_INT8};
        cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 256, .image_height = 1};
        const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
        cl_mem image = clCreateImage(context, flags, &format, &description, texels, &code);
        check(code == CL_SUCCESS, "an image of sRGB");
        clSetKernelArg(kernel, 0, sizeof image, &image);
        clSetKernelArg(kernel, 1, sizeof between, &between);
        clSetKernelArg(kernel, 2, sizeof out, &out);
        const size_t all = 256, region[3] = {256, 1, 1};
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
        check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "a read");
        for (int i = 0; i < 256; i++) {
            for (int c = 0; c < 3; c++) {
                const int byte = texels[i][o && c != 1 ? 2 - c : c];
                check(fabs(steps(found[i][c]) - byte) <= 0.5, "a linear colour");
            }
            check(fabs(found[i][3] * 255.0 - texels[i][3]) < 0.001, "alpha");
        }
        for (int c = 0; c < 3; c++)
            check(fabs(found[256][c] - (found[199][c] + found[200][c]) / 2) < 0.001, "filtered behind the conversion");
        check(found[257][1] == (float)orders[o] && (found[257][0] == 1) == !o, "the order");

        /* Commands move texels; the colour of a fill is linear. */
        check(clEnqueueReadImage(queue, image, CL_TRUE, start, region, 0, 0, seen, 0, NULL, NULL) == CL_SUCCESS, "texels");
        check(!memcmp(seen, texels, sizeof seen), "the same texels");
        const float half[4] = {0.5f, 1.5f, 0.002f, 0.5f};
        check(clEnqueueFillImage(queue, image, half, start, region, 0, NULL, NULL) == CL_SUCCESS, "a fill");
        check(clEnqueueReadImage(queue, image, CL_TRUE, start, region, 0, 0, seen, 0, NULL, NULL) == CL_SUCCESS, "texels");
        const unsigned char expected[2][4] = {{188, 255, 7, 128}, {7, 255, 188, 128}};
        check(!memcmp(seen[0], expected[o], 4) && !memcmp(seen[255], expected[o], 4), "a filled texel");
        clReleaseMemObject(image);
    }
    clReleaseMemObject(out);
    clReleaseSampler(between);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

/* Flags of formats follow the rules of memory objects. */
static void flags_of_formats(void)
{
    cl_uint count;
    const cl_mem_flags both = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    check(clGetSupportedImageFormats(context, both, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count) == CL_INVALID_VALUE, "both");
}

/* An image over a buffer allows no access that the buffer does not allow. */
static void flags(void)
{
    const cl_mem_flags access[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, 0};
    for (int below = 0; below < 3; below++) {
        cl_mem buffer = clCreateBuffer(context, access[below], 1024, NULL, NULL);
        cl_image_desc row = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64, .mem_object = buffer};
        cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4,
                               .image_row_pitch = 64, .mem_object = buffer};
        for (int over = 0; over < 4; over++)
            for (int is_plane = 0; is_plane < 2; is_plane++) {
                cl_int code;
                cl_mem image = clCreateImage(context, access[over], &format, is_plane ? &plane : &row, NULL, &code);
                const int may = below == 0 || over == below || over == 3;
                check(code == (may ? CL_SUCCESS : CL_INVALID_VALUE), "the access of an image over a buffer");
                if (!image) continue;
                cl_mem_flags found;
                check(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof found, &found, NULL) == CL_SUCCESS, "flags");
                check(found == access[over == 3 ? below : over], "inherited flags");
                clReleaseMemObject(image);
            }
        clReleaseMemObject(buffer);
    }
}

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    unsigned char bytes[256];
    for (int i = 0; i < 256; i++) bytes[i] = (unsigned char)(i * 7 + i / 32);
    if (has_images) {
        copies(bytes);
        colours();
        flags_of_formats();
        flags();
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
