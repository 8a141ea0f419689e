/* Objects of OpenGL and images of EGL that memory objects share (cl_khr_gl_sharing, cl_khr_gl_event, cl_khr_egl_image): OpenGL and
   OpenCL write them by turns. Expected values are computed here. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "gl.h"
#include <CL/cl.h>
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>
#include <string.h>

enum { MOST = 1 << 16 };

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static void *gl;
static unsigned char given[MOST], found[MOST];

static cl_mem (*from_image)(cl_context, void *, void *, cl_mem_flags, const intptr_t *, cl_int *);
static cl_int (*acquire_images)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *);
static cl_int (*release_images)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *);
static cl_event (*from_fence)(cl_context, void *, cl_int *);
static cl_int (*context_info)(const cl_context_properties *, cl_gl_context_info, size_t, void *, size_t *);

static void *function(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    check(found != NULL, name);
    return found;
}

/* Values that every format of a type has, other ones for each seed. */
static void fill(unsigned type, int seed, size_t bytes)
{
    check(bytes <= MOST, "room");
    for (size_t i = 0; i < bytes; i++) given[i] = (i * 7 + seed * 31) % 127;
    for (size_t i = 0; type == GL_FLOAT && i < bytes / 4; i++) ((float *)given)[i] = (float)((i + seed) % 64) / 64;
    for (size_t i = 0; type == GL_HALF_FLOAT && i < bytes / 2; i++) ((cl_ushort *)given)[i] = 0x3800 + (i + seed) % 1024;
}

static void acquire(cl_mem object)
{
    cl_event event;
    cl_uint type;
    check(clEnqueueAcquireGLObjects(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS, "acquire");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == CL_COMMAND_ACQUIRE_GL_OBJECTS, "its type");
    clReleaseEvent(event);
}

/* OpenGL sees the contents at once: its context is current in this thread. */
static void release(cl_mem object)
{
    cl_event event;
    cl_int state;
    check(clEnqueueReleaseGLObjects(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS, "release");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS && state == CL_COMPLETE, "a release that waits");
    clReleaseEvent(event);
}

static void object_is(cl_mem object, cl_gl_object_type expected, cl_GLuint name)
{
    cl_gl_object_type type;
    cl_GLuint got;
    check(clGetGLObjectInfo(object, &type, &got) == CL_SUCCESS && type == expected && got == name, "clGetGLObjectInfo");
    check(clGetGLObjectInfo(object, NULL, NULL) == CL_SUCCESS, "nothing is asked");
}

static void buffers(cl_kernel kernel)
{
    enum { COUNT = 1000 };
    static cl_uint values[COUNT], got[COUNT];
    unsigned name, none;
    cl_int code;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    for (cl_uint i = 0; i < COUNT; i++) values[i] = i;
    check(clCreateFromGLBuffer(context, 0, name, &code) == NULL && code == CL_INVALID_GL_OBJECT, "a buffer without bytes");
    glBufferData(GL_ARRAY_BUFFER, sizeof values, values, GL_STATIC_DRAW);
    cl_mem object = clCreateFromGLBuffer(context, CL_MEM_READ_WRITE, name, &code);
    check(object && code == CL_SUCCESS, "clCreateFromGLBuffer");
    size_t size, count = COUNT;
    check(clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS && size == sizeof values, "its size");
    object_is(object, CL_GL_OBJECT_BUFFER, name);
    check(clGetGLTextureInfo(object, CL_GL_TEXTURE_TARGET, sizeof size, &size, NULL) == CL_INVALID_GL_OBJECT, "a buffer is no texture");
    for (cl_uint turn = 1; turn < 3; turn++) {
        acquire(object);
        check(clSetKernelArg(kernel, 0, sizeof object, &object) == CL_SUCCESS, "argument");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "kernel");
        release(object);
        glBindBuffer(GL_ARRAY_BUFFER, name);
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof got, got);
        for (cl_uint i = 0; i < COUNT; i++) check(got[i] == 2 * (i + turn - 1), "what the kernel has written");
        for (cl_uint i = 0; i < COUNT; i++) values[i] = i + turn;
        glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof values, values);
    }
    acquire(object);
    check(clEnqueueReadBuffer(queue, object, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(memcmp(got, values, sizeof got) == 0, "what OpenGL has written");
    release(object);
    /* A release that waits for the host does not wait in its call; and the queue goes on when it may. */
    cl_event gate = clCreateUserEvent(context, &code), event;
    check(clEnqueueReleaseGLObjects(queue, 1, &object, 1, &gate, &event) == CL_SUCCESS, "a release that waits for the host");
    cl_int state;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS && state > CL_COMPLETE, "it waits");
    check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "its end");
    clReleaseEvent(gate);
    clReleaseEvent(event);
    /* The buffer is gone, which the command reports. */
    glDeleteBuffers(1, &name);
    check(clEnqueueAcquireGLObjects(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS, "acquire");
    check(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a buffer that is gone");
    clReleaseEvent(event);
    clReleaseMemObject(object);
    glGenBuffers(1, &none);
    check(clCreateFromGLBuffer(context, 0, none + 100, &code) == NULL && code == CL_INVALID_GL_OBJECT, "no buffer");
    check(clCreateFromGLBuffer(context, 0, 0, &code) == NULL && code == CL_INVALID_GL_OBJECT, "the buffer 0");
    glDeleteBuffers(1, &none);
}

struct format {
    unsigned internal, format, type;
    cl_uint order, channel;
    size_t bytes;
};

static const struct format formats[] = {
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, CL_RGBA, CL_UNORM_INT8, 4},
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, CL_RGBA, CL_UNORM_INT8, 4},
    {0x8C43, GL_RGBA, GL_UNSIGNED_BYTE, CL_sRGBA, CL_UNORM_INT8, 4},
    {0x8D8E, GL_RGBA_INTEGER, GL_BYTE, CL_RGBA, CL_SIGNED_INT8, 4},
    {0x8D88, GL_RGBA_INTEGER, GL_SHORT, CL_RGBA, CL_SIGNED_INT16, 8},
    {0x8D82, GL_RGBA_INTEGER, GL_INT, CL_RGBA, CL_SIGNED_INT32, 16},
    {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, CL_RGBA, CL_UNSIGNED_INT8, 4},
    {0x8D76, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, CL_RGBA, CL_UNSIGNED_INT16, 8},
    {0x8D70, GL_RGBA_INTEGER, GL_UNSIGNED_INT, CL_RGBA, CL_UNSIGNED_INT32, 16},
    {0x8F97, GL_RGBA, GL_BYTE, CL_RGBA, CL_SNORM_INT8, 4},
    {0x805B, GL_RGBA, GL_UNSIGNED_SHORT, CL_RGBA, CL_UNORM_INT16, 8},
    {0x8F9B, GL_RGBA, GL_SHORT, CL_RGBA, CL_SNORM_INT16, 8},
    {0x881A, GL_RGBA, GL_HALF_FLOAT, CL_RGBA, CL_HALF_FLOAT, 8},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, CL_RGBA, CL_FLOAT, 16},
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, CL_R, CL_UNORM_INT8, 1},
    {0x8F94, GL_RED, GL_BYTE, CL_R, CL_SNORM_INT8, 1},
    {0x822A, GL_RED, GL_UNSIGNED_SHORT, CL_R, CL_UNORM_INT16, 2},
    {0x8F98, GL_RED, GL_SHORT, CL_R, CL_SNORM_INT16, 2},
    {0x822D, GL_RED, GL_HALF_FLOAT, CL_R, CL_HALF_FLOAT, 2},
    {GL_R32F, GL_RED, GL_FLOAT, CL_R, CL_FLOAT, 4},
    {0x8231, GL_RED_INTEGER, GL_BYTE, CL_R, CL_SIGNED_INT8, 1},
    {0x8233, GL_RED_INTEGER, GL_SHORT, CL_R, CL_SIGNED_INT16, 2},
    {0x8235, GL_RED_INTEGER, GL_INT, CL_R, CL_SIGNED_INT32, 4},
    {0x8232, GL_RED_INTEGER, GL_UNSIGNED_BYTE, CL_R, CL_UNSIGNED_INT8, 1},
    {0x8234, GL_RED_INTEGER, GL_UNSIGNED_SHORT, CL_R, CL_UNSIGNED_INT16, 2},
    {0x8236, GL_RED_INTEGER, GL_UNSIGNED_INT, CL_R, CL_UNSIGNED_INT32, 4},
    {0x822B, GL_RG, GL_UNSIGNED_BYTE, CL_RG, CL_UNORM_INT8, 2},
    {0x8F95, GL_RG, GL_BYTE, CL_RG, CL_SNORM_INT8, 2},
    {0x822C, GL_RG, GL_UNSIGNED_SHORT, CL_RG, CL_UNORM_INT16, 4},
    {0x8F99, GL_RG, GL_SHORT, CL_RG, CL_SNORM_INT16, 4},
    {0x822F, GL_RG, GL_HALF_FLOAT, CL_RG, CL_HALF_FLOAT, 4},
    {0x8230, GL_RG, GL_FLOAT, CL_RG, CL_FLOAT, 8},
    {0x8237, GL_RG_INTEGER, GL_BYTE, CL_RG, CL_SIGNED_INT8, 2},
    {0x8239, GL_RG_INTEGER, GL_SHORT, CL_RG, CL_SIGNED_INT16, 4},
    {0x823B, GL_RG_INTEGER, GL_INT, CL_RG, CL_SIGNED_INT32, 8},
    {0x8238, GL_RG_INTEGER, GL_UNSIGNED_BYTE, CL_RG, CL_UNSIGNED_INT8, 2},
    {0x823A, GL_RG_INTEGER, GL_UNSIGNED_SHORT, CL_RG, CL_UNSIGNED_INT16, 4},
    {0x823C, GL_RG_INTEGER, GL_UNSIGNED_INT, CL_RG, CL_UNSIGNED_INT32, 8},
    {0x8CAC, GL_DEPTH_COMPONENT, GL_FLOAT, CL_DEPTH, CL_FLOAT, 4},
    {0x81A5, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, CL_DEPTH, CL_UNORM_INT16, 2},
};

static void format_is(cl_mem object, const struct format *format)
{
    cl_image_format got;
    check(clGetImageInfo(object, CL_IMAGE_FORMAT, sizeof got, &got, NULL) == CL_SUCCESS, "format");
    check(got.image_channel_order == format->order && got.image_channel_data_type == format->channel, "the format of an image");
}

/* The image has what OpenGL has, `given`; and what OpenCL writes is there after the release, which the caller checks. */
static void exchange(cl_mem object, const struct format *format, const size_t region[3])
{
    size_t none[3] = {0}, bytes = format->bytes * region[0] * region[1] * region[2];
    acquire(object);
    memset(found, 0xA5, sizeof found);
    check(clEnqueueReadImage(queue, object, CL_TRUE, none, region, 0, 0, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    if (memcmp(found, given, bytes) != 0) fprintf(stderr, "format %#x, %zu x %zu x %zu\n", format->internal, region[0], region[1], region[2]);
    check(memcmp(found, given, bytes) == 0, "what OpenGL has written");
    fill(format->type, 2, bytes);
    check(clEnqueueWriteImage(queue, object, CL_TRUE, none, region, 0, 0, given, 0, NULL, NULL) == CL_SUCCESS, "write");
    release(object);
    memset(found, 0xA5, sizeof found);
}

static void all_formats(void)
{
    enum { WIDTH = 13, HEIGHT = 7 };
    size_t region[3] = {WIDTH, HEIGHT, 1};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const struct format *format = &formats[i];
        unsigned name;
        cl_int code;
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        fill(format->type, 1, WIDTH * HEIGHT * format->bytes);
        glTexImage2D(GL_TEXTURE_2D, 0, format->internal, WIDTH, HEIGHT, 0, format->format, format->type, given);
        check(glGetError() == 0, "a texture of OpenGL");
        cl_mem object = clCreateFromGLTexture(context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
        if (code == CL_IMAGE_FORMAT_NOT_SUPPORTED) {
            fprintf(stderr, "no images of %#x\n", format->internal);
            glDeleteTextures(1, &name);
            continue;
        }
        check(object && code == CL_SUCCESS, "clCreateFromGLTexture");
        format_is(object, format);
        exchange(object, format, region);
        glBindTexture(GL_TEXTURE_2D, name);
        glGetTexImage(GL_TEXTURE_2D, 0, format->format, format->type, found);
        check(memcmp(found, given, WIDTH * HEIGHT * format->bytes) == 0, "what OpenCL has written");
        clReleaseMemObject(object);
        glDeleteTextures(1, &name);
    }
}

static const struct format *const plain = &formats[0];

static void define(unsigned target, int level, const int size[3])
{
    if (target == GL_TEXTURE_1D) glTexImage1D(target, level, GL_RGBA8, size[0], 0, GL_RGBA, GL_UNSIGNED_BYTE, given);
    else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY) glTexImage3D(target, level, GL_RGBA8, size[0], size[1], size[2], 0, GL_RGBA, GL_UNSIGNED_BYTE, given);
    else glTexImage2D(target, level, GL_RGBA8, size[0], size[1], 0, GL_RGBA, GL_UNSIGNED_BYTE, given);
    check(glGetError() == 0, "a level of a texture");
}

static void shapes(void)
{
    static const struct { unsigned target, binding; int size[3]; cl_gl_object_type object; cl_mem_object_type type; } all[] = {
        {GL_TEXTURE_1D, GL_TEXTURE_1D, {32, 1, 1}, CL_GL_OBJECT_TEXTURE1D, CL_MEM_OBJECT_IMAGE1D},
        {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_1D_ARRAY, {32, 5, 1}, CL_GL_OBJECT_TEXTURE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY},
        {GL_TEXTURE_2D, GL_TEXTURE_2D, {32, 16, 1}, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
        {GL_TEXTURE_RECTANGLE, GL_TEXTURE_RECTANGLE, {32, 16, 1}, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
        {GL_POSITIVE_X, GL_TEXTURE_CUBE_MAP, {16, 16, 1}, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
        {GL_NEGATIVE_Z, GL_TEXTURE_CUBE_MAP, {16, 16, 1}, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D},
        {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_ARRAY, {32, 16, 5}, CL_GL_OBJECT_TEXTURE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY},
        {GL_TEXTURE_3D, GL_TEXTURE_3D, {32, 16, 8}, CL_GL_OBJECT_TEXTURE3D, CL_MEM_OBJECT_IMAGE3D},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned name, target = all[i].target;
        int levels = target == GL_TEXTURE_RECTANGLE ? 1 : 2, is_face = all[i].binding == GL_TEXTURE_CUBE_MAP;
        cl_int code;
        glGenTextures(1, &name);
        glBindTexture(all[i].binding, name);
        for (int level = 0; level < levels; level++) {
            int size[3];
            for (int d = 0; d < 3; d++) size[d] = all[i].size[d] >> level;
            if (target == GL_TEXTURE_1D) size[1] = size[2] = 1;
            if (target == GL_TEXTURE_1D_ARRAY) size[1] = all[i].size[1];
            if (target != GL_TEXTURE_3D) size[2] = all[i].size[2];
            fill(GL_UNSIGNED_BYTE, 40, 4 * size[0] * size[1] * size[2]);
            for (unsigned face = GL_POSITIVE_X; is_face && face <= GL_NEGATIVE_Z; face++) define(face, level, size);
            fill(GL_UNSIGNED_BYTE, 1, 4 * size[0] * size[1] * size[2]);
            define(target, level, size);
            glFinish();
            cl_mem object = clCreateFromGLTexture(context, level ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE, target, level, name, &code);
            check(object && code == CL_SUCCESS, "clCreateFromGLTexture");
            cl_mem_object_type type;
            cl_GLenum of;
            cl_GLint at;
            check(clGetMemObjectInfo(object, CL_MEM_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == all[i].type, "the type of an image");
            object_is(object, all[i].object, name);
            check(clGetGLTextureInfo(object, CL_GL_TEXTURE_TARGET, sizeof of, &of, NULL) == CL_SUCCESS && of == target, "the kind of a texture");
            check(clGetGLTextureInfo(object, CL_GL_MIPMAP_LEVEL, sizeof at, &at, NULL) == CL_SUCCESS && at == level, "the level of a texture");
            size_t region[3] = {size[0], size[1], size[2]}, bytes = plain->bytes * size[0] * size[1] * size[2];
            exchange(object, plain, region);
            glBindTexture(all[i].binding, name);
            glGetTexImage(target, level, GL_RGBA, GL_UNSIGNED_BYTE, found);
            check(glGetError() == 0 && memcmp(found, given, bytes) == 0, "what OpenCL has written");
            /* The other faces are as before. */
            fill(GL_UNSIGNED_BYTE, 40, bytes);
            if (is_face) glGetTexImage(GL_POSITIVE_X + 2, level, GL_RGBA, GL_UNSIGNED_BYTE, found);
            check(!is_face || memcmp(found, given, bytes) == 0, "another face");
            clReleaseMemObject(object);
        }
        check(clCreateFromGLTexture(context, 0, target, 20, name, &code) == NULL && code == CL_INVALID_MIP_LEVEL, "a level that is not there");
        unsigned other = target == GL_TEXTURE_3D ? GL_TEXTURE_2D : GL_TEXTURE_3D;
        check(clCreateFromGLTexture(context, 0, other, 0, name, &code) == NULL && code == CL_INVALID_GL_OBJECT, "another kind of textures");
        /* The functions of OpenCL 1.0. */
        cl_mem flat = clCreateFromGLTexture2D(context, 0, target, 0, name, &code);
        check((flat != NULL) == (all[i].type == CL_MEM_OBJECT_IMAGE2D) && code == (flat ? CL_SUCCESS : CL_INVALID_VALUE), "clCreateFromGLTexture2D");
        cl_mem deep = clCreateFromGLTexture3D(context, 0, target, 0, name, &code);
        check((deep != NULL) == (target == GL_TEXTURE_3D) && code == (deep ? CL_SUCCESS : CL_INVALID_VALUE), "clCreateFromGLTexture3D");
        if (flat) clReleaseMemObject(flat);
        if (deep) clReleaseMemObject(deep);
        glDeleteTextures(1, &name);
    }
}

/* All levels of a texture as one image (cl_khr_mipmap_image). */
static void levels(void)
{
    unsigned name;
    cl_int code;
    cl_uint count;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    for (int level = 0; level < 4; level++) {
        fill(GL_UNSIGNED_BYTE, level, 4 * (8 >> level) * (8 >> level));
        define(GL_TEXTURE_2D, level, (int[]){8 >> level, 8 >> level, 1});
    }
    cl_mem object = clCreateFromGLTexture(context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, -1, name, &code);
    check(object && code == CL_SUCCESS, "an image with levels of detail");
    check(clGetImageInfo(object, CL_IMAGE_NUM_MIP_LEVELS, sizeof count, &count, NULL) == CL_SUCCESS && count == 4, "their number");
    acquire(object);
    for (size_t level = 0; level < 4; level++) {
        size_t origin[3] = {0, 0, level}, region[3] = {8 >> level, 8 >> level, 1};
        check(clEnqueueReadImage(queue, object, CL_TRUE, origin, region, 0, 0, found, 0, NULL, NULL) == CL_SUCCESS, "read");
        fill(GL_UNSIGNED_BYTE, level, 4 * region[0] * region[1]);
        check(memcmp(found, given, 4 * region[0] * region[1]) == 0, "a level that OpenGL has written");
        fill(GL_UNSIGNED_BYTE, 10 + level, 4 * region[0] * region[1]);
        check(clEnqueueWriteImage(queue, object, CL_TRUE, origin, region, 0, 0, given, 0, NULL, NULL) == CL_SUCCESS, "write");
    }
    release(object);
    glBindTexture(GL_TEXTURE_2D, name);
    for (int level = 0; level < 4; level++) {
        size_t bytes = 4 * (8 >> level) * (8 >> level);
        fill(GL_UNSIGNED_BYTE, 10 + level, bytes);
        glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, found);
        check(memcmp(found, given, bytes) == 0, "a level that OpenCL has written");
    }
    clReleaseMemObject(object);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    glFinish();
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_MIP_LEVEL, "a level before the first");
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_2D, 3, name, &code) == NULL && code == CL_INVALID_MIP_LEVEL, "a level behind the last");
    glDeleteTextures(1, &name);
}

static void texture_buffers(void)
{
    enum { TEXELS = 100 };
    unsigned name, buffer;
    cl_int code;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    fill(GL_UNSIGNED_BYTE, 1, 4 * TEXELS);
    glBufferData(GL_TEXTURE_BUFFER, 4 * TEXELS, given, GL_STATIC_DRAW);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_BUFFER, name);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
    cl_mem object = clCreateFromGLTexture(context, CL_MEM_READ_WRITE, GL_TEXTURE_BUFFER, 0, name, &code);
    check(object && code == CL_SUCCESS, "an image of a texture of a buffer");
    object_is(object, CL_GL_OBJECT_TEXTURE_BUFFER, name);
    cl_mem of;
    check(clGetImageInfo(object, CL_IMAGE_BUFFER, sizeof of, &of, NULL) == CL_SUCCESS && !of, "no buffer that the program knows");
    check(clGetMemObjectInfo(object, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL) == CL_SUCCESS && !of, "no object that the program knows");
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_BUFFER, 1, name, &code) == NULL && code == CL_INVALID_MIP_LEVEL, "a level of a buffer");
    exchange(object, plain, (size_t[]){TEXELS, 1, 1});
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glGetBufferSubData(GL_TEXTURE_BUFFER, 0, 4 * TEXELS, found);
    check(memcmp(found, given, 4 * TEXELS) == 0, "what OpenCL has written");
    clReleaseMemObject(object);
    glDeleteTextures(1, &name);
    glDeleteBuffers(1, &buffer);
}

static void kernels_use_textures(cl_kernel kernel)
{
    enum { WIDTH = 31, HEIGHT = 17, BYTES = 4 * WIDTH * HEIGHT };
    unsigned names[2];
    cl_mem objects[2];
    cl_int code;
    glGenTextures(2, names);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, names[i]);
        fill(GL_UNSIGNED_BYTE, 1, BYTES);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, WIDTH, HEIGHT, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, i ? NULL : given);
        objects[i] = clCreateFromGLTexture(context, i ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY, GL_TEXTURE_2D, 0, names[i], &code);
        check(objects[i] && code == CL_SUCCESS, "clCreateFromGLTexture");
        check(clSetKernelArg(kernel, i, sizeof objects[i], &objects[i]) == CL_SUCCESS, "argument");
    }
    size_t size[2] = {WIDTH, HEIGHT};
    check(clEnqueueAcquireGLObjects(queue, 2, objects, 0, NULL, NULL) == CL_SUCCESS, "acquire");
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "kernel");
    check(clEnqueueReleaseGLObjects(queue, 2, objects, 0, NULL, NULL) == CL_SUCCESS, "release");
    glBindTexture(GL_TEXTURE_2D, names[1]);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, found);
    for (int i = 0; i < BYTES; i++) check(found[i] == 2 * given[i], "what the kernel has written");
    for (int i = 0; i < 2; i++) clReleaseMemObject(objects[i]);
    glDeleteTextures(2, names);
}

static void renderbuffers(void)
{
    enum { WIDTH = 19, HEIGHT = 6 };
    static const int all[] = {0, 6, 8, 13, 14, 19, 26, 2};
    unsigned name, frame;
    cl_int code;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct format *format = &formats[all[i]];
        size_t bytes = format->bytes * WIDTH * HEIGHT;
        glGenRenderbuffers(1, &name);
        glBindRenderbuffer(GL_RENDERBUFFER, name);
        check(clCreateFromGLRenderbuffer(context, 0, name, &code) == NULL && code == CL_INVALID_GL_OBJECT, "a renderbuffer without texels");
        glRenderbufferStorage(GL_RENDERBUFFER, format->internal, WIDTH, HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
        cl_mem object = clCreateFromGLRenderbuffer(context, CL_MEM_READ_WRITE, name, &code);
        check(object && code == CL_SUCCESS, "clCreateFromGLRenderbuffer");
        format_is(object, format);
        object_is(object, CL_GL_OBJECT_RENDERBUFFER, name);
        size_t none[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
        /* OpenCL writes at first; OpenGL reads, and clears what is no integer. */
        fill(format->type, 1, bytes);
        acquire(object);
        check(clEnqueueWriteImage(queue, object, CL_TRUE, none, region, 0, 0, given, 0, NULL, NULL) == CL_SUCCESS, "write");
        release(object);
        glReadPixels(0, 0, WIDTH, HEIGHT, format->format, format->type, found);
        check(glGetError() == 0 && memcmp(found, given, bytes) == 0, "what OpenCL has written");
        if (format->format == GL_RGBA || format->format == GL_RED) {
            glClearBufferfv(GL_COLOR, 0, (float[]){1, 0, 1, 0});
            glReadPixels(0, 0, WIDTH, HEIGHT, format->format, format->type, given);
        }
        exchange(object, format, region);
        glReadPixels(0, 0, WIDTH, HEIGHT, format->format, format->type, found);
        check(memcmp(found, given, bytes) == 0, "what OpenCL has written");
        clReleaseMemObject(object);
        glDeleteRenderbuffers(1, &name);
    }
    glDeleteFramebuffers(1, &frame);
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 8, 8);
    check(clCreateFromGLRenderbuffer(context, 0, name, &code) == NULL && code == CL_INVALID_OPERATION, "several samples");
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, 8, 8);
    check(clCreateFromGLRenderbuffer(context, 0, name, &code) == NULL && code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "a format that images lack");
    check(clCreateFromGLRenderbuffer(context, CL_MEM_USE_HOST_PTR, name, &code) == NULL && code == CL_INVALID_VALUE, "flags of host pointers");
    check(clCreateFromGLRenderbuffer(context, 0, name + 100, &code) == NULL && code == CL_INVALID_GL_OBJECT, "no renderbuffer");
    glDeleteRenderbuffers(1, &name);
}

static void fences(void)
{
    cl_int code, state = 1;
    cl_uint type;
    cl_command_queue of;
    void *fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    check(fence != NULL, "a fence of OpenGL");
    glFlush();
    cl_event event = from_fence(context, fence, &code);
    check(event && code == CL_SUCCESS, "clCreateEventFromGLsyncKHR");
    glDeleteSync(fence);
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR, "its type");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL) == CL_SUCCESS && of == NULL, "its queue");
    check(clSetUserEventStatus(event, CL_COMPLETE) == CL_INVALID_EVENT, "no user event");
    check(clEnqueueMarkerWithWaitList(queue, 1, &event, NULL) == CL_INVALID_EVENT, "a marker after a fence");
    unsigned name;
    cl_mem object;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, 4, "abc", GL_STATIC_DRAW);
    object = clCreateFromGLBuffer(context, 0, name, &code);
    check(object && clEnqueueAcquireGLObjects(queue, 1, &object, 1, &event, NULL) == CL_SUCCESS, "an acquisition after a fence");
    check(clEnqueueReleaseGLObjects(queue, 1, &object, 1, &event, NULL) == CL_INVALID_EVENT, "a release after a fence");
    check(clEnqueueReadBuffer(queue, object, CL_TRUE, 0, 4, found, 0, NULL, NULL) == CL_SUCCESS && strcmp((char *)found, "abc") == 0, "read");
    check(clWaitForEvents(1, &event) == CL_SUCCESS, "wait");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS && state == CL_COMPLETE, "its state");
    clReleaseEvent(event);
    clReleaseMemObject(object);
    glDeleteBuffers(1, &name);
    check(from_fence(context, found, &code) == NULL && code == CL_INVALID_GL_OBJECT, "no fence");
    check(from_fence(context, NULL, &code) == NULL && code == CL_INVALID_GL_OBJECT, "a fence that is null");
}

/* `by` is a context of OpenCL that may have been made without one of OpenGL. */
static void egl_images(cl_context by, cl_command_queue queue)
{
    enum { WIDTH = 24, HEIGHT = 10, BYTES = 4 * WIDTH * HEIGHT, TEXTURE_2D = 0x30B1, IMMUTABLE = 1 << 6 };
    unsigned name;
    cl_int code;
    size_t none[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    fill(GL_UNSIGNED_BYTE, 1, BYTES);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, given);
    glFinish();
    void *image = eglCreateImageKHR(display, gl, TEXTURE_2D, (void *)(uintptr_t)name, NULL);
    check(image != NULL, "an image of EGL");
    cl_mem object = from_image(by, display, image, CL_MEM_READ_WRITE, NULL, &code);
    check(object && code == CL_SUCCESS, "clCreateFromEGLImageKHR");
    format_is(object, plain);
    cl_event event;
    cl_uint type;
    check(acquire_images(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS, "acquire");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR, "its type");
    clReleaseEvent(event);
    check(clEnqueueReadImage(queue, object, CL_TRUE, none, region, 0, 0, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    check(memcmp(found, given, BYTES) == 0, "what OpenGL has written");
    fill(GL_UNSIGNED_BYTE, 2, BYTES);
    check(clEnqueueWriteImage(queue, object, CL_TRUE, none, region, 0, 0, given, 0, NULL, NULL) == CL_SUCCESS, "write");
    check(release_images(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS && clWaitForEvents(1, &event) == CL_SUCCESS, "release");
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == CL_COMMAND_RELEASE_EGL_OBJECTS_KHR, "its type");
    clReleaseEvent(event);
    glBindTexture(GL_TEXTURE_2D, name);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, found);
    check(memcmp(found, given, BYTES) == 0, "what OpenCL has written");
    check(clGetGLObjectInfo(object, NULL, NULL) == CL_INVALID_GL_OBJECT, "an image of EGL is no object of OpenGL");
    code = clEnqueueAcquireGLObjects(queue, 1, &object, 0, NULL, NULL);
    check(code == (by == context ? CL_INVALID_GL_OBJECT : CL_INVALID_CONTEXT), "acquisition as an object of OpenGL");
    clReleaseMemObject(object);
    const intptr_t some[] = {7, 8, 0}, end[] = {0};
    object = from_image(by, display, image, IMMUTABLE, end, &code);
    check(object && code == CL_SUCCESS && release_images(queue, 1, &object, 0, NULL, NULL) == CL_SUCCESS, "an image that nothing writes");
    clReleaseMemObject(object);
    check(from_image(by, display, image, CL_MEM_COPY_HOST_PTR, NULL, &code) == NULL && code == CL_INVALID_VALUE, "flags of host pointers");
    check(from_image(by, display, image, 0, some, &code) == NULL && code == CL_INVALID_VALUE, "properties");
    check(from_image(by, found, image, 0, NULL, &code) == NULL && code == CL_INVALID_VALUE, "no display");
    check(from_image(by, display, NULL, 0, NULL, &code) == NULL && code == CL_INVALID_EGL_OBJECT_KHR, "the image null");
    check(eglDestroyImageKHR(display, image), "the end of the image");
    glDeleteTextures(1, &name);
}

static void mistakes(void)
{
    unsigned name, other;
    cl_int code;
    glGenTextures(1, &name);
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_GL_OBJECT, "a texture that was not bound");
    glBindTexture(GL_TEXTURE_2D, name);
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_GL_OBJECT, "a texture without texels");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 8, 8, 0, GL_RGB, GL_UNSIGNED_BYTE, NULL);
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "a format that images lack");
    check(clCreateFromGLTexture(context, 0, GL_TEXTURE_CUBE_MAP, 0, name, &code) == NULL && code == CL_INVALID_VALUE, "a cube without a face");
    check(clCreateFromGLTexture(context, 0, 7, 0, name, &code) == NULL && code == CL_INVALID_VALUE, "no kind of textures");
    check(clCreateFromGLTexture(context, CL_MEM_COPY_HOST_PTR, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_VALUE, "flags of host pointers");
    check(clCreateFromGLTexture(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_VALUE, "flags that exclude each other");
    check(clCreateFromGLTexture(NULL, 0, GL_TEXTURE_2D, 0, name, &code) == NULL && code == CL_INVALID_CONTEXT, "no context");
    glGenTextures(1, &other);
    glBindTexture(GL_TEXTURE_CUBE_MAP, other);
    define(GL_POSITIVE_X, 0, (int[]){8, 8, 1});
    check(clCreateFromGLTexture(context, 0, GL_POSITIVE_X, 0, other, &code) == NULL && code == CL_INVALID_GL_OBJECT, "a cube without faces");
    glDeleteTextures(1, &other);
    glDeleteTextures(1, &name);
    /* A memory object of OpenCL alone. */
    cl_mem plain_buffer = clCreateBuffer(context, 0, 64, NULL, &code);
    check(clEnqueueAcquireGLObjects(queue, 1, &plain_buffer, 0, NULL, NULL) == CL_INVALID_GL_OBJECT, "acquisition of another object");
    check(clEnqueueReleaseGLObjects(queue, 1, &plain_buffer, 0, NULL, NULL) == CL_INVALID_GL_OBJECT, "release of another object");
    check(acquire_images(queue, 1, &plain_buffer, 0, NULL, NULL) == CL_INVALID_EGL_OBJECT_KHR, "acquisition of another object");
    check(clGetGLObjectInfo(plain_buffer, NULL, NULL) == CL_INVALID_GL_OBJECT, "query of another object");
    check(clGetGLObjectInfo(NULL, NULL, NULL) == CL_INVALID_MEM_OBJECT, "query of no object");
    clReleaseMemObject(plain_buffer);
    check(clEnqueueAcquireGLObjects(queue, 0, NULL, 0, NULL, NULL) == CL_SUCCESS, "nothing to acquire");
    check(clEnqueueAcquireGLObjects(queue, 1, NULL, 0, NULL, NULL) == CL_INVALID_VALUE, "a number without objects");
    check(clEnqueueAcquireGLObjects(NULL, 0, NULL, 0, NULL, NULL) == CL_INVALID_COMMAND_QUEUE, "no queue");
}

#define PROPERTIES(...) (const cl_context_properties[]){CL_CONTEXT_PLATFORM, (cl_context_properties)platform, __VA_ARGS__, 0}

static void refused(const cl_context_properties *properties, cl_int expected)
{
    cl_int code;
    check(clCreateContext(properties, 1, &device, NULL, NULL, &code) == NULL && code == expected, "a context that is refused");
}

static void contexts(void)
{
    enum { X = 0x200A, W = 0x200B, GROUP = 0x200C };
    cl_context_properties of_gl = (cl_context_properties)gl, on = (cl_context_properties)display;
    refused(PROPERTIES(CL_GL_CONTEXT_KHR, of_gl), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
    refused(PROPERTIES(CL_GL_CONTEXT_KHR, (cl_context_properties)found, CL_EGL_DISPLAY_KHR, on), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
    refused(PROPERTIES(CL_GL_CONTEXT_KHR, of_gl, CL_EGL_DISPLAY_KHR, (cl_context_properties)found), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
    refused(PROPERTIES(CL_GL_CONTEXT_KHR, of_gl, CL_EGL_DISPLAY_KHR, on, X, 8), CL_INVALID_OPERATION);
    refused(PROPERTIES(CL_GL_CONTEXT_KHR, of_gl, W, 8), CL_INVALID_OPERATION);
    refused(PROPERTIES(GROUP, 8), CL_INVALID_OPERATION);
    refused(PROPERTIES(CL_GL_CONTEXT_KHR, of_gl, CL_EGL_DISPLAY_KHR, on, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE), CL_INVALID_PROPERTY);
    const cl_context_properties *good = PROPERTIES(CL_GL_CONTEXT_KHR, of_gl, CL_EGL_DISPLAY_KHR, on);
    cl_device_id one, several[8];
    size_t size;
    check(context_info(good, CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, sizeof one, &one, &size) == CL_SUCCESS && size == sizeof one && one, "the device of OpenGL");
    check(context_info(good, CL_DEVICES_FOR_GL_CONTEXT_KHR, sizeof several, several, &size) == CL_SUCCESS && size >= sizeof one && several[0] == one, "the devices");
    check(context_info(good, CL_DEVICES_FOR_GL_CONTEXT_KHR, 1, several, NULL) == CL_INVALID_VALUE, "no room");
    check(context_info(good, 7, sizeof several, several, NULL) == CL_INVALID_VALUE, "nothing known");
    check(context_info(PROPERTIES(CL_GL_CONTEXT_KHR, 0), CL_DEVICES_FOR_GL_CONTEXT_KHR, 0, NULL, NULL) == CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "no context of OpenGL");
    check(context_info(PROPERTIES(0x7777, 1), CL_DEVICES_FOR_GL_CONTEXT_KHR, 0, NULL, NULL) == CL_INVALID_VALUE, "an unknown property");
    cl_int code;
    cl_context without = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue its = clCreateCommandQueueWithProperties(without, device, NULL, &code);
    check(clCreateFromGLBuffer(without, 0, 1, &code) == NULL && code == CL_INVALID_CONTEXT, "a buffer without OpenGL");
    check(clEnqueueAcquireGLObjects(its, 0, NULL, 0, NULL, NULL) == CL_INVALID_CONTEXT, "a queue without OpenGL");
    check(from_fence(without, gl, &code) == NULL && code == CL_INVALID_CONTEXT, "a fence without OpenGL");
    egl_images(without, its);
    clReleaseCommandQueue(its);
    clReleaseContext(without);
}

static void find_functions(void)
{
    static char extensions[8192];
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "the extensions");
    check(strstr(extensions, "cl_khr_gl_sharing") && strstr(extensions, "cl_khr_gl_event") && strstr(extensions, "cl_khr_egl_image"), "the extensions");
    from_image = (cl_mem (*)(cl_context, void *, void *, cl_mem_flags, const intptr_t *, cl_int *))function("clCreateFromEGLImageKHR");
    acquire_images = (cl_int (*)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *))function("clEnqueueAcquireEGLObjectsKHR");
    release_images = (cl_int (*)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *))function("clEnqueueReleaseEGLObjectsKHR");
    from_fence = (cl_event (*)(cl_context, void *, cl_int *))function("clCreateEventFromGLsyncKHR");
    context_info = (cl_int (*)(const cl_context_properties *, cl_gl_context_info, size_t, void *, size_t *))function("clGetGLContextInfoKHR");
}

/* A context of OpenCL for a context of OpenGL, of EGL or GLX. */
static void share(void)
{
    cl_int code;
    cl_context_properties kind = x_display ? CL_GLX_DISPLAY_KHR : CL_EGL_DISPLAY_KHR, on = (cl_context_properties)(x_display ? x_display : display);
    context = clCreateContext(PROPERTIES(CL_GL_CONTEXT_KHR, (cl_context_properties)gl, kind, on), 1, &device, NULL, NULL, &code);
    check(context && code == CL_SUCCESS, "a context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(queue && code == CL_SUCCESS, "a queue");
}

static void end(void)
{
    clReleaseCommandQueue(queue);
    check(clReleaseContext(context) == CL_SUCCESS, "the end of the context");
    check(eglMakeCurrent(display, NULL, NULL, NULL) && eglDestroyContext(display, gl), "the end of OpenGL");
}

/* A context of OpenGL ES, which the driver shares by one of OpenGL. */
static void embedded(void)
{
    enum { WIDTH = 8, HEIGHT = 4 };
    unsigned name, frame;
    cl_int code;
    gl = new_context(1, NULL);
    share();
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    fill(GL_UNSIGNED_BYTE, 1, 4 * WIDTH * HEIGHT);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, given);
    cl_mem object = clCreateFromGLTexture(context, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, name, &code);
    check(object && code == CL_SUCCESS, "clCreateFromGLTexture");
    format_is(object, plain);
    exchange(object, plain, (size_t[]){WIDTH, HEIGHT, 1});
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, found);
    check(glGetError() == 0 && memcmp(found, given, 4 * WIDTH * HEIGHT) == 0, "what OpenCL has written");
    clReleaseMemObject(object);
    end();
}

/* With the name of a display of X as argument: by GLX. */
int main(int count, char **arguments)
{
    static const char *source =
        "kernel void twice(global uint *p) { p[get_global_id(0)] *= 2; }\n"
        "kernel void copy_twice(read_only image2d_t from, write_only image2d_t to) {\n"
        "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imageui(to, at, read_imageui(from, at) * 2);\n"
        "}\n";
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    open_display();
    find_functions();
    gl = count > 1 ? new_x_context(arguments[1]) : new_context(0, NULL);
    share();
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS, "build");
    cl_kernel twice = clCreateKernel(program, "twice", &code), copy_twice = clCreateKernel(program, "copy_twice", &code);
    buffers(twice);
    all_formats();
    shapes();
    levels();
    texture_buffers();
    kernels_use_textures(copy_twice);
    renderbuffers();
    fences();
    mistakes();
    if (!x_display) {
        egl_images(context, queue);
        contexts();
    }
    check(glGetError() == 0, "OpenGL");
    clReleaseKernel(twice);
    clReleaseKernel(copy_twice);
    clReleaseProgram(program);
    if (x_display) {
        /* The program may end OpenGL before OpenCL. */
        cl_context other = context;
        share();
        end_x(gl);
        clReleaseContext(other);
        clReleaseContext(context);
    } else {
        end();
        embedded();
        eglTerminate(display);
    }
    puts("passed");
    return 0;
}
