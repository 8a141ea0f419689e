/* Threads that build, enqueue, map and release at random, for a time. Every value is known: each thread has a model of its
   buffers, and kernels of all threads add to one buffer whose sum is the number of their work-items.

   stress THREADS SECONDS SEED */
#define CL_TARGET_OPENCL_VERSION 300
#include "layers.h"
#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORDS 192
#define BUFFERS 3
#define QUEUES 4
#define SHARED_ITEMS 24

static cl_context context;
static cl_device_id device;
static cl_command_queue queues[QUEUES];
static cl_mem shared;
static cl_program program;
/* Adds SHARED_ITEMS to the shared buffer; all threads enqueue it. */
static handle shared_commands;
/* What the device has of extensions: handles of semaphores, images of packed texels and of sRGB, and types of shared virtual memory
   that kernels and commands write. */
enum { EXPORT_TYPES = 0x203F, OPAQUE_FD = 0x2055, DEVICE_TYPES = 0x1077, ASSOCIATED = 0x2078, OWNED = 1 << 2,
       UNASSOCIATED = 1 << 3, DEVICE_READ = 1 << 9, DEVICE_WRITE = 1 << 10, MOST_TYPES = 16 };
static int has_handles, has_packed, has_srgb;
static cl_program images;
static cl_uint types[MOST_TYPES], type_count;
static cl_ulong capabilities[MOST_TYPES];
static void *(*allocate)(cl_context, const cl_ulong *, cl_uint, size_t, cl_int *);
static cl_int (*release_memory)(cl_context, const cl_ulong *, cl_ulong, void *);
static atomic_ulong operations, additions, callbacks, expected_callbacks, destroyed, created;
static double seconds;

static const char *source =
    "kernel void add(global int *p, int value) { p[get_global_id(0)] += value; }\n"
    "kernel void scale(global int *p, int value) { p[get_global_id(0)] *= value; }\n"
    "kernel void count(global atomic_int *p) {\n"
    "    atomic_fetch_add_explicit(p + get_global_id(0) % 8, 1, memory_order_relaxed, memory_scope_device);\n"
    "}\n";

static const char *image_source =
    "#define AT (int2)(get_global_id(0), get_global_id(1))\n"
    "kernel void integers(read_only image2d_t from, write_only image2d_t to) { write_imageui(to, AT, read_imageui(from, AT)); }\n"
    "kernel void colours(read_only image2d_t from, write_only image2d_t to) { write_imagef(to, AT, read_imagef(from, AT)); }\n";

static void fail(const char *what, int line, cl_int code)
{
    fprintf(stderr, "failed: %s, line %d, code %d\n", what, line, code);
    exit(1);
}

#define TRY(call) do { cl_int code_ = (call); if (code_ != CL_SUCCESS) fail(#call, __LINE__, code_); } while (0)
#define CHECK(condition) do { if (!(condition)) fail(#condition, __LINE__, 0); } while (0)

/* Of a thread: what its buffers contain once their last commands are complete. */
struct state {
    uint64_t random;
    cl_mem buffers[BUFFERS];
    cl_event last[BUFFERS];
    int model[BUFFERS][WORDS];
    cl_kernel add, scale, count;
};

/* xorshift64* (Vigna, 2016). */
static unsigned below(struct state *s, unsigned limit)
{
    s->random ^= s->random >> 12;
    s->random ^= s->random << 25;
    s->random ^= s->random >> 27;
    return (unsigned)((s->random * 2685821657736338717u) >> 33) % limit;
}

static cl_command_queue any_queue(struct state *s)
{
    return queues[below(s, QUEUES)];
}

static void CL_CALLBACK completed(cl_event event, cl_int status, void *data)
{
    (void)event;
    if (status != CL_COMPLETE) fail("a command of a callback", __LINE__, status);
    atomic_fetch_add((atomic_ulong *)data, 1);
}

static void CL_CALLBACK is_destroyed(cl_mem memory, void *data)
{
    (void)memory;
    atomic_fetch_add((atomic_ulong *)data, 1);
}

/* The event of a buffer's newest command takes the place of the one before, which the command has waited for. */
static void follows(struct state *s, unsigned which, cl_event event)
{
    if (below(s, 4) == 0) {
        atomic_fetch_add(&expected_callbacks, 1);
        TRY(clSetEventCallback(event, CL_COMPLETE, completed, &callbacks));
    }
    if (s->last[which]) TRY(clReleaseEvent(s->last[which]));
    s->last[which] = event;
}

#define WAITS(s, which) ((s)->last[which] ? 1 : 0), ((s)->last[which] ? &(s)->last[which] : NULL)

static void launch(struct state *s, unsigned which)
{
    cl_event event;
    size_t first = below(s, WORDS / 2), size = 1 + below(s, WORDS / 2);
    int value = (int)below(s, 9) - 4, multiplies = below(s, 2) == 0;
    cl_kernel kernel = multiplies ? s->scale : s->add;
    TRY(clSetKernelArg(kernel, 0, sizeof(cl_mem), &s->buffers[which]));
    TRY(clSetKernelArg(kernel, 1, sizeof value, &value));
    TRY(clEnqueueNDRangeKernel(any_queue(s), kernel, 1, &first, &size, NULL, WAITS(s, which), &event));
    for (size_t i = first; i < first + size; i++) {
        unsigned old = (unsigned)s->model[which][i];
        s->model[which][i] = (int)(multiplies ? old * (unsigned)value : old + (unsigned)value);
    }
    follows(s, which, event);
}

static void launch_on_shared(struct state *s)
{
    if (below(s, 4) == 0) {
        TRY(enqueue(0, NULL, shared_commands, 0, NULL, NULL));
        atomic_fetch_add(&additions, SHARED_ITEMS);
        return;
    }
    size_t size = 1 + below(s, 64);
    TRY(clSetKernelArg(s->count, 0, sizeof shared, &shared));
    TRY(clEnqueueNDRangeKernel(any_queue(s), s->count, 1, NULL, &size, NULL, 0, NULL, NULL));
    atomic_fetch_add(&additions, size);
}

static void write_part(struct state *s, unsigned which)
{
    int data[WORDS];
    cl_event event;
    size_t first = below(s, WORDS / 2), size = 1 + below(s, WORDS / 2);
    for (size_t i = 0; i < size; i++) data[i] = s->model[which][first + i] = (int)below(s, 1000);
    TRY(clEnqueueWriteBuffer(any_queue(s), s->buffers[which], CL_TRUE, 4 * first, 4 * size, data, WAITS(s, which), &event));
    follows(s, which, event);
}

static void read_all(struct state *s, unsigned which)
{
    int data[WORDS];
    cl_event event;
    int blocking = (int)below(s, 2);
    cl_command_queue queue = any_queue(s);
    TRY(clEnqueueReadBuffer(queue, s->buffers[which], (cl_bool)blocking, 0, sizeof data, data, WAITS(s, which), &event));
    if (!blocking) TRY(clWaitForEvents(1, &event));
    CHECK(memcmp(data, s->model[which], sizeof data) == 0);
    follows(s, which, event);
}

static void fill(struct state *s, unsigned which)
{
    cl_event event;
    size_t first = below(s, WORDS / 2), size = 1 + below(s, WORDS / 2);
    int value = (int)below(s, 1000);
    TRY(clEnqueueFillBuffer(any_queue(s), s->buffers[which], &value, 4, 4 * first, 4 * size, WAITS(s, which), &event));
    for (size_t i = first; i < first + size; i++) s->model[which][i] = value;
    follows(s, which, event);
}

static void copy(struct state *s, unsigned from)
{
    unsigned to = (from + 1) % BUFFERS, count = 0;
    cl_event waits[2], event;
    if (s->last[from]) waits[count++] = s->last[from];
    if (s->last[to]) waits[count++] = s->last[to];
    TRY(clEnqueueCopyBuffer(any_queue(s), s->buffers[from], s->buffers[to], 0, 0, 4 * WORDS, count, count ? waits : NULL,
                            &event));
    memcpy(s->model[to], s->model[from], sizeof s->model[to]);
    TRY(clRetainEvent(event));
    follows(s, from, event);
    follows(s, to, event);
}

static void map(struct state *s, unsigned which)
{
    cl_event event;
    cl_int code;
    cl_command_queue queue = any_queue(s);
    int writes = (int)below(s, 2), blocking = (int)below(s, 2);
    cl_map_flags flags = writes ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ;
    int *data = clEnqueueMapBuffer(queue, s->buffers[which], (cl_bool)blocking, flags, 0, 4 * WORDS, WAITS(s, which), &event,
                                   &code);
    TRY(code);
    if (!blocking) TRY(clWaitForEvents(1, &event));
    CHECK(memcmp(data, s->model[which], 4 * WORDS) == 0);
    if (writes)
        for (unsigned i = 0; i < WORDS; i += 7) data[i] = s->model[which][i] = (int)below(s, 1000);
    follows(s, which, event);
    TRY(clEnqueueUnmapMemObject(queue, s->buffers[which], data, WAITS(s, which), &event));
    follows(s, which, event);
}

/* Commands behind a user event of the same thread. */
static void gate(struct state *s, unsigned which)
{
    cl_int code;
    cl_event gate = clCreateUserEvent(context, &code), event, waits[2];
    TRY(code);
    unsigned count = 0;
    waits[count++] = gate;
    if (s->last[which]) waits[count++] = s->last[which];
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    TRY(code);
    TRY(clEnqueueMarkerWithWaitList(queue, count, waits, &event));
    TRY(clReleaseCommandQueue(queue));
    follows(s, which, event);
    if (below(s, 2)) launch(s, which);
    TRY(clSetUserEventStatus(gate, CL_COMPLETE));
    TRY(clReleaseEvent(gate));
}

static void new_buffer(struct state *s, unsigned which)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (below(s, 2) ? CL_MEM_ALLOC_HOST_PTR : 0) | CL_MEM_COPY_HOST_PTR;
    /* Commands that were enqueued keep it. */
    if (s->buffers[which]) TRY(clReleaseMemObject(s->buffers[which]));
    if (s->last[which]) TRY(clReleaseEvent(s->last[which]));
    s->last[which] = NULL;
    for (unsigned i = 0; i < WORDS; i++) s->model[which][i] = (int)below(s, 1000);
    s->buffers[which] = clCreateBuffer(context, flags, 4 * WORDS, s->model[which], &code);
    TRY(code);
    atomic_fetch_add(&created, 1);
    TRY(clSetMemObjectDestructorCallback(s->buffers[which], is_destroyed, &destroyed));
}

static void new_kernels(struct state *s)
{
    cl_int code;
    cl_kernel *kernels[] = { &s->add, &s->scale, &s->count };
    const char *names[] = { "add", "scale", "count" };
    unsigned which = below(s, 3);
    cl_kernel old = *kernels[which];
    *kernels[which] = old && below(s, 2) ? clCloneKernel(old, &code) : clCreateKernel(program, names[which], &code);
    TRY(code);
    if (old) TRY(clReleaseKernel(old));
}

/* Recorded once, enqueued once or twice. */
static void command_buffer(struct state *s, unsigned which)
{
    cl_int code, value = (int)below(s, 100), term = (int)below(s, 100);
    cl_uint filled;
    size_t first = below(s, WORDS / 2), size = 1 + below(s, WORDS / 2);
    cl_command_queue queue = any_queue(s);
    handle commands = create_buffer(1, &queue, NULL, &code);
    TRY(code);
    TRY(clSetKernelArg(s->add, 0, sizeof(cl_mem), &s->buffers[which]));
    TRY(clSetKernelArg(s->add, 1, sizeof term, &term));
    TRY(record_fill(commands, NULL, NULL, s->buffers[which], &value, 4, 4 * first, 4 * size, 0, NULL, &filled, NULL));
    TRY(record_kernel(commands, NULL, NULL, s->add, 1, &first, &size, NULL, 1, &filled, NULL, NULL));
    TRY(finalize(commands));
    for (unsigned turns = 1 + below(s, 2); turns > 0; turns--) {
        cl_event event;
        cl_command_queue other = any_queue(s);
        TRY(enqueue(1, &other, commands, WAITS(s, which), &event));
        follows(s, which, event);
    }
    for (size_t i = first; i < first + size; i++) s->model[which][i] = value + term;
    TRY(release_buffer(commands));
}

/* The same on two queues, of which the second one waits for the first. */
static void command_buffer_of_two(struct state *s, unsigned which)
{
    cl_int code, value = (cl_int)below(s, 100), term = (int)below(s, 100);
    cl_uint filled, at = below(s, QUEUES);
    size_t first = below(s, WORDS / 2), size = 1 + below(s, WORDS / 2);
    cl_command_queue two[] = { queues[at], queues[(at + 1 + below(s, QUEUES - 1)) % QUEUES] };
    cl_event event;
    handle commands = create_buffer(2, two, NULL, &code);
    TRY(code);
    TRY(clSetKernelArg(s->add, 0, sizeof(cl_mem), &s->buffers[which]));
    TRY(clSetKernelArg(s->add, 1, sizeof term, &term));
    TRY(record_fill(commands, two[0], NULL, s->buffers[which], &value, 4, 4 * first, 4 * size, 0, NULL, &filled, NULL));
    TRY(record_kernel(commands, two[1], NULL, s->add, 1, &first, &size, NULL, 1, &filled, NULL, NULL));
    TRY(finalize(commands));
    TRY(enqueue(0, NULL, commands, WAITS(s, which), &event));
    follows(s, which, event);
    for (size_t i = first; i < first + size; i++) s->model[which][i] = value + term;
    TRY(release_buffer(commands));
}

/* A kernel copies an image whose texels Vulkan does not have, or does not let it write. */
static void image(struct state *s)
{
    enum { UNSIGNED_INT10X6 = 0x10E6, W = 12, H = 5 };
    int is_packed = has_packed && (!has_srgb || below(s, 2));
    const cl_image_format packed = { CL_RGBA, UNSIGNED_INT10X6 }, srgb = { below(s, 2) ? CL_sRGBA : CL_sBGRA, CL_UNORM_INT8 };
    const cl_image_desc plane = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H };
    const size_t bytes = (is_packed ? 8 : 4) * W * H, origin[3] = { 0, 0, 0 }, size[3] = { W, H, 1 };
    unsigned char before[8 * W * H], after[8 * W * H];
    cl_event copied;
    cl_int code;
    /* Of a packed channel, the six lowest bits are not stored. */
    for (size_t i = 0; i < bytes; i++) before[i] = (unsigned char)(is_packed && i % 2 == 0 ? below(s, 4) << 6 : below(s, 256));
    cl_mem from = clCreateImage(context, CL_MEM_COPY_HOST_PTR, is_packed ? &packed : &srgb, &plane, before, &code);
    TRY(code);
    cl_mem to = clCreateImage(context, 0, is_packed ? &packed : &srgb, &plane, NULL, &code);
    TRY(code);
    cl_kernel kernel = clCreateKernel(images, is_packed ? "integers" : "colours", &code);
    TRY(code);
    TRY(clSetKernelArg(kernel, 0, sizeof from, &from));
    TRY(clSetKernelArg(kernel, 1, sizeof to, &to));
    TRY(clEnqueueNDRangeKernel(any_queue(s), kernel, 2, NULL, size, NULL, 0, NULL, &copied));
    TRY(clReleaseKernel(kernel));
    TRY(clReleaseMemObject(from));
    TRY(clEnqueueReadImage(any_queue(s), to, CL_TRUE, origin, size, 0, 0, after, 1, &copied, NULL));
    CHECK(memcmp(before, after, bytes) == 0);
    TRY(clReleaseEvent(copied));
    TRY(clReleaseMemObject(to));
}

/* A kernel adds to shared virtual memory of a type, which commands fill and read. */
static void memory_of_type(struct state *s)
{
    int value = (int)below(s, 1000), term = (int)below(s, 1000), data[WORDS];
    cl_event filled, added;
    cl_int code;
    size_t size = WORDS;
    const cl_uint type = types[below(s, type_count)];
    const cl_ulong of_device[] = { ASSOCIATED, (cl_ulong)(uintptr_t)device, 0 };
    int *memory = allocate(context, capabilities[type] & UNASSOCIATED ? NULL : of_device, type, sizeof data, &code);
    TRY(code);
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    TRY(code);
    TRY(clSetKernelArgSVMPointer(kernel, 0, memory));
    TRY(clSetKernelArg(kernel, 1, sizeof term, &term));
    TRY(clEnqueueSVMMemFill(any_queue(s), memory, &value, sizeof value, sizeof data, 0, NULL, &filled));
    TRY(clEnqueueNDRangeKernel(any_queue(s), kernel, 1, NULL, &size, NULL, 1, &filled, &added));
    TRY(clEnqueueSVMMemcpy(any_queue(s), CL_TRUE, data, memory, sizeof data, 1, &added, NULL));
    for (unsigned i = 0; i < WORDS; i++) CHECK(data[i] == value + term);
    TRY(clReleaseEvent(filled));
    TRY(clReleaseEvent(added));
    TRY(clReleaseKernel(kernel));
    TRY(release_memory(context, NULL, 0, memory));
}

/* A command that waits for another one of another queue by a semaphore. */
static void semaphore(struct state *s, unsigned which)
{
    static const cl_ulong plain[] = { SEMAPHORE_TYPE, BINARY, 0 }, exported[] = { SEMAPHORE_TYPE, BINARY, EXPORT_TYPES, OPAQUE_FD, 0, 0 };
    const cl_ulong *type = has_handles && below(s, 2) ? exported : plain;
    cl_int code;
    cl_event event;
    handle semaphore = create_semaphore(context, type, &code);
    TRY(code);
    fill(s, which);
    TRY(signal_semaphores(any_queue(s), 1, &semaphore, NULL, WAITS(s, which), NULL));
    TRY(wait_semaphores(any_queue(s), 1, &semaphore, NULL, 0, NULL, &event));
    follows(s, which, event);
    TRY(release_semaphore(semaphore));
}

static void build(struct state *s)
{
    char text[128];
    const char *lines = text;
    cl_int code, value = (cl_int)below(s, 50), result = 0;
    size_t one = 1;
    snprintf(text, sizeof text, "kernel void k(global int *p) { p[0] = VALUE + %d; }", value);
    cl_program built = clCreateProgramWithSource(context, 1, &lines, NULL, &code);
    TRY(code);
    TRY(clBuildProgram(built, 1, &device, "-DVALUE=3", NULL, NULL));
    cl_kernel kernel = clCreateKernel(built, "k", &code);
    TRY(code);
    TRY(clReleaseProgram(built));
    cl_mem out = clCreateBuffer(context, 0, 4, NULL, &code);
    TRY(code);
    TRY(clSetKernelArg(kernel, 0, sizeof out, &out));
    cl_event event;
    TRY(clEnqueueNDRangeKernel(any_queue(s), kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    TRY(clReleaseKernel(kernel));
    TRY(clEnqueueReadBuffer(any_queue(s), out, CL_TRUE, 0, 4, &result, 1, &event, NULL));
    CHECK(result == value + 3);
    TRY(clReleaseEvent(event));
    TRY(clReleaseMemObject(out));
}

static void step(struct state *s)
{
    unsigned which = below(s, BUFFERS), choice = below(s, 1000);
    if (choice < 2) build(s);
    else if (choice < 20) new_kernels(s);
    else if (choice < 50) new_buffer(s, which);
    else if (choice < 60) TRY(clFinish(any_queue(s)));
    else if (choice < 100) TRY(clFlush(any_queue(s)));
    else if (choice < 150) gate(s, which);
    else if (choice < 170) command_buffer(s, which);
    else if (choice < 190) semaphore(s, which);
    else if (choice < 200) command_buffer_of_two(s, which);
    else if (choice < 205 && (has_packed || has_srgb)) image(s);
    else if (choice < 215 && type_count) memory_of_type(s);
    else if (choice < 250) map(s, which);
    else if (choice < 350) copy(s, which);
    else if (choice < 450) fill(s, which);
    else if (choice < 550) write_part(s, which);
    else if (choice < 600) read_all(s, which);
    else if (choice < 800) launch_on_shared(s);
    else launch(s, which);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *work(void *data)
{
    struct state s = { .random = *(uint64_t *)data };
    double end = now() + seconds;
    for (unsigned which = 0; which < BUFFERS; which++) new_buffer(&s, which);
    while (!s.add || !s.scale || !s.count) new_kernels(&s);
    while (now() < end) {
        step(&s);
        atomic_fetch_add(&operations, 1);
    }
    for (unsigned which = 0; which < BUFFERS; which++) {
        read_all(&s, which);
        TRY(clReleaseEvent(s.last[which]));
        TRY(clReleaseMemObject(s.buffers[which]));
    }
    TRY(clReleaseKernel(s.add));
    TRY(clReleaseKernel(s.scale));
    TRY(clReleaseKernel(s.count));
    return NULL;
}

/* Finds out what the device has of extensions. */
static void find_extensions(cl_platform_id platform)
{
    static char extensions[8192];
    cl_image_format formats[256];
    cl_uint count = 0;
    size_t size = 0;
    cl_int code;
    TRY(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    has_handles = strstr(extensions, "cl_khr_external_semaphore_opaque_fd") != NULL;
    has_packed = strstr(extensions, "cl_ext_image_unsigned_10x6_12x4_14x2") != NULL;
    if (strstr(extensions, "cl_khr_srgb_image_writes")) {
        TRY(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 256, formats, &count));
        for (cl_uint i = 0; i < count && i < 256; i++) has_srgb |= formats[i].image_channel_order == CL_sBGRA;
    }
    if (has_packed || has_srgb) {
        images = clCreateProgramWithSource(context, 1, &image_source, NULL, &code);
        TRY(code);
        TRY(clBuildProgram(images, 1, &device, "", NULL, NULL));
    }
    if (!strstr(extensions, "cl_khr_unified_svm")) return;
    *(void **)&allocate = find(platform, "clSVMAllocWithPropertiesKHR");
    *(void **)&release_memory = find(platform, "clSVMFreeWithPropertiesKHR");
    TRY(clGetDeviceInfo(device, DEVICE_TYPES, sizeof capabilities, capabilities, &size));
    const cl_ulong needed = OWNED | DEVICE_READ | DEVICE_WRITE;
    for (cl_uint i = 0; i < size / sizeof *capabilities; i++)
        if ((capabilities[i] & needed) == needed) types[type_count++] = i;
}

static void open_all(void)
{
    cl_platform_id platform;
    cl_int code, zeros[8] = { 0 };
    TRY(clGetPlatformIDs(1, &platform, NULL));
    TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    TRY(code);
    for (unsigned i = 0; i < QUEUES; i++) {
        cl_queue_properties out_of_order[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
        queues[i] = clCreateCommandQueueWithProperties(context, device, i % 2 ? out_of_order : NULL, &code);
        TRY(code);
    }
    shared = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &code);
    TRY(code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    TRY(code);
    TRY(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    find_layers(platform);
    find_extensions(platform);
    const size_t items = SHARED_ITEMS;
    cl_kernel kernel = clCreateKernel(program, "count", &code);
    TRY(code);
    TRY(clSetKernelArg(kernel, 0, sizeof shared, &shared));
    shared_commands = create_buffer(1, &queues[1], NULL, &code);
    TRY(code);
    TRY(record_kernel(shared_commands, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    TRY(finalize(shared_commands));
    TRY(clReleaseKernel(kernel));
}

/* What remains after the threads: the counts of additions, callbacks and destroyed buffers. */
static void close_all(void)
{
    int sums[8];
    unsigned long sum = 0;
    for (unsigned i = 0; i < QUEUES; i++) TRY(clFinish(queues[i]));
    TRY(clEnqueueReadBuffer(queues[0], shared, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
    for (unsigned i = 0; i < 8; i++) sum += (unsigned)sums[i];
    CHECK(sum == atomic_load(&additions));
    TRY(release_buffer(shared_commands));
    for (unsigned i = 0; i < QUEUES; i++) TRY(clReleaseCommandQueue(queues[i]));
    TRY(clReleaseMemObject(shared));
    TRY(clReleaseProgram(program));
    if (images) TRY(clReleaseProgram(images));
    TRY(clReleaseContext(context));
    /* Callbacks may come after the functions that wait have returned. */
    double end = now() + 20;
    while (now() < end && (atomic_load(&callbacks) != atomic_load(&expected_callbacks) ||
                           atomic_load(&destroyed) != atomic_load(&created))) {}
    CHECK(atomic_load(&callbacks) == atomic_load(&expected_callbacks));
    CHECK(atomic_load(&destroyed) == atomic_load(&created));
}

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    unsigned threads = (unsigned)atoi(arguments[1]);
    uint64_t seeds[64], seed = strtoull(arguments[3], NULL, 10);
    pthread_t handles[64];
    CHECK(threads >= 1 && threads <= 64);
    seconds = atof(arguments[2]);
    open_all();
    for (unsigned i = 0; i < threads; i++) {
        seeds[i] = (seed * 64 + i + 1) * 0x9e3779b97f4a7c15u;
        CHECK(pthread_create(&handles[i], NULL, work, &seeds[i]) == 0);
    }
    for (unsigned i = 0; i < threads; i++) CHECK(pthread_join(handles[i], NULL) == 0);
    close_all();
    printf("passed %lu operations\n", atomic_load(&operations));
    return 0;
}
