/* Kernels that enqueue others: images and samplers that blocks capture, in children and in their children, and a queue whose
   type has another name. The host computes what is expected. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "enqueue.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 5, HEIGHT = 3, LAYERS = 2, TEXELS = WIDTH * HEIGHT };

static cl_command_queue on_device;

static const char *source =
    "typedef queue_t channel;\n"
    "kernel void renamed(channel to, global int *out)\n"
    "{\n"
    "    enqueue_kernel(to, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ atomic_inc(out); });\n"
    "}\n"
    /* Facts of images, a sampler that is an argument, and one of the source. */
    "kernel void child(read_only image2d_t from, sampler_t by, write_only image2d_t to, global int *facts)\n"
    "{\n"
    "    const size_t size[2] = { get_image_width(to), get_image_height(to) };\n"
    "    const sampler_t nearest = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_FALSE;\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(size), ^{\n"
    "        const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "        const float2 middle = (convert_float2(at) + 0.5f) / (float2)(get_image_width(from), get_image_height(from));\n"
    "        write_imageui(to, at, read_imageui(from, by, middle) * 100u + read_imageui(from, nearest, at));\n"
    "        if (at.x + at.y == 0) {\n"
    "            facts[0] = get_image_width(from);\n"
    "            facts[1] = get_image_height(to);\n"
    "            facts[2] = get_image_channel_order(to);\n"
    "            facts[3] = get_image_channel_data_type(from);\n"
    "        }\n"
    "    });\n"
    "}\n"
    /* The block of a function, whose child has local memory, and enqueues the one that needs the images. */
    "void rows(read_only image2d_t first, write_only image2d_t to, read_only image2d_array_t layers, sampler_t by)\n"
    "{\n"
    "    const int height = get_image_height(to), width = get_image_width(to);\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(height), ^(local int *unused) {\n"
    "        const int y = (int)get_global_id(0);\n"
    "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(width), ^{\n"
    "            const int x = (int)get_global_id(0);\n"
    "            const uint4 layer = read_imageui(layers, by, (float4)(x + 0.5f, y + 0.5f, 1.0f, 0.0f));\n"
    "            write_imageui(to, (int2)(x, y), layer * 1000u + read_imageui(first, (int2)(x, y)));\n"
    "        });\n"
    "    }, sizeof(int));\n"
    "}\n"
    "kernel void grandchild(global int *unused, read_only image2d_array_t layers, sampler_t by, write_only image2d_t to,\n"
    "                       read_only image2d_t first)\n"
    "{\n"
    "    rows(first, to, layers, by);\n"
    "}\n"
    /* A block that is called and enqueued, and an image of a buffer. */
    "kernel void twice(write_only image1d_buffer_t line, global int *sum)\n"
    "{\n"
    "    void (^fill)(void) = ^{ const int i = (int)get_global_id(0); write_imageui(line, i, (uint4)(i * i)); atomic_inc(sum); };\n"
    "    fill();\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), fill);\n"
    "}\n";

static cl_mem image(cl_mem_flags flags, cl_mem_object_type type, size_t layers, cl_mem buffer, cl_uint *texels)
{
    cl_int error;
    const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT32 };
    cl_image_desc description = { .image_type = type, .image_width = WIDTH, .image_height = HEIGHT,
                                  .image_array_size = layers };
    if (buffer) {
        description.image_width = 8;
        description.buffer = buffer;
    }
    cl_mem made = clCreateImage(context, flags | (texels ? CL_MEM_COPY_HOST_PTR : 0), &format, &description, texels, &error);
    CHECK(error == CL_SUCCESS);
    return made;
}

static void argument(cl_kernel k, cl_uint index, cl_mem *memory)
{
    OK(clSetKernelArg(k, index, sizeof *memory, memory));
}

static void run(cl_kernel k)
{
    const size_t one = 1;
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(k));
}

static void read_image(cl_mem from, cl_uint *texels)
{
    const size_t origin[3] = { 0 }, region[3] = { WIDTH, HEIGHT, 1 };
    OK(clEnqueueReadImage(queue, from, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
}

static void renamed(void)
{
    cl_kernel k = kernel("renamed");
    cl_mem out = ints(1);
    cl_int count, error;
    char name[16];
    OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    CHECK(!strcmp(name, "channel"));
    CHECK(clSetKernelArg(k, 0, sizeof queue, &queue) == CL_INVALID_DEVICE_QUEUE);
    OK(clSetKernelArg(k, 0, sizeof on_device, &on_device));
    argument(k, 1, &out);
    run(k);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
    CHECK(count == 4);
    OK(clReleaseMemObject(out));

    /* Where programs have no queues, the name is free. */
    const char *free_name = "typedef int queue_t; kernel void k(queue_t value, global int *out) { *out = value; }";
    cl_program other = clCreateProgramWithSource(context, 1, &free_name, NULL, &error);
    CHECK(error == CL_SUCCESS);
    OK(clBuildProgram(other, 1, &device, "-cl-std=CL1.2", NULL, NULL));
    k = clCreateKernel(other, "k", &error);
    CHECK(error == CL_SUCCESS);
    cl_int value = 42;
    out = ints(1);
    OK(clSetKernelArg(k, 0, sizeof value, &value));
    argument(k, 1, &out);
    run(k);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
    CHECK(count == 42);
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(other));
}

static void children(void)
{
    cl_uint texels[LAYERS * 4 * TEXELS], found[4 * TEXELS];
    for (cl_uint i = 0; i < LAYERS * 4 * TEXELS; i++) texels[i] = i + 1;
    cl_int error, facts[4];
    cl_mem from = image(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, texels);
    cl_mem layers = image(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D_ARRAY, LAYERS, NULL, texels);
    cl_mem to = image(CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, NULL), out = ints(4);
    cl_sampler normalized = clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
    CHECK(error == CL_SUCCESS);
    cl_sampler texel = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
    CHECK(error == CL_SUCCESS);

    cl_kernel k = kernel("child");
    argument(k, 0, &from);
    OK(clSetKernelArg(k, 1, sizeof normalized, &normalized));
    argument(k, 2, &to);
    argument(k, 3, &out);
    run(k);
    read_image(to, found);
    for (int i = 0; i < 4 * TEXELS; i++) CHECK(found[i] == 101 * texels[i]);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof facts, facts, 0, NULL, NULL));
    CHECK(facts[0] == WIDTH && facts[1] == HEIGHT && facts[2] == CL_RGBA && facts[3] == CL_UNSIGNED_INT32);

    k = kernel("grandchild");
    argument(k, 0, &out);
    argument(k, 1, &layers);
    OK(clSetKernelArg(k, 2, sizeof texel, &texel));
    argument(k, 3, &to);
    argument(k, 4, &from);
    run(k);
    read_image(to, found);
    for (int i = 0; i < 4 * TEXELS; i++) CHECK(found[i] == 1000 * texels[4 * TEXELS + i] + texels[i]);
    OK(clReleaseSampler(normalized));
    OK(clReleaseSampler(texel));
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(layers));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(out));
}

static void twice(void)
{
    cl_mem buffer = ints(4 * 8), line = image(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, buffer, NULL);
    cl_mem sum = ints(1);
    cl_kernel k = kernel("twice");
    cl_uint found[4 * 8], count;
    argument(k, 0, &line);
    argument(k, 1, &sum);
    run(k);
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (cl_uint i = 0; i < 4 * 8; i++) CHECK(found[i] == i / 4 * (i / 4));
    OK(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
    CHECK(count == 9);
    OK(clReleaseMemObject(line));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(sum));
}

int main(void)
{
    cl_int error;
    begin(source);
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0
    };
    on_device = clCreateCommandQueueWithProperties(context, device, properties, &error);
    CHECK(error == CL_SUCCESS);
    renamed();
    children();
    twice();
    OK(clReleaseCommandQueue(on_device));
    end();
    return 0;
}
