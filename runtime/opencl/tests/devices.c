/* A context over all devices: programs built for all of them, memory objects that go from one to the next, and events that
   commands of other devices wait for. With one device its queues take turns. It prints the number of devices. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>

#define MOST 8
#define COUNT 1024
#define ROUNDS 24

static cl_device_id devices[MOST];
static cl_command_queue queues[MOST];
static cl_uint count;
static cl_context context;
static cl_program program;

static const char *source =
    "kernel void step(global int *p, int by) { size_t i = get_global_id(0); p[i] = p[i] * 3 + by; }\n"
    "kernel void turn(read_only image2d_t from, write_only image2d_t to) {\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, at.yx, read_imageui(from, at) + 1);\n"
    "}\n";

static cl_kernel kernel(const char *name)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    return made;
}

/* What `step` makes of an element in all rounds. */
static int stepped(int value, int rounds)
{
    for (int i = 0; i < rounds; i++) value = (int)((unsigned)value * 3 + (unsigned)i);
    return value;
}

/* Each round on another device, after the event of the round before; a gate holds all of them back at first. */
static void rounds_on_devices_in_turn(int map_between)
{
    cl_int code, values[COUNT];
    size_t global = COUNT;
    for (int i = 0; i < COUNT; i++) values[i] = i;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    check(code == CL_SUCCESS, "buffer");
    cl_kernel step = kernel("step");
    cl_event gate = clCreateUserEvent(context, &code), before = gate, after;
    for (int i = 0; i < ROUNDS; i++) {
        cl_command_queue queue = queues[i % count];
        check(clSetKernelArg(step, 0, sizeof buffer, &buffer) == 0 && clSetKernelArg(step, 1, sizeof i, &i) == 0, "arguments");
        check(clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, NULL, 1, &before, &after) == CL_SUCCESS, "launch");
        if (i == ROUNDS / 2) check(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "gate");
        clReleaseEvent(before);
        before = after;
        if (map_between && i > ROUNDS / 2) {
            int *mapped = clEnqueueMapBuffer(queues[(i + 1) % count], buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4, 8, 1,
                                             &before, NULL, &code);
            check(code == CL_SUCCESS && mapped[0] == stepped(1, i + 1), "mapped on another device");
            clReleaseEvent(before);
            check(clEnqueueUnmapMemObject(queues[(i + 1) % count], buffer, mapped, 0, NULL, &before) == CL_SUCCESS, "unmap");
        }
    }
    check(clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, sizeof values, values, 1, &before, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < COUNT; i++) check(values[i] == stepped(i, ROUNDS), "values after all rounds");
    clReleaseEvent(before);
    clReleaseKernel(step);
    clReleaseMemObject(buffer);
}

/* Halves of one buffer, each of which only one device changes, one after the other. */
static void parts_of_a_buffer(void)
{
    cl_int code, values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = i;
    cl_mem whole = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    cl_kernel step = kernel("step");
    for (int i = 0; i < 4; i++) {
        cl_buffer_region region = {(i % 2) * sizeof values / 2, sizeof values / 2};
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        check(code == CL_SUCCESS, "part");
        cl_command_queue queue = queues[i % count];
        size_t global = COUNT / 2;
        int by = i / 2;
        check(clEnqueueMigrateMemObjects(queue, 1, &part, 0, 0, NULL, NULL) == CL_SUCCESS, "migration");
        check(clSetKernelArg(step, 0, sizeof part, &part) == 0 && clSetKernelArg(step, 1, sizeof by, &by) == 0, "arguments");
        check(clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
        check(clFinish(queue) == CL_SUCCESS, "finish");
        clReleaseMemObject(part);
    }
    cl_command_queue last = queues[count - 1];
    check(clEnqueueReadBuffer(last, whole, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < COUNT; i++) check(values[i] == stepped(i, 2), "values of the parts");
    clReleaseKernel(step);
    clReleaseMemObject(whole);
}

static void images_of_several_devices(void)
{
    enum { SIDE = 16 };
    cl_int code;
    cl_uchar texels[SIDE * SIDE][4];
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int channel = 0; channel < 4; channel++) texels[i][channel] = (cl_uchar)(i % 200 + channel);
    for (cl_uint i = 0; i < count; i++) {
        cl_bool has = CL_FALSE;
        clGetDeviceInfo(devices[i], CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL);
        if (!has) return;
    }
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description = {0};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = SIDE;
    cl_mem images[2] = {clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &description, texels, &code),
                        clCreateImage(context, 0, &format, &description, NULL, &code)};
    check(code == CL_SUCCESS, "images");
    cl_kernel turn = kernel("turn");
    size_t global[2] = {SIDE, SIDE}, origin[3] = {0}, region[3] = {SIDE, SIDE, 1};
    for (int i = 0; i < 4; i++) {
        cl_command_queue queue = queues[i % count];
        check(clSetKernelArg(turn, 0, sizeof *images, &images[i % 2]) == 0, "argument 0");
        check(clSetKernelArg(turn, 1, sizeof *images, &images[(i + 1) % 2]) == 0, "argument 1");
        check(clEnqueueNDRangeKernel(queue, turn, 2, NULL, global, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
        check(clFinish(queue) == CL_SUCCESS, "finish");
    }
    cl_uchar found[SIDE * SIDE][4];
    check(clEnqueueReadImage(queues[0], images[0], CL_TRUE, origin, region, 0, 0, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int channel = 0; channel < 4; channel++) check(found[i][channel] == texels[i][channel] + 4, "texels");
    clReleaseKernel(turn);
    clReleaseMemObject(images[0]);
    clReleaseMemObject(images[1]);
}

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &count) == CL_SUCCESS, "devices");
    count = count < MOST ? count : MOST;
    context = clCreateContext(NULL, count, devices, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    for (cl_uint i = 0; i < count; i++) {
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i], NULL, &code);
        check(code == CL_SUCCESS, "queue");
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "build");
    rounds_on_devices_in_turn(0);
    rounds_on_devices_in_turn(1);
    parts_of_a_buffer();
    images_of_several_devices();
    clReleaseProgram(program);
    for (cl_uint i = 0; i < count; i++) check(clReleaseCommandQueue(queues[i]) == CL_SUCCESS, "release queue");
    check(clReleaseContext(context) == CL_SUCCESS, "release context");
    printf("%u devices\n", count);
    return 0;
}
