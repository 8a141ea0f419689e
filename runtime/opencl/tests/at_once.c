/* Commands on two devices of one context at the same time, with one buffer: both read it, or each changes a part of its own.
   The devices are two of the platform's, or parts of one; it prints "none" without. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <pthread.h>
#include <string.h>

enum { SIDE = 16, TEXELS = SIDE * SIDE, PART = 1024, SLOW = 4 << 20, ROUNDS = 40, THREADS = 4, STEPS = 60 };

static cl_device_id devices[64];
static cl_context context;
static cl_command_queue queues[2];
static cl_program program;

static const char *source =
    "kernel void paint(write_only image2d_t to, uint first) {\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, at, (uint4)(first + at.x + get_global_size(0) * at.y));\n"
    "}\n"
    "kernel void copy(global const uint *from, global uint *to) { to[get_global_id(0)] = from[get_global_id(0)]; }\n"
    "kernel void count(global uint *to, uint first, global const uint *zeros) {\n"
    "    size_t i = get_global_id(0);\n"
    "    to[i] = first + i + zeros[i];\n"
    "}\n"
    "kernel void step(global uint *one, global uint *other, uint by) {\n"
    "    size_t i = get_global_id(0);\n"
    "    one[i] = one[i] * 3 + by;\n"
    "    other[i] += one[i];\n"
    "}\n";

static cl_kernel kernel(const char *name)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    return made;
}

static cl_mem buffer(size_t size)
{
    cl_int code;
    cl_uint zero = 0;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &code);
    check(code == CL_SUCCESS, "buffer");
    check(clEnqueueFillBuffer(queues[0], made, &zero, sizeof zero, 0, size, 0, NULL, NULL) == CL_SUCCESS, "zeros");
    check(clFinish(queues[0]) == CL_SUCCESS, "finish");
    return made;
}

/* So many elements of a buffer, in order. */
static cl_mem part(cl_mem whole, int index, size_t elements)
{
    cl_int code;
    cl_buffer_region region = {index * elements * sizeof(cl_uint), elements * sizeof(cl_uint)};
    cl_mem made = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    check(code == CL_SUCCESS, "part");
    return made;
}

static cl_event gate(void)
{
    cl_int code;
    cl_event made = clCreateUserEvent(context, &code);
    check(code == CL_SUCCESS, "gate");
    return made;
}

/* Lets both devices start what waits for a gate, and waits for it. */
static void start_both(cl_event gate)
{
    for (int i = 0; i < 2; i++) check(clFlush(queues[i]) == CL_SUCCESS, "flush");
    check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "start");
    for (int i = 0; i < 2; i++) check(clFinish(queues[i]) == CL_SUCCESS, "finish");
    clReleaseEvent(gate);
}

static void compare(cl_mem buffer, cl_command_queue queue, cl_uint elements, cl_uint first, const char *what)
{
    static cl_uint found[2 * PART];
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, elements * sizeof *found, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (cl_uint i = 0; i < elements; i++) check(found[i] == first + i, what);
}

/* The buffer under an image that one device has painted, read by both. */
static void reads_below_an_image(void)
{
    cl_bool has[2] = {CL_FALSE, CL_FALSE};
    for (int i = 0; i < 2; i++) clGetDeviceInfo(devices[i], CL_DEVICE_IMAGE_SUPPORT, sizeof *has, &has[i], NULL);
    if (!has[0] || !has[1]) return;
    cl_int code;
    cl_mem below = buffer(TEXELS * sizeof(cl_uint)), copies[2] = {buffer(TEXELS * 4), buffer(TEXELS * 4)};
    cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    cl_image_desc description = {0};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = SIDE;
    description.image_row_pitch = SIDE * sizeof(cl_uint);
    description.buffer = below;
    cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &code);
    check(code == CL_SUCCESS, "image");
    cl_kernel paint = kernel("paint"), copy = kernel("copy");
    size_t sides[2] = {SIDE, SIDE}, all = TEXELS;
    for (cl_uint round = 1; round <= 3 * ROUNDS; round++) {
        cl_uint first = round * 1000;
        cl_command_queue painter = queues[round % 2];
        check(clSetKernelArg(paint, 0, sizeof image, &image) == 0 && clSetKernelArg(paint, 1, sizeof first, &first) == 0, "set");
        check(clEnqueueNDRangeKernel(painter, paint, 2, NULL, sides, NULL, 0, NULL, NULL) == CL_SUCCESS, "paint");
        check(clFinish(painter) == CL_SUCCESS, "finish");
        cl_event start = gate();
        for (int i = 0; i < 2; i++) {
            check(clSetKernelArg(copy, 0, sizeof below, &below) == 0, "argument 0");
            check(clSetKernelArg(copy, 1, sizeof *copies, &copies[i]) == 0, "argument 1");
            check(round % 3 ? clEnqueueNDRangeKernel(queues[i], copy, 1, NULL, &all, NULL, 1, &start, NULL) == CL_SUCCESS
                            : clEnqueueCopyBuffer(queues[i], below, copies[i], 0, 0, TEXELS * 4, 1, &start, NULL) == CL_SUCCESS,
                  "copy");
        }
        start_both(start);
        for (int i = 0; i < 2; i++) compare(copies[i], queues[i], TEXELS, first, "texels that both devices read");
        compare(below, queues[0], TEXELS, first, "texels afterwards");
    }
    clReleaseKernel(paint);
    clReleaseKernel(copy);
    clReleaseMemObject(image);
    clReleaseMemObject(below);
    for (int i = 0; i < 2; i++) clReleaseMemObject(copies[i]);
}

/* A function of the client's, with elements and the first value. */
struct native {
    cl_uint *to, first;
};

static void CL_CALLBACK count_natively(void *arguments)
{
    struct native *native = arguments;
    for (cl_uint i = 0; i < PART; i++) native->to[i] = native->first + i;
}

static int calls_functions(void)
{
    cl_device_exec_capabilities all = CL_EXEC_NATIVE_KERNEL;
    for (int i = 0; i < 2; i++) {
        cl_device_exec_capabilities one = 0;
        clGetDeviceInfo(devices[i], CL_DEVICE_EXECUTION_CAPABILITIES, sizeof one, &one, NULL);
        all &= one;
    }
    return all != 0;
}

/* Writes the numbers from `first` on into a half, in one of several ways. The kernel's last argument has to be brought from the
   other device, which takes long. */
static void write_half(int way, int index, cl_mem half, cl_mem slow, cl_kernel count, cl_uint first, cl_event start)
{
    static cl_uint values[2][PART], *mapped;
    const size_t size = sizeof *values, zero[3] = {0}, box[3] = {256, sizeof *values / 256, 1};
    cl_command_queue queue = queues[index];
    cl_int code;
    size_t all = PART;
    struct native native = {NULL, first};
    const void *place = &native.to;
    for (cl_uint i = 0; i < PART; i++) values[index][i] = first + i;
    switch (way) {
    case 0:
        check(clSetKernelArg(count, 0, sizeof half, &half) == 0 && clSetKernelArg(count, 1, sizeof first, &first) == 0, "set");
        check(clSetKernelArg(count, 2, sizeof slow, &slow) == 0, "argument 2");
        code = clEnqueueNDRangeKernel(queue, count, 1, NULL, &all, NULL, 1, &start, NULL);
        break;
    case 1:
        code = clEnqueueWriteBuffer(queue, half, CL_FALSE, 0, size, values[index], 1, &start, NULL);
        break;
    case 2:
        code = clEnqueueWriteBufferRect(queue, half, CL_FALSE, zero, zero, box, 0, 0, 0, 0, values[index], 1, &start, NULL);
        break;
    case 3:
        mapped = clEnqueueMapBuffer(queue, half, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, size, 0, NULL, NULL, &code);
        check(code == CL_SUCCESS, "map");
        memcpy(mapped, values[index], size);
        code = clEnqueueUnmapMemObject(queue, half, mapped, 1, &start, NULL);
        break;
    default:
        code = clEnqueueNativeKernel(queue, count_natively, &native, sizeof native, 1, &half, &place, 1, &start, NULL);
    }
    check(code == CL_SUCCESS, "write");
}

/* Two halves of a buffer, each of which one device writes. */
static void writes_of_halves(void)
{
    cl_mem whole = buffer(2 * PART * sizeof(cl_uint)), slow = buffer(SLOW);
    cl_mem halves[2] = {part(whole, 0, PART), part(whole, 1, PART)};
    cl_kernel count = kernel("count");
    const int ways = calls_functions() ? 5 : 4;
    for (int round = 1; round <= 4 * ROUNDS; round++) {
        cl_event start = gate();
        for (int i = 0; i < 2; i++) {
            /* First by the kernel on both. */
            int way = round <= ROUNDS ? 0 : i ? round % ways : round / ways % ways;
            write_half(way, i, halves[i], slow, count, (cl_uint)(round * 5000 + i * PART), start);
        }
        start_both(start);
        compare(whole, queues[round % 2], 2 * PART, (cl_uint)round * 5000, "halves that both devices write");
    }
    clReleaseKernel(count);
    for (int i = 0; i < 2; i++) clReleaseMemObject(halves[i]);
    clReleaseMemObject(whole);
    clReleaseMemObject(slow);
}

/* What a thread changes: a quarter of each of two buffers. */
struct quarters {
    pthread_t thread;
    int index;
    cl_mem parts[2];
};

static void *change_quarters(void *argument)
{
    struct quarters *own = argument;
    static cl_uint expected[THREADS][2][PART], found[THREADS][PART];
    cl_uint(*values)[PART] = expected[own->index];
    cl_int code;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, devices[own->index % 2], NULL, &code);
    check(code == CL_SUCCESS, "queue of a thread");
    cl_kernel step = kernel("step");
    size_t all = PART;
    for (cl_uint round = 0; round < STEPS; round++) {
        /* In both orders. */
        int one = (own->index + (int)round) % 2;
        check(clSetKernelArg(step, 0, sizeof *own->parts, &own->parts[one]) == 0, "argument 0");
        check(clSetKernelArg(step, 1, sizeof *own->parts, &own->parts[!one]) == 0, "argument 1");
        check(clSetKernelArg(step, 2, sizeof round, &round) == 0, "argument 2");
        check(clEnqueueNDRangeKernel(queue, step, 1, NULL, &all, NULL, 0, NULL, NULL) == CL_SUCCESS, "step");
        for (int i = 0; i < PART; i++) values[!one][i] += values[one][i] = values[one][i] * 3 + round;
        if (round % 5 == 4) {
            check(clEnqueueCopyBuffer(queue, own->parts[0], own->parts[1], 0, 0, 64, 0, NULL, NULL) == CL_SUCCESS, "copy");
            memcpy(values[1], values[0], 64);
        }
        if (round % 7 < 2) {
            cl_uint *place = found[own->index];
            check(clEnqueueReadBuffer(queue, own->parts[one], CL_TRUE, 0, sizeof *found, place, 0, NULL, NULL) == 0, "read");
            check(!memcmp(place, values[one], sizeof *found), "a quarter that its thread has changed");
        }
    }
    for (int i = 0; i < 2; i++) {
        cl_uint *place = found[own->index];
        check(clEnqueueReadBuffer(queue, own->parts[i], CL_TRUE, 0, sizeof *found, place, 0, NULL, NULL) == 0, "last read");
        check(!memcmp(place, values[i], sizeof *found), "a quarter in the end");
    }
    clReleaseKernel(step);
    clReleaseCommandQueue(queue);
    return NULL;
}

/* Threads with queues of their own, two for each device, that use two buffers in both orders. */
static void quarters_of_two_buffers(void)
{
    cl_mem wholes[2] = {buffer(THREADS * PART * sizeof(cl_uint)), buffer(THREADS * PART * sizeof(cl_uint))};
    struct quarters all[THREADS];
    for (int i = 0; i < THREADS; i++) {
        all[i].index = i;
        for (int which = 0; which < 2; which++) all[i].parts[which] = part(wholes[which], i, PART);
    }
    for (int i = 0; i < THREADS; i++) check(!pthread_create(&all[i].thread, NULL, change_quarters, &all[i]), "thread");
    for (int i = 0; i < THREADS; i++) {
        check(!pthread_join(all[i].thread, NULL), "end of a thread");
        for (int which = 0; which < 2; which++) clReleaseMemObject(all[i].parts[which]);
    }
    for (int which = 0; which < 2; which++) clReleaseMemObject(wholes[which]);
}

/* Two devices of the platform's, or two parts of one. */
static int find_devices(void)
{
    cl_platform_id platform;
    cl_uint count;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &count) == CL_SUCCESS, "devices");
    if (count >= 2) return 1;
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    return clCreateSubDevices(devices[0], equally, 64, devices, &count) == CL_SUCCESS && count >= 2;
}

int main(int arguments, char **names)
{
    cl_int code;
    if (!find_devices()) {
        puts("none");
        return 0;
    }
    context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    for (int i = 0; i < 2; i++) {
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i], NULL, &code);
        check(code == CL_SUCCESS, "queue");
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS, "build");
    const char *only = arguments > 1 ? names[1] : "";
    if (!*only || !strcmp(only, "image")) reads_below_an_image();
    if (!*only || !strcmp(only, "halves")) writes_of_halves();
    if (!*only || !strcmp(only, "quarters")) quarters_of_two_buffers();
    clReleaseProgram(program);
    for (int i = 0; i < 2; i++) clReleaseCommandQueue(queues[i]);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
