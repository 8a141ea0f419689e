/* Images with levels of detail (cl_khr_mipmap_image, cl_khr_mipmap_image_writes). Texels are what this program says of their place
   and level; the lengths of levels are halved and rounded down, as the extension says. */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <string.h>

enum { MIP_LEVEL = -62, MIP_FILTER = 0x1155, LOD_MIN, LOD_MAX, LEVELS = 4, MOST = 20 * 12 * 6 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static int writes;

static const char *source =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "#define X ((float)get_global_id(0) + 0.5f) / get_global_size(0)\n"
    "#define Y ((float)get_global_id(1) + 0.5f) / get_global_size(1)\n"
    "#define Z ((float)get_global_id(2) + 0.5f) / get_global_size(2)\n"
    "#define OUT out[(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)]\n"
    "kernel void get1(read_only image1d_t i, float lod, global uint4 *out) { OUT = read_imageui(i, nearest, X, lod); }\n"
    "kernel void get1a(read_only image1d_array_t i, float lod, global uint4 *out) { OUT = read_imageui(i, nearest, (float2)(X, get_global_id(1)), lod); }\n"
    "kernel void get2(read_only image2d_t i, float lod, global uint4 *out) { OUT = read_imageui(i, nearest, (float2)(X, Y), lod); }\n"
    "kernel void get2a(read_only image2d_array_t i, float lod, global uint4 *out) { OUT = read_imageui(i, nearest, (float4)(X, Y, get_global_id(2), 0), lod); }\n"
    "kernel void get3(read_only image3d_t i, float lod, global uint4 *out) { OUT = read_imageui(i, nearest, (float4)(X, Y, Z, 0), lod); }\n"
    "kernel void count(read_only image2d_t i, global int *out) { out[0] = get_image_num_mip_levels(i); }\n"
    "kernel void sample(read_only image2d_t i, sampler_t s, global float *out) { out[get_global_id(0)] = read_imagef(i, s, (float2)(0.5f, 0.5f), get_global_id(0) * 0.25f).x; }\n"
    "#ifdef WRITES\n"
    "kernel void put(write_only image2d_t i, int lod) { int2 at = (int2)(get_global_id(0), get_global_id(1)); write_imageui(i, at, lod, (uint4)(at.x, at.y, lod, 200)); }\n"
    "#endif\n";

struct image {
    cl_mem_object_type type;
    const char *get;
    size_t size[3];
    /* How many of the sizes are halved from level to level, and where in an origin the level is. */
    int halved, place;
    cl_mem memory;
};

static void length(const struct image *image, unsigned level, size_t size[3])
{
    for (int d = 0; d < 3; d++) {
        size[d] = d < image->halved ? image->size[d] >> level : image->size[d];
        if (!size[d]) size[d] = 1;
    }
}

#define EACH(size) for (size_t z = 0; z < size[2]; z++) for (size_t y = 0; y < size[1]; y++) for (size_t x = 0; x < size[0]; x++)
#define AT(size) ((z * size[1] + y) * size[0] + x)

static void create(struct image *image, cl_channel_type type, unsigned levels)
{
    cl_int code;
    cl_image_format format = {type == CL_FLOAT ? CL_R : CL_RGBA, type};
    int is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    cl_image_desc description = {.image_type = image->type, .image_width = image->size[0], .image_height = image->size[1],
                                 .image_depth = image->size[2], .image_array_size = is_1d_array ? image->size[1] : image->size[2],
                                 .num_mip_levels = levels};
    image->memory = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &code);
    if (code != CL_SUCCESS) fprintf(stderr, "%s: %d\n", image->get, code);
    check(code == CL_SUCCESS, "an image with levels");
}

static void read(const struct image *image, unsigned level, unsigned char (*to)[4])
{
    size_t origin[4] = {0}, size[3];
    length(image, level, size);
    origin[image->place] = level;
    check(clEnqueueReadImage(queue, image->memory, CL_TRUE, origin, size, 0, 0, to, 0, NULL, NULL) == CL_SUCCESS, "a read");
}

/* Writes every level, and reads all from the host and by a kernel. */
static void contents(const struct image *image)
{
    static unsigned char texels[MOST][4];
    static cl_uint found[MOST][4];
    cl_int code;
    cl_uint levels;
    cl_mem out = clCreateBuffer(context, 0, sizeof found, NULL, &code);
    check(clGetImageInfo(image->memory, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL) == CL_SUCCESS && levels == LEVELS, "the number");
    for (unsigned level = 0; level < LEVELS; level++) {
        size_t origin[4] = {0}, size[3];
        length(image, level, size);
        origin[image->place] = level;
        EACH(size) memcpy(texels[AT(size)], (unsigned char[4]){x, y, z, 10 + level}, 4);
        check(clEnqueueWriteImage(queue, image->memory, CL_TRUE, origin, size, 0, 0, texels, 0, NULL, NULL) == CL_SUCCESS, "a write");
    }
    for (unsigned level = 0; level < LEVELS; level++) {
        size_t size[3];
        float lod = level;
        length(image, level, size);
        memset(texels, 0, sizeof texels);
        read(image, level, texels);
        cl_kernel get = clCreateKernel(program, image->get, &code);
        clSetKernelArg(get, 0, sizeof image->memory, &image->memory);
        clSetKernelArg(get, 1, sizeof lod, &lod);
        clSetKernelArg(get, 2, sizeof out, &out);
        check(clEnqueueNDRangeKernel(queue, get, 3, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "a kernel");
        check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "what it reads");
        clReleaseKernel(get);
        EACH(size) {
            unsigned char expected[4] = {x, y, z, 10 + level};
            check(!memcmp(texels[AT(size)], expected, 4), "the texels of a level");
            for (int i = 0; i < 4; i++) check(found[AT(size)][i] == expected[i], "the texels of a level in a kernel");
        }
    }
    size_t origin[4] = {0}, one[3] = {1, 1, 1};
    origin[image->place] = LEVELS;
    check(clEnqueueReadImage(queue, image->memory, CL_TRUE, origin, one, 0, 0, texels, 0, NULL, NULL) == MIP_LEVEL, "a level that is not there");
    clReleaseMemObject(out);
}

/* Other commands on one level leave the others as they are. */
static void commands(struct image *image)
{
    static unsigned char before[LEVELS][MOST][4], after[MOST][4];
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, 0, sizeof after, NULL, &code);
    for (unsigned level = 0; level < LEVELS; level++) read(image, level, before[level]);
    size_t second[3], third[3], origin[4] = {0}, from[4] = {0}, size[3] = {2, 2, 1}, pitch;
    length(image, 1, second), length(image, 2, third);

    origin[image->place] = 1;
    cl_uint color[4] = {1, 2, 3, 4};
    check(clEnqueueFillImage(queue, image->memory, color, origin, size, 0, NULL, NULL) == CL_SUCCESS, "a fill");
    for (size_t y = 0; y < 2; y++) for (size_t x = 0; x < 2; x++) memcpy(before[1][y * second[0] + x], (unsigned char[4]){1, 2, 3, 4}, 4);

    /* From the second level to the third, one texel further. */
    from[image->place] = 1, origin[image->place] = 2, origin[0] = 1;
    check(clEnqueueCopyImage(queue, image->memory, image->memory, from, origin, size, 0, NULL, NULL) == CL_SUCCESS, "a copy between levels");
    for (size_t y = 0; y < 2; y++) memcpy(before[2][y * third[0] + 1], before[1][y * second[0]], 8);

    origin[0] = 0, origin[image->place] = 1;
    check(clEnqueueCopyImageToBuffer(queue, image->memory, buffer, origin, second, 0, 0, NULL, NULL) == CL_SUCCESS, "to a buffer");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, second[0] * second[1] * 4, after, 0, NULL, NULL) == CL_SUCCESS, "its bytes");
    check(!memcmp(after, before[1], second[0] * second[1] * 4), "a level in a buffer");
    origin[image->place] = 2;
    check(clEnqueueCopyBufferToImage(queue, buffer, image->memory, 0, origin, size, 0, NULL, NULL) == CL_SUCCESS, "from a buffer");
    for (size_t y = 0; y < 2; y++) memcpy(before[2][y * third[0]], after[y * 2], 8);

    origin[image->place] = 3;
    size_t last[3];
    length(image, 3, last);
    unsigned char *mapped = clEnqueueMapImage(queue, image->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, last, &pitch, NULL, 0, NULL, NULL, &code);
    check(code == CL_SUCCESS && mapped, "a map");
    cl_uint count;
    check(clGetMemObjectInfo(image->memory, CL_MEM_MAP_COUNT, sizeof count, &count, NULL) == CL_SUCCESS && count == 1, "mapped once");
    for (size_t y = 0; y < last[1]; y++) check(!memcmp(mapped + y * pitch, before[3][y * last[0]], last[0] * 4), "mapped texels");
    mapped[1] = before[3][0][1] = 77;
    check(clEnqueueUnmapMemObject(queue, image->memory, mapped, 0, NULL, NULL) == CL_SUCCESS, "the end of a mapping");
    if (writes) {
        cl_kernel put = clCreateKernel(program, "put", &code);
        for (cl_int level = 0; level < LEVELS; level += 2) {
            length(image, level, size);
            clSetKernelArg(put, 0, sizeof image->memory, &image->memory);
            clSetKernelArg(put, 1, sizeof level, &level);
            check(clEnqueueNDRangeKernel(queue, put, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "a kernel that writes");
            EACH(size) memcpy(before[level][AT(size)], (unsigned char[4]){x, y, level, 200}, 4);
        }
        clReleaseKernel(put);
    }
    for (unsigned level = 0; level < LEVELS; level++) {
        length(image, level, size);
        read(image, level, after);
        check(!memcmp(after, before[level], size[0] * size[1] * 4), "the levels after all");
    }
    cl_mem out = clCreateBuffer(context, 0, 4, NULL, &code);
    cl_kernel counts = clCreateKernel(program, "count", &code);
    size_t one = 1;
    cl_int found = 0;
    clSetKernelArg(counts, 0, sizeof image->memory, &image->memory);
    clSetKernelArg(counts, 1, sizeof out, &out);
    check(clEnqueueNDRangeKernel(queue, counts, 1, NULL, &one, NULL, 0, NULL, NULL) == CL_SUCCESS, "a kernel that counts");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &found, 0, NULL, NULL) == CL_SUCCESS && found == LEVELS, "the number in a kernel");
    clReleaseKernel(counts), clReleaseMemObject(out), clReleaseMemObject(buffer);
}

/* Level n is n everywhere, so what a sampler reads is the level that it chooses. */
static void samplers(void)
{
    struct image image = {CL_MEM_OBJECT_IMAGE2D, "", {8, 8, 1}, 2, 2, NULL};
    float texels[64], found[16];
    cl_int code;
    create(&image, CL_FLOAT, LEVELS);
    for (unsigned level = 0; level < LEVELS; level++) {
        size_t origin[3] = {0, 0, level}, size[3];
        length(&image, level, size);
        for (int i = 0; i < 64; i++) texels[i] = level;
        check(clEnqueueWriteImage(queue, image.memory, CL_TRUE, origin, size, 0, 0, texels, 0, NULL, NULL) == CL_SUCCESS, "a level");
    }
    cl_mem out = clCreateBuffer(context, 0, sizeof found, NULL, &code);
    cl_kernel sample = clCreateKernel(program, "sample", &code);
    for (int linear = 0; linear < 2; linear++)
        for (int limited = 0; limited < 2; limited++) {
            float least = 0.5f, most = 2.25f, got;
            cl_uint bits[2];
            memcpy(&bits[0], &least, 4), memcpy(&bits[1], &most, 4);
            cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
                                            MIP_FILTER, linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, limited ? LOD_MIN : 0, bits[0],
                                            LOD_MAX, bits[1], 0};
            cl_sampler sampler = clCreateSamplerWithProperties(context, list, &code);
            check(code == CL_SUCCESS, "a sampler");
            check(clGetSamplerInfo(sampler, LOD_MIN, sizeof got, &got, NULL) == CL_SUCCESS && got == (limited ? least : 0), "its least level");
            clSetKernelArg(sample, 0, sizeof image.memory, &image.memory);
            clSetKernelArg(sample, 1, sizeof sampler, &sampler);
            clSetKernelArg(sample, 2, sizeof out, &out);
            size_t count = 13;
            check(clEnqueueNDRangeKernel(queue, sample, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "a kernel that samples");
            check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "its samples");
            for (size_t i = 0; i < count; i++) {
                float level = i * 0.25f;
                if (limited && level < least) level = least;
                if (limited && level > most) level = most;
                /* Half-way between two levels either is the nearest. */
                float distance = found[i] - level;
                int right = linear ? distance > -0.01f && distance < 0.01f : distance >= -0.5f && distance <= 0.5f && found[i] == (int)found[i];
                if (!right) fprintf(stderr, "level of detail %g is %g, not %g\n", i * 0.25, found[i], level);
                check(right, "the level that a sampler reads");
            }
            clReleaseSampler(sampler);
        }
    clReleaseKernel(sample), clReleaseMemObject(out), clReleaseMemObject(image.memory);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    char names[8192];
    struct image images[] = {{CL_MEM_OBJECT_IMAGE2D, "get2", {20, 12, 1}, 2, 2, NULL},
                             {CL_MEM_OBJECT_IMAGE1D, "get1", {21, 1, 1}, 1, 1, NULL},
                             {CL_MEM_OBJECT_IMAGE1D_ARRAY, "get1a", {17, 5, 1}, 1, 2, NULL},
                             {CL_MEM_OBJECT_IMAGE2D_ARRAY, "get2a", {9, 10, 3}, 2, 3, NULL},
                             {CL_MEM_OBJECT_IMAGE3D, "get3", {8, 9, 6}, 3, 3, NULL}};
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "a device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL) == CL_SUCCESS, "extensions");
    if (!strstr(names, "cl_khr_mipmap_image ")) return puts("none"), 0;
    writes = strstr(names, "cl_khr_mipmap_image_writes") != NULL;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    code = clBuildProgram(program, 1, &device, writes ? "-cl-std=CL3.0 -DWRITES" : "-cl-std=CL3.0", NULL, NULL);
    if (code != CL_SUCCESS) {
        char log[8192] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
    }
    check(code == CL_SUCCESS, "the program");
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        create(&images[i], CL_UNSIGNED_INT8, LEVELS);
        contents(&images[i]);
        if (!i) commands(&images[i]);
        clReleaseMemObject(images[i].memory);
    }
    samplers();
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc many = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16, .num_mip_levels = 6};
    clCreateImage(context, 0, &format, &many, NULL, &code);
    check(code == CL_INVALID_IMAGE_DESCRIPTOR, "more levels than sizes");
    many.num_mip_levels = 5;
    static unsigned char host[1024];
    clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &many, host, &code);
    check(code == CL_INVALID_IMAGE_DESCRIPTOR, "levels of the host's memory");
    // The functions of OpenCL 1.1 have no descriptor.
    check(!clCreateImage2D(context, CL_MEM_READ_WRITE, &format, 4, 4, 64, NULL, &code) && code == CL_INVALID_IMAGE_SIZE,
          "a pitch of no data");
    check(!clCreateImage3D(context, CL_MEM_READ_WRITE, &format, 4, 4, 2, 0, 64, NULL, &code)
              && code == CL_INVALID_IMAGE_SIZE,
          "a pitch of slices of no data");
    check(clFinish(queue) == CL_SUCCESS, "finish");
    puts("passed");
    return 0;
}
