/* Images whose texels are those of a buffer (cl_khr_image2d_from_buffer, cl_ext_image_from_buffer), which commands use in any
   order: at random, beside an array of this program's that is the buffer. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include "layers.h"
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 8192, IMAGES = 10, ROUNDS = 400, MOST = 4096 };
enum { PITCH = 0x1290, SLICE, BASE, NEEDED = 0x12B2, WIDTH, HEIGHT, DEPTH, LAYERS };

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queues[2];
static cl_program program;
static cl_event last;
static int has_3d_writes;
static cl_int (*requirements)(cl_context, const cl_ulong *, cl_ulong, const cl_image_format *, const cl_image_desc *, cl_uint, size_t,
                              void *, size_t *);

/* An image: the size of a texel in bytes and channels, the buffer's byte and the pitches of its texels. */
struct image {
    cl_mem_object_type type;
    cl_channel_order order;
    cl_channel_type channel;
    size_t size[3], row, slice, start;
    int channels, bytes;
    cl_mem memory;
};

static unsigned state = 1;
static unsigned pick(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static const char *source =
    "uint4 of(int x, int y, int z, uint seed) { return ((uint4)(seed) + (uint4)(x * 3 + y * 5 + z * 11) + (uint4)(0, 1, 2, 3)) & 127u; }\n"
    "#define AT(n) get_global_id(n)\n"
    "kernel void put1(write_only image1d_t i, uint s) { int x = AT(0); write_imageui(i, x, of(x, 0, 0, s)); }\n"
    "kernel void put1b(write_only image1d_buffer_t i, uint s) { int x = AT(0); write_imageui(i, x, of(x, 0, 0, s)); }\n"
    "kernel void put1a(write_only image1d_array_t i, uint s) { int x = AT(0), y = AT(1); write_imageui(i, (int2)(x, y), of(x, y, 0, s)); }\n"
    "kernel void put2(write_only image2d_t i, uint s) { int x = AT(0), y = AT(1); write_imageui(i, (int2)(x, y), of(x, y, 0, s)); }\n"
    "kernel void put2a(write_only image2d_array_t i, uint s) { int x = AT(0), y = AT(1), z = AT(2); write_imageui(i, (int4)(x, y, z, 0), of(x, y, z, s)); }\n"
    "#ifdef WRITES_3D\n"
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "kernel void put3(write_only image3d_t i, uint s) { int x = AT(0), y = AT(1), z = AT(2); write_imageui(i, (int4)(x, y, z, 0), of(x, y, z, s)); }\n"
    "#endif\n"
    "#define OUT out[(AT(2) * get_global_size(1) + AT(1)) * get_global_size(0) + AT(0)]\n"
    "kernel void get1(read_only image1d_t i, global uint4 *out) { OUT = read_imageui(i, (int)AT(0)); }\n"
    "kernel void get1b(read_only image1d_buffer_t i, global uint4 *out) { OUT = read_imageui(i, (int)AT(0)); }\n"
    "kernel void get1a(read_only image1d_array_t i, global uint4 *out) { OUT = read_imageui(i, (int2)(AT(0), AT(1))); }\n"
    "kernel void get2(read_only image2d_t i, global uint4 *out) { OUT = read_imageui(i, (int2)(AT(0), AT(1))); }\n"
    "kernel void get2a(read_only image2d_array_t i, global uint4 *out) { OUT = read_imageui(i, (int4)(AT(0), AT(1), AT(2), 0)); }\n"
    "kernel void get3(read_only image3d_t i, global uint4 *out) { OUT = read_imageui(i, (int4)(AT(0), AT(1), AT(2), 0)); }\n"
    "kernel void add(global uchar *b, uchar n) { b[AT(0)] += n; }\n"
    "kernel void both(write_only image2d_t i, write_only image2d_t j, uint s) { int x = AT(0), y = AT(1);\n"
    "    write_imageui(i, (int2)(x, y), of(x, y, 0, s)); write_imageui(j, (int2)(x, y), of(x, y, 1, s)); }\n"
    "kernel void copy(global const uchar *b, global uchar *c) { c[AT(0)] = b[AT(0)]; }\n"
    "kernel void measure(read_only image2d_depth_t i, global float *out) { out[AT(0)] = read_imagef(i, (int2)(AT(0), 0)); }\n"
    "kernel void red(write_only image2d_t i) { write_imagef(i, (int2)(AT(0), 0), (float4)(AT(0) * 0.25f)); }\n";

static const char *suffix(cl_mem_object_type type)
{
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D: return "1";
    case CL_MEM_OBJECT_IMAGE1D_BUFFER: return "1b";
    case CL_MEM_OBJECT_IMAGE1D_ARRAY: return "1a";
    case CL_MEM_OBJECT_IMAGE2D: return "2";
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return "2a";
    default: return "3";
    }
}

static cl_kernel kernel(const char *verb, cl_mem_object_type type)
{
    char name[16];
    cl_int code;
    snprintf(name, sizeof name, "%s%s", verb, suffix(type));
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    return made;
}

static cl_mem create(const struct image *image, cl_mem buffer, cl_int *code)
{
    cl_image_format format = {image->order, image->channel};
    int is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_image_desc description = {.image_type = image->type, .image_width = image->size[0], .image_height = image->size[1],
                                 .image_depth = image->size[2], .image_array_size = is_1d_array ? image->size[1] : image->size[2],
                                 .image_row_pitch = is_1d_array ? 0 : image->row, .image_slice_pitch = image->slice,
                                 .mem_object = buffer};
    return clCreateImage(context, 0, &format, &description, NULL, code);
}

/* The byte of a texel in the buffer. */
static size_t place(const struct image *image, size_t x, size_t y, size_t z)
{
    size_t row = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? image->slice : image->row;
    return image->start + z * image->slice + y * row + x * image->channels * image->bytes;
}

/* What kernels write to a texel, and to a fill's colour. */
static void encode(const struct image *image, unsigned char *to, const uint32_t color[4])
{
    for (int channel = 0; channel < image->channels; channel++)
        memcpy(to + channel * image->bytes, &color[channel], image->bytes);
}

static void decode(const struct image *image, const unsigned char *from, uint32_t color[4])
{
    uint32_t absent[4] = {0, 0, 0, 1};
    memcpy(color, absent, sizeof absent);
    for (int channel = 0; channel < image->channels; channel++) {
        color[channel] = 0;
        memcpy(&color[channel], from + channel * image->bytes, image->bytes);
    }
}

static void value(uint32_t color[4], unsigned x, unsigned y, unsigned z, unsigned seed)
{
    for (unsigned i = 0; i < 4; i++) color[i] = (seed + x * 3 + y * 5 + z * 11 + i) & 127;
}

/* A command on either queue, behind the last one. */
static cl_command_queue next(void) { return queues[pick(2)]; }
#define BEHIND last != NULL, last ? &last : NULL, &event
static void enqueued(cl_int code, const cl_event *event, const char *what)
{
    if (code != CL_SUCCESS) fprintf(stderr, "%s: %d\n", what, code);
    check(code == CL_SUCCESS, what);
    if (last) clReleaseEvent(last);
    last = *event;
}

static void region(const struct image *image, size_t origin[3], size_t size[3])
{
    for (int d = 0; d < 3; d++) {
        origin[d] = pick(image->size[d]);
        size[d] = 1 + pick(image->size[d] - origin[d]);
    }
}

#define EACH(size) for (size_t z = 0; z < size[2]; z++) for (size_t y = 0; y < size[1]; y++) for (size_t x = 0; x < size[0]; x++)

static void kernel_writes(const struct image *image, unsigned char *model)
{
    if (image->type == CL_MEM_OBJECT_IMAGE3D && !has_3d_writes) return;
    size_t origin[3], size[3];
    cl_uint seed = pick(1000);
    uint32_t color[4];
    cl_event event;
    region(image, origin, size);
    cl_kernel put = kernel("put", image->type);
    clSetKernelArg(put, 0, sizeof image->memory, &image->memory);
    clSetKernelArg(put, 1, sizeof seed, &seed);
    enqueued(clEnqueueNDRangeKernel(next(), put, 3, origin, size, NULL, BEHIND), &event, "a kernel that writes");
    clReleaseKernel(put);
    EACH(size) {
        value(color, x + origin[0], y + origin[1], z + origin[2], seed);
        encode(image, model + place(image, x + origin[0], y + origin[1], z + origin[2]), color);
    }
}

static void kernel_reads(const struct image *image, const unsigned char *model, cl_mem out)
{
    static uint32_t found[MOST][4];
    uint32_t color[4];
    cl_event event;
    size_t texels = image->size[0] * image->size[1] * image->size[2];
    cl_kernel get = kernel("get", image->type);
    clSetKernelArg(get, 0, sizeof image->memory, &image->memory);
    clSetKernelArg(get, 1, sizeof out, &out);
    enqueued(clEnqueueNDRangeKernel(next(), get, 3, NULL, image->size, NULL, BEHIND), &event, "a kernel that reads");
    clReleaseKernel(get);
    enqueued(clEnqueueReadBuffer(next(), out, CL_TRUE, 0, texels * 16, found, BEHIND), &event, "what it has read");
    EACH(image->size) {
        size_t at = (z * image->size[1] + y) * image->size[0] + x;
        decode(image, model + place(image, x, y, z), color);
        if (memcmp(found[at], color, 16)) {
            fprintf(stderr, "image %s, texel %zu %zu %zu: %u %u %u %u, not %u %u %u %u\n", suffix(image->type), x, y, z, found[at][0],
                    found[at][1], found[at][2], found[at][3], color[0], color[1], color[2], color[3]);
            check(0, "a texel that a kernel reads");
        }
    }
}

static void host_transfers(const struct image *image, unsigned char *model)
{
    static unsigned char bytes[MOST * 16];
    size_t origin[3], size[3], texel = image->channels * image->bytes;
    uint32_t color[4];
    cl_event event;
    region(image, origin, size);
    size_t row = size[0] * texel, slice = row * size[1];
    int is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY, what = pick(4);
    if (what == 0) {
        for (size_t i = 0; i < slice * size[2]; i++) bytes[i] = pick(100);
        enqueued(clEnqueueWriteImage(next(), image->memory, CL_TRUE, origin, size, 0, 0, bytes, BEHIND), &event, "a write");
        EACH(size) memcpy(model + place(image, x + origin[0], y + origin[1], z + origin[2]), bytes + z * slice + y * row + x * texel, texel);
    } else if (what == 1) {
        value(color, 0, 0, 0, pick(100));
        enqueued(clEnqueueFillImage(next(), image->memory, color, origin, size, BEHIND), &event, "a fill");
        EACH(size) encode(image, model + place(image, x + origin[0], y + origin[1], z + origin[2]), color);
    } else if (what == 2) {
        enqueued(clEnqueueReadImage(next(), image->memory, CL_TRUE, origin, size, 0, 0, bytes, BEHIND), &event, "a read");
        EACH(size) check(!memcmp(model + place(image, x + origin[0], y + origin[1], z + origin[2]), bytes + z * slice + y * row + x * texel, texel), "texels that were read");
    } else {
        size_t pitches[2] = {0, 0};
        cl_int code;
        cl_map_flags flags = pick(2) ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ;
        unsigned char *mapped = clEnqueueMapImage(next(), image->memory, CL_TRUE, flags, origin, size, &pitches[0], &pitches[1], BEHIND, &code);
        enqueued(code, &event, "a map");
        size_t rows = is_1d_array ? pitches[1] : pitches[0];
        if (image->type == CL_MEM_OBJECT_IMAGE2D) check(pitches[0] == image->row, "the pitch of a mapped region");
        EACH(size) {
            unsigned char *there = mapped + z * pitches[1] + y * rows + x * texel, *here = model + place(image, x + origin[0], y + origin[1], z + origin[2]);
            check(!memcmp(there, here, texel), "mapped texels");
            if (flags & CL_MAP_WRITE) here[0] = there[0] = pick(100);
        }
        enqueued(clEnqueueUnmapMemObject(next(), image->memory, mapped, BEHIND), &event, "an end of a mapping");
    }
}

static void buffer_transfers(cl_mem buffer, unsigned char *model, cl_mem other)
{
    static unsigned char bytes[SIZE];
    size_t offset = pick(SIZE / 4) * 4, size = 4 + pick((SIZE - offset) / 4) * 4;
    cl_event event;
    cl_int code;
    if (offset + size > SIZE) size = SIZE - offset;
    switch (pick(8)) {
    case 0:
        for (size_t i = 0; i < size; i++) bytes[i] = pick(100);
        enqueued(clEnqueueWriteBuffer(next(), buffer, CL_TRUE, offset, size, bytes, BEHIND), &event, "a write of bytes");
        memcpy(model + offset, bytes, size);
        break;
    case 1:
        enqueued(clEnqueueReadBuffer(next(), buffer, CL_TRUE, offset, size, bytes, BEHIND), &event, "a read of bytes");
        check(!memcmp(model + offset, bytes, size), "bytes that were read");
        break;
    case 2: {
        unsigned char pattern = pick(100);
        enqueued(clEnqueueFillBuffer(next(), buffer, &pattern, 1, offset, size, BEHIND), &event, "a fill of bytes");
        memset(model + offset, pattern, size);
        break;
    }
    case 3: {
        cl_map_flags flags = pick(2) ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ;
        unsigned char *mapped = clEnqueueMapBuffer(next(), buffer, CL_TRUE, flags, offset, size, BEHIND, &code);
        enqueued(code, &event, "a map of bytes");
        check(!memcmp(model + offset, mapped, size), "mapped bytes");
        if (flags & CL_MAP_WRITE) mapped[size / 2] = model[offset + size / 2] = pick(100);
        enqueued(clEnqueueUnmapMemObject(next(), buffer, mapped, BEHIND), &event, "an end of a mapping of bytes");
        break;
    }
    case 4: {
        cl_kernel add = clCreateKernel(program, "add", &code);
        cl_uchar n = pick(20);
        clSetKernelArg(add, 0, sizeof buffer, &buffer);
        clSetKernelArg(add, 1, 1, &n);
        enqueued(clEnqueueNDRangeKernel(next(), add, 1, &offset, &size, NULL, BEHIND), &event, "a kernel that writes bytes");
        clReleaseKernel(add);
        for (size_t i = 0; i < size; i++) model[offset + i] = (model[offset + i] + n) & 255;
        break;
    }
    case 5: {
        cl_kernel copy = clCreateKernel(program, "copy", &code);
        clSetKernelArg(copy, 0, sizeof buffer, &buffer);
        clSetKernelArg(copy, 1, sizeof other, &other);
        enqueued(clEnqueueNDRangeKernel(next(), copy, 1, &offset, &size, NULL, BEHIND), &event, "a kernel that reads bytes");
        clReleaseKernel(copy);
        enqueued(clEnqueueReadBuffer(next(), other, CL_TRUE, offset, size, bytes, BEHIND), &event, "its bytes");
        check(!memcmp(model + offset, bytes, size), "bytes that a kernel reads");
        break;
    }
    case 6:
        enqueued(clEnqueueCopyBuffer(next(), buffer, other, offset, 0, size, BEHIND), &event, "a copy of bytes");
        enqueued(clEnqueueReadBuffer(next(), other, CL_TRUE, 0, size, bytes, BEHIND), &event, "their copy");
        check(!memcmp(model + offset, bytes, size), "bytes that were copied");
        break;
    default: {
        size_t from[3] = {3, 2, 1}, to[3] = {0, 0, 0}, box[3] = {5, 4, 2};
        enqueued(clEnqueueReadBufferRect(next(), buffer, CL_TRUE, from, to, box, 32, 512, 0, 0, bytes, BEHIND), &event, "a box");
        EACH(box) check(bytes[z * 20 + y * 5 + x] == model[(z + 1) * 512 + (y + 2) * 32 + x + 3], "a box of bytes");
    }
    }
}

/* Copies between images, and between images and a buffer of its own. */
static void copies(struct image *images, unsigned char *model, cl_mem other)
{
    static unsigned char bytes[MOST * 16];
    const struct image *image = &images[pick(IMAGES)];
    size_t origin[3], size[3], texel = image->channels * image->bytes;
    cl_event event;
    region(image, origin, size);
    size_t row = size[0] * texel, slice = row * size[1];
    if (pick(2)) {
        enqueued(clEnqueueCopyImageToBuffer(next(), image->memory, other, origin, size, 8, BEHIND), &event, "a copy of an image");
        enqueued(clEnqueueReadBuffer(next(), other, CL_TRUE, 8, slice * size[2], bytes, BEHIND), &event, "its bytes");
        EACH(size) check(!memcmp(model + place(image, x + origin[0], y + origin[1], z + origin[2]), bytes + z * slice + y * row + x * texel, texel), "texels that were copied");
    } else {
        for (size_t i = 0; i < slice * size[2]; i++) bytes[i] = pick(100);
        enqueued(clEnqueueWriteBuffer(next(), other, CL_TRUE, 8, slice * size[2], bytes, BEHIND), &event, "bytes for an image");
        enqueued(clEnqueueCopyBufferToImage(next(), other, image->memory, 8, origin, size, BEHIND), &event, "a copy to an image");
        EACH(size) memcpy(model + place(image, x + origin[0], y + origin[1], z + origin[2]), bytes + z * slice + y * row + x * texel, texel);
    }
    /* By way of an image of its own. */
    cl_int code;
    cl_image_format format = {images[0].order, images[0].channel};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = images[0].size[0], .image_height = images[0].size[1]};
    cl_mem plain = clCreateImage(context, 0, &format, &description, NULL, &code);
    check(code == CL_SUCCESS, "an image of its own");
    size_t zero[3] = {0, 0, 0}, line[3] = {images[0].size[0], 1, 1}, second[3] = {0, 1, 0}, third[3] = {0, 2, 0};
    enqueued(clEnqueueCopyImage(next(), images[0].memory, plain, second, zero, line, BEHIND), &event, "from an image over a buffer");
    enqueued(clEnqueueCopyImage(next(), plain, images[0].memory, zero, third, line, BEHIND), &event, "to an image over a buffer");
    memcpy(model + place(&images[0], 0, 2, 0), model + place(&images[0], 0, 1, 0), line[0] * 4);
    clReleaseMemObject(plain);
}

/* Two images that lie between each other's rows are written by one kernel. */
static void halves(const struct image *left, const struct image *right, unsigned char *model)
{
    cl_uint seed = pick(1000);
    cl_int code;
    cl_event event;
    uint32_t color[4];
    size_t size[3] = {left->size[0], left->size[1], 1};
    cl_kernel both = clCreateKernel(program, "both", &code);
    clSetKernelArg(both, 0, sizeof left->memory, &left->memory);
    clSetKernelArg(both, 1, sizeof right->memory, &right->memory);
    clSetKernelArg(both, 2, sizeof seed, &seed);
    enqueued(clEnqueueNDRangeKernel(next(), both, 3, NULL, size, NULL, BEHIND), &event, "a kernel that writes two images");
    clReleaseKernel(both);
    EACH(size) {
        value(color, x, y, 0, seed);
        encode(left, model + place(left, x, y, 0), color);
        value(color, x, y, 1, seed);
        encode(right, model + place(right, x, y, 0), color);
    }
}

/* An image that is released with texels that the buffer does not have yet. */
static void released(const struct image *like, cl_mem buffer, unsigned char *model)
{
    cl_int code;
    struct image image = *like;
    image.memory = create(&image, buffer, &code);
    check(code == CL_SUCCESS, "one more image");
    kernel_writes(&image, model);
    clReleaseMemObject(image.memory);
}

/* Recorded commands are executed twice. */
static void recorded(const struct image *image, cl_mem buffer, unsigned char *model, cl_mem other)
{
    cl_int code;
    cl_uint seed = pick(1000), point;
    uint32_t color[4];
    unsigned char bytes[512];
    handle list = create_buffer(1, &queues[0], NULL, &code);
    check(code == CL_SUCCESS, "a command buffer");
    cl_kernel put = kernel("put", image->type);
    clSetKernelArg(put, 0, sizeof image->memory, &image->memory);
    clSetKernelArg(put, 1, sizeof seed, &seed);
    check(record_kernel(list, NULL, NULL, put, 2, NULL, image->size, NULL, 0, NULL, &point, NULL) == CL_SUCCESS, "record a kernel");
    check(record_copy(list, NULL, NULL, buffer, other, 0, 0, 512, 1, &point, NULL, NULL) == CL_SUCCESS, "record a copy");
    check(finalize(list) == CL_SUCCESS, "finalize");
    for (int i = 0; i < 2; i++) {
        cl_event event;
        unsigned char pattern = 7 + i;
        enqueued(clEnqueueFillBuffer(next(), buffer, &pattern, 1, 0, SIZE, BEHIND), &event, "a fill before");
        memset(model, pattern, SIZE);
        enqueued(enqueue(0, NULL, list, BEHIND), &event, "execute");
        EACH(image->size) {
            value(color, x, y, z, seed);
            encode(image, model + place(image, x, y, z), color);
        }
        enqueued(clEnqueueReadBuffer(next(), other, CL_TRUE, 0, sizeof bytes, bytes, BEHIND), &event, "what was recorded");
        check(!memcmp(bytes, model, sizeof bytes), "recorded commands");
    }
    clReleaseKernel(put);
    release_buffer(list);
}

/* A buffer of some flags: all of the above at random. */
static void at_random(cl_mem_flags flags, void *host)
{
    static unsigned char model[SIZE], bytes[SIZE];
    cl_int code;
    cl_uint alignment;
    check(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment, &alignment, NULL) == CL_SUCCESS, "the alignment");
    cl_buffer_region part = {alignment / 8 < 256 ? 256 : alignment / 8, 0};
    part.size = SIZE - part.origin;
    memset(model, 0, SIZE);
    if (host) memset(host, 0, SIZE);
    cl_mem buffer = clCreateBuffer(context, flags | CL_MEM_READ_WRITE, SIZE, host, &code);
    check(code == CL_SUCCESS, "a buffer");
    cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    check(code == CL_SUCCESS, "a part of it");
    cl_mem other = clCreateBuffer(context, 0, MOST * 16, NULL, &code);
    check(clEnqueueWriteBuffer(queues[0], buffer, CL_TRUE, 0, SIZE, model, 0, NULL, NULL) == CL_SUCCESS, "zeros");
    size_t o = part.origin;
    struct image images[IMAGES] = {
        {CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNSIGNED_INT8, {13, 7, 1}, 64, 0, 0, 4, 1, 0},
        {CL_MEM_OBJECT_IMAGE2D, CL_R, CL_UNSIGNED_INT32, {5, 6, 1}, 32, 0, o, 1, 4, 0},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_RGBA, CL_UNSIGNED_INT8, {4, 3, 2}, 32, 128, 0, 4, 1, 0},
        {CL_MEM_OBJECT_IMAGE3D, CL_R, CL_UNSIGNED_INT32, {3, 4, 3}, 16, 64, o, 1, 4, 0},
        {CL_MEM_OBJECT_IMAGE1D, CL_RGBA, CL_UNSIGNED_INT32, {20, 1, 1}, 0, 0, 0, 4, 4, 0},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_R, CL_UNSIGNED_INT8, {9, 5, 1}, 0, 24, 0, 1, 1, 0},
        {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_RGBA, CL_UNSIGNED_INT8, {60, 1, 1}, 0, 0, o, 4, 1, 0},
        {CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNSIGNED_INT16, {8, 6, 1}, 512, 0, 0, 4, 2, 0},
        {CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNSIGNED_INT16, {8, 6, 1}, 512, 0, o, 4, 2, 0},
        {CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNSIGNED_INT8, {13, 7, 1}, 52, 0, 0, 4, 1, 0},
    };
    for (int i = 0; i < IMAGES; i++) {
        images[i].memory = create(&images[i], images[i].start ? sub : buffer, &code);
        if (code != CL_SUCCESS) fprintf(stderr, "image %d: %d\n", i, code);
        check(code == CL_SUCCESS, "an image over a buffer");
        if (images[i].type != CL_MEM_OBJECT_IMAGE1D_ARRAY && !images[i].row) images[i].row = 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        struct image *image = &images[pick(IMAGES)];
        switch (pick(8)) {
        case 0: case 1: kernel_writes(image, model); break;
        case 2: kernel_reads(image, model, other); break;
        case 3: host_transfers(image, model); break;
        case 4: copies(images, model, other); break;
        case 5: if (pick(4)) halves(&images[7], &images[8], model); else recorded(&images[0], buffer, model, other); break;
        case 6: if (pick(2)) released(&images[pick(2) * 2], buffer, model); break;
        default: buffer_transfers(buffer, model, other);
        }
        if (!pick(16)) {
            cl_event event;
            enqueued(clEnqueueReadBuffer(next(), buffer, CL_TRUE, 0, SIZE, bytes, BEHIND), &event, "everything");
            check(!memcmp(bytes, model, SIZE), "all bytes");
        }
    }
    for (int i = 0; i < IMAGES; i++) clReleaseMemObject(images[i].memory);
    cl_event event;
    enqueued(clEnqueueReadBuffer(next(), buffer, CL_TRUE, 0, SIZE, bytes, BEHIND), &event, "everything at the end");
    check(!memcmp(bytes, model, SIZE), "all bytes at the end");
    clReleaseMemObject(sub);
    clReleaseMemObject(buffer);
    clReleaseMemObject(other);
}

/* A buffer that is shared virtual memory: kernels and the host use it by its address. */
static void by_pointer(void)
{
    cl_device_svm_capabilities has = 0;
    cl_int code;
    cl_uint seed = 5;
    cl_uchar n = 1;
    size_t size[2] = {4, 4}, all = 256;
    uint32_t color[4], found[16][4];
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL);
    if (!has) return;
    unsigned char *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    check(pointer != NULL, "shared memory");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, pointer, &code), out = clCreateBuffer(context, 0, 4096, NULL, NULL);
    check(code == CL_SUCCESS, "a buffer of shared memory");
    struct image image = {CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNSIGNED_INT8, {4, 4, 1}, 64, 0, 0, 4, 1, 0};
    image.memory = create(&image, buffer, &code);
    check(code == CL_SUCCESS, "an image of shared memory");
    cl_kernel put = kernel("put", image.type), get = kernel("get", image.type), add = clCreateKernel(program, "add", NULL);
    clSetKernelArg(put, 0, sizeof image.memory, &image.memory);
    clSetKernelArg(put, 1, sizeof seed, &seed);
    clSetKernelArg(get, 0, sizeof image.memory, &image.memory);
    clSetKernelArg(get, 1, sizeof out, &out);
    clSetKernelArgSVMPointer(add, 0, pointer);
    clSetKernelArg(add, 1, 1, &n);
    check(clEnqueueNDRangeKernel(queues[0], put, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "put");
    check(clEnqueueNDRangeKernel(queues[0], add, 1, NULL, &all, NULL, 0, NULL, NULL) == CL_SUCCESS, "add by a pointer");
    check(clEnqueueNDRangeKernel(queues[0], get, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "get");
    check(clEnqueueReadBuffer(queues[0], out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(clEnqueueSVMMap(queues[0], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, pointer, 4096, 0, NULL, NULL) == CL_SUCCESS, "map");
    for (unsigned y = 0; y < 4; y++) for (unsigned x = 0; x < 4; x++) {
        value(color, x, y, 0, seed);
        for (int i = 0; i < 4; i++) check(found[y * 4 + x][i] == color[i] + 1, "texels that a pointer leads to");
        for (int i = 0; i < 4; i++) check(pointer[y * 64 + x * 4 + i] == color[i] + 1, "bytes that are texels");
    }
    pointer[65] = 99;
    check(clEnqueueSVMUnmap(queues[0], pointer, 0, NULL, NULL) == CL_SUCCESS, "unmap");
    check(clEnqueueNDRangeKernel(queues[0], get, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "get");
    check(clEnqueueReadBuffer(queues[0], out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(found[4][1] == 99, "a texel that the host has written");
    clReleaseKernel(put), clReleaseKernel(get), clReleaseKernel(add);
    clReleaseMemObject(image.memory), clReleaseMemObject(buffer), clReleaseMemObject(out);
    clSVMFree(context, pointer);
}

static size_t number(cl_uint name, const cl_image_format *format, const cl_image_desc *description)
{
    size_t found = 0;
    cl_int code = requirements(context, NULL, 0, format, description, name, sizeof found, &found, NULL);
    if (code != CL_SUCCESS) fprintf(stderr, "%#x: %d\n", name, code);
    check(code == CL_SUCCESS, "a requirement");
    return found;
}

static void rules(void)
{
    cl_int code;
    cl_uint pitch, base;
    cl_image_format bytes = {CL_RGBA, CL_UNSIGNED_INT8}, floats = {CL_RGBA, CL_FLOAT}, red = {CL_R, CL_FLOAT}, depth = {CL_DEPTH, CL_FLOAT};
    cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 10, .image_height = 4, .image_row_pitch = 64};
    cl_image_desc solid = {.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 10, .image_height = 4, .image_depth = 3,
                           .image_row_pitch = 48, .image_slice_pitch = 240};
    check(clGetDeviceInfo(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof pitch, &pitch, NULL) == CL_SUCCESS && pitch > 0, "the pitch");
    check(clGetDeviceInfo(device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof base, &base, NULL) == CL_SUCCESS && base > 0, "the base");
    check(number(PITCH, &bytes, &flat) <= pitch * 4 && number(BASE, &floats, NULL) <= base * 16 && number(SLICE, NULL, NULL) <= 16, "alignments");
    check(number(NEEDED, &bytes, &flat) == 256 && number(NEEDED, &bytes, &solid) == 720, "sizes");
    check((cl_uint)number(WIDTH, &bytes, &flat) >= 2048 && (cl_uint)number(HEIGHT, NULL, NULL) >= 2048, "the largest sizes");
    check((cl_uint)number(DEPTH, NULL, &solid) >= 256 && (cl_uint)number(LAYERS, NULL, NULL) >= 256, "the largest numbers");
    cl_uint found;
    check(requirements(context, NULL, 0, &bytes, &flat, DEPTH, 4, &found, NULL) == CL_INVALID_IMAGE_DESCRIPTOR, "the depth of a plane");
    check(requirements(context, NULL, 0, NULL, &flat, NEEDED, 8, NULL, NULL) == CL_INVALID_VALUE, "a size of no format");
    check(requirements(context, NULL, -1, &bytes, &flat, PITCH, 8, NULL, NULL) == CL_INVALID_VALUE, "flags");

    cl_mem small = clCreateBuffer(context, CL_MEM_READ_ONLY, 255, NULL, NULL), exact = clCreateBuffer(context, CL_MEM_READ_ONLY, 256, NULL, NULL);
    flat.mem_object = small;
    clCreateImage(context, CL_MEM_READ_ONLY, &bytes, &flat, NULL, &code);
    check(code == CL_INVALID_IMAGE_SIZE, "a buffer that is too small");
    flat.mem_object = exact;
    flat.image_row_pitch = 62;
    clCreateImage(context, CL_MEM_READ_ONLY, &bytes, &flat, NULL, &code);
    check(code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "a pitch of half a texel");
    flat.image_row_pitch = 64;
    clCreateImage(context, CL_MEM_WRITE_ONLY, &bytes, &flat, NULL, &code);
    check(code == CL_INVALID_VALUE, "more access than the buffer's");
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &bytes, &flat, NULL, &code), of;
    check(code == CL_SUCCESS, "an image");
    size_t size, got;
    check(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS && size == 256, "its size");
    check(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL) == CL_SUCCESS && of == exact, "its buffer");
    check(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof size, &size, &got) == CL_SUCCESS && size == 64, "its pitch");
    clReleaseMemObject(image), clReleaseMemObject(small), clReleaseMemObject(exact);

    /* Depths that are what another image has as red. */
    cl_image_format formats[64];
    cl_uint count, reds = 0, depths = 0;
    check(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 64, formats, &count) == CL_SUCCESS, "formats");
    for (cl_uint i = 0; i < count; i++) {
        reds |= !memcmp(&formats[i], &red, sizeof red);
        depths |= !memcmp(&formats[i], &depth, sizeof depth);
    }
    if (!reds || !depths) return;
    cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL), out = clCreateBuffer(context, 0, 64, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 1, .mem_object = i ? buffer : NULL};
        cl_mem below = clCreateImage(context, 0, &red, &line, NULL, &code);
        check(code == CL_SUCCESS, "an image of red");
        line.mem_object = below;
        cl_mem above = clCreateImage(context, 0, &depth, &line, NULL, &code);
        check(code == CL_SUCCESS, "an image of its depths");
        clCreateImage(context, 0, &floats, &line, NULL, &code);
        check(code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "other channels");
        line.image_width = 15;
        clCreateImage(context, 0, &depth, &line, NULL, &code);
        check(code == CL_INVALID_IMAGE_DESCRIPTOR, "another size");
        check(clGetMemObjectInfo(above, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL) == CL_SUCCESS && of == below, "the image below");
        cl_kernel write = clCreateKernel(program, "red", NULL), measure = clCreateKernel(program, "measure", NULL);
        size_t all = 16;
        float seen[16];
        clSetKernelArg(write, 0, sizeof below, &below);
        clSetKernelArg(measure, 0, sizeof above, &above);
        clSetKernelArg(measure, 1, sizeof out, &out);
        check(clEnqueueNDRangeKernel(queues[0], write, 1, NULL, &all, NULL, 0, NULL, NULL) == CL_SUCCESS, "write red");
        check(clEnqueueNDRangeKernel(queues[0], measure, 1, NULL, &all, NULL, 0, NULL, NULL) == CL_SUCCESS, "read depths");
        check(clEnqueueReadBuffer(queues[0], out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL) == CL_SUCCESS, "read");
        for (int x = 0; x < 16; x++) check(seen[x] == x * 0.25f, "depths");
        size_t zero[3] = {0, 0, 0}, half[3] = {8, 1, 1};
        float seven = 7.5f;
        check(clEnqueueFillImage(queues[0], above, &seven, zero, half, 0, NULL, NULL) == CL_SUCCESS, "fill depths");
        half[0] = 16;
        check(clEnqueueReadImage(queues[0], below, CL_TRUE, zero, half, 0, 0, seen, 0, NULL, NULL) == CL_SUCCESS, "read red");
        check(seen[0] == 7.5f && seen[7] == 7.5f && seen[8] == 2, "red that was filled as depths");
        clReleaseKernel(write), clReleaseKernel(measure);
        clReleaseMemObject(above), clReleaseMemObject(below);
    }
    clReleaseMemObject(buffer), clReleaseMemObject(out);
}

int main(void)
{
    cl_int code;
    char names[8192];
    static _Alignas(4096) unsigned char host[SIZE];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "a device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL) == CL_SUCCESS, "extensions");
    if (!strstr(names, "cl_khr_image2d_from_buffer")) return puts("none"), 0;
    find_layers(platform);
    *(void **)&requirements = find(platform, "clGetImageRequirementsInfoEXT");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    for (int i = 0; i < 2; i++) queues[i] = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    has_3d_writes = strstr(names, "cl_khr_3d_image_writes") != NULL;
    code = clBuildProgram(program, 1, &device, has_3d_writes ? "-cl-std=CL3.0 -DWRITES_3D" : "-cl-std=CL3.0", NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[8192] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
    }
    check(code == CL_SUCCESS, "the program");
    rules();
    at_random(0, NULL);
    at_random(CL_MEM_USE_HOST_PTR, host);
    at_random(CL_MEM_ALLOC_HOST_PTR, NULL);
    by_pointer();
    for (int i = 0; i < 2; i++) check(clFinish(queues[i]) == CL_SUCCESS, "finish");
    puts("passed");
    return 0;
}
