/* Copies between images, and between images and buffers, as the commands of the API. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

static cl_context context;
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

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
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
    if (has_images) copies(bytes);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
