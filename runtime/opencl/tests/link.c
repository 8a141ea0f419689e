/* Compiling and linking programs, in the thread of the caller and in the background: what it prints and whether it succeeds is
   checked by `loader.rs`. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 64
#define THREADS 4
#define BUILDS 6

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_program source(const char *text)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code == CL_SUCCESS, "program");
    return program;
}

static cl_program compiled(const char *text)
{
    cl_program program = source(text);
    check(clCompileProgram(program, 1, &device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "compile");
    return program;
}

static cl_program_binary_type type(cl_program program)
{
    cl_program_binary_type type;
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL) == CL_SUCCESS, "type");
    return type;
}

static cl_build_status status(cl_program program)
{
    cl_build_status status;
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) == CL_SUCCESS, "status");
    return status;
}

/* A program of the binary of another one, which is of the same type. */
static cl_program reloaded(cl_program program)
{
    size_t size;
    cl_int code, state;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS && size > 0, "size");
    unsigned char *bytes = malloc(size);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS, "binary");
    const unsigned char *given = bytes;
    cl_program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &given, &state, &code);
    check(code == CL_SUCCESS && state == CL_SUCCESS, "program of a binary");
    check(type(loaded) == type(program), "type of a binary");
    bytes[size / 2] ^= 1;
    check(!clCreateProgramWithBinary(context, 1, &device, &size, &given, &state, &code), "damaged binary");
    check(code == CL_INVALID_BINARY && state == CL_INVALID_BINARY, "code of a damaged binary");
    const size_t none = 0;
    state = CL_SUCCESS;
    check(!clCreateProgramWithBinary(context, 1, &device, &none, &given, &state, &code) && code == CL_INVALID_VALUE
              && state == CL_INVALID_VALUE, "a binary without bytes");
    free(bytes);
    return loaded;
}

/* Runs a kernel of one buffer of integers, 0 to COUNT - 1. */
static void run(cl_program program, const char *name, cl_int *values)
{
    cl_int code;
    size_t count = COUNT;
    for (int i = 0; i < COUNT; i++) values[i] = i;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, COUNT * sizeof *values, values, &code);
    check(code == CL_SUCCESS, "buffer");
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code == CL_SUCCESS, name);
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "argument");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, COUNT * sizeof *values, values, 0, NULL, NULL) == CL_SUCCESS, "read");
    clReleaseKernel(kernel);
    clReleaseMemObject(buffer);
}

static const char *square_source =
    "constant int offsets[2] = {10, 20};\n"
    "static int helper(int x) { return x + offsets[1]; }\n"
    "int square(int x) { return x * x + helper(0); }\n"
    "kernel void plain(global int *a) { a[get_global_id(0)] += offsets[0]; }\n";
static const char *main_source =
    "#include \"types.h\"\n"
    "extern constant int offsets[];\n"
    "static int helper(int x) { return x - offsets[0]; }\n"
    "int square(int x);\n"
    "kernel void plain(global int *a);\n"
    "kernel void combine(global int *a) { struct pair p; p.x = a[get_global_id(0)]; plain(a);\n"
    "                                 a[get_global_id(0)] += square(p.x) + helper(1); }\n";

static int expected(int i)
{
    return i + 10 + i * i + 20 + 1 - 10;
}

static void check_all(cl_program program, const char *what)
{
    cl_int values[COUNT];
    run(program, "combine", values);
    for (int i = 0; i < COUNT; i++) check(values[i] == expected(i), what);
}

static cl_program compiled_main(void)
{
    cl_program program = source(main_source), header = source("struct pair { int x; float y; };\n");
    const char *name = "types.h";
    check(clCompileProgram(program, 0, NULL, "-cl-std=CL3.0", 1, &header, &name, NULL, NULL) == CL_SUCCESS, "headers");
    clReleaseProgram(header);
    return program;
}

/* PoCL's rules: a program has a binary for each device, and builds for a device that is named twice as for one. */
static void device_named_twice(void)
{
    cl_int code, states[2], values[COUNT];
    cl_device_id twice[] = {device, device}, wrong[] = {device, NULL};
    cl_program program = source(square_source);
    check(clBuildProgram(program, 2, twice, "", NULL, NULL) == CL_SUCCESS, "build for a device twice");
    size_t sizes[2];
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *sizes, sizes, NULL) == CL_SUCCESS, "size");
    sizes[1] = sizes[0];
    unsigned char *bytes = malloc(sizes[0]);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS, "binary");
    const unsigned char *given[] = {bytes, bytes};
    check(!clCreateProgramWithBinary(context, 2, twice, sizes, given, states, &code) && code == CL_INVALID_DEVICE, "binaries");
    check(!clCreateProgramWithBinary(context, 2, wrong, sizes, given, states, &code) && code == CL_INVALID_DEVICE, "null");
    free(bytes);
    cl_program object = compiled(square_source), linked = clLinkProgram(context, 2, twice, "", 1, &object, NULL, NULL, &code);
    cl_uint count = 0;
    check(code == CL_SUCCESS && clGetProgramInfo(linked, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL) == CL_SUCCESS, "link");
    check(count == 1, "devices of a linked program");
    run(linked, "plain", values);
    for (int i = 0; i < COUNT; i++) check(values[i] == i + 10, "a linked program");
    clReleaseProgram(linked);
    clReleaseProgram(object);
    clReleaseProgram(program);
}

/* Options of other compilers, as the command takes them: clang's warnings silently, others with a warning in the log. */
static void options_without_effect(void)
{
    static const struct {
        const char *options, *log;
        cl_int code;
    } cases[] = {
        {"-Wno-unused-function -Wno-unused-parameter -Wno-sign-compare", NULL, CL_SUCCESS},
        {"-cl-nv-verbose -cl-nv-maxrregcount 32", "'-cl-nv-verbose' is one of another implementation", CL_SUCCESS},
        {"-Wno-such-thing", "unknown warning option '-Wno-such-thing'", CL_SUCCESS},
        {"-Wsuch-thing -w", NULL, CL_SUCCESS},
        {"-Wsuch-thing -Werror", "unknown warning option '-Wsuch-thing'", CL_BUILD_PROGRAM_FAILURE},
        {"-cl-such-thing", NULL, CL_INVALID_BUILD_OPTIONS},
    };
    cl_int code;
    for (int i = 0; i < 6; i++) {
        cl_program program = source("kernel void k(global int *a) { *a = 1; }");
        char log[1000] = "";
        check(clBuildProgram(program, 1, &device, cases[i].options, NULL, NULL) == cases[i].code, cases[i].options);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        check(cases[i].log ? strstr(log, cases[i].log) != NULL : log[0] == 0, log);
        clReleaseProgram(program);
    }
    cl_program object = compiled(square_source);
    cl_program linked = clLinkProgram(context, 1, &device, "-Wno-unused -cl-nv-opt-level 3", 1, &object, NULL, NULL, &code);
    check(code == CL_SUCCESS, "options of a link");
    check(!clLinkProgram(context, 1, &device, "-cl-such-thing", 1, &object, NULL, NULL, &code), "a wrong option of a link");
    check(code == CL_INVALID_LINKER_OPTIONS, "code of a wrong option of a link");
    clReleaseProgram(linked);
    clReleaseProgram(object);
}

static void objects_and_libraries(void)
{
    cl_int code;
    cl_program parts[2] = {compiled(square_source), compiled_main()};
    check(type(parts[0]) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT && status(parts[0]) == CL_BUILD_SUCCESS, "object");
    check(clCreateKernel(parts[0], "plain", &code) == NULL && code == CL_INVALID_PROGRAM_EXECUTABLE, "kernel of an object");
    cl_program linked = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    check(code == CL_SUCCESS && type(linked) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "link");
    check_all(linked, "linked");
    char names[64];
    check(clGetProgramInfo(linked, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL) == CL_SUCCESS, "names");
    check(strstr(names, "combine") && strstr(names, "plain"), "kernels of all units");
    cl_program again = reloaded(linked);
    check(clBuildProgram(again, 1, &device, NULL, NULL, NULL) == CL_SUCCESS, "build of an executable");
    check_all(again, "reloaded executable");

    cl_program objects[2] = {reloaded(parts[0]), reloaded(parts[1])};
    cl_program library = clLinkProgram(context, 1, &device, "-create-library -enable-link-options", 1, objects, NULL, NULL, &code);
    check(code == CL_SUCCESS && type(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY, "library");
    cl_program with_library[2] = {objects[1], reloaded(library)};
    cl_program third = clLinkProgram(context, 1, &device, "-cl-fast-relaxed-math", 2, with_library, NULL, NULL, &code);
    check(code == CL_SUCCESS, "link with a library");
    check_all(third, "library");
    check(clBuildProgram(with_library[1], 1, &device, "", NULL, NULL) == CL_SUCCESS, "build of a library's binary");
}

static void failures(void)
{
    cl_int code;
    char log[4096];
    cl_program parts[2] = {compiled_main(), compiled("float square(int x) { return x; }\n")};
    cl_program linked = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &code);
    check(code == CL_LINK_PROGRAM_FAILURE && linked != NULL && status(linked) == CL_BUILD_ERROR, "failed link");
    check(clGetProgramBuildInfo(linked, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) == CL_SUCCESS, "log");
    check(strstr(log, "conflicting types for 'square'") && strstr(log, "'offsets' is used but"), log);
    check(strstr(log, "<source 1>:4:5") && strstr(log, "<source 2>:1:7"), log);
    check(!clLinkProgram(context, 1, &device, "-unknown", 2, parts, NULL, NULL, &code), "options");
    check(code == CL_INVALID_LINKER_OPTIONS, "code of options");
    check(!clLinkProgram(context, 1, &device, "-enable-link-options", 2, parts, NULL, NULL, &code), "library's option");
    check(code == CL_INVALID_LINKER_OPTIONS, "code of a library's option");
    check(!clLinkProgram(context, 1, &device, "", 0, NULL, NULL, NULL, &code) && code == CL_INVALID_VALUE, "no inputs");
    parts[1] = source("int square(int x) { return x; }\n");
    check(!clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &code) && code == CL_INVALID_OPERATION, "no object");
}

struct build {
    cl_program program;
    volatile cl_build_status seen;
};

static void CL_CALLBACK built(cl_program program, void *data)
{
    struct build *build = data;
    check(build->program == NULL || build->program == program, "program of a callback");
    build->seen = status(program);
}

static void wait_for(struct build *build)
{
    while (build->seen == CL_BUILD_IN_PROGRESS) sched_yield();
}

static void background(void)
{
    cl_int code;
    struct build build = {source(square_source), CL_BUILD_IN_PROGRESS};
    check(clBuildProgram(build.program, 1, &device, "", built, &build) == CL_SUCCESS, "build in the background");
    // Programs make their kernels at once: other drivers have built when clBuildProgram returns.
    cl_kernel kernel = clCreateKernel(build.program, "plain", &code);
    check(kernel && code == CL_SUCCESS && status(build.program) == CL_BUILD_SUCCESS, "kernel of a build that goes on");
    clReleaseKernel(kernel);
    wait_for(&build);
    check(build.seen == CL_BUILD_SUCCESS && status(build.program) == CL_BUILD_SUCCESS, "built in the background");
    struct build wrong = {source("kernel void k() { x; }\n"), CL_BUILD_IN_PROGRESS};
    check(clCompileProgram(wrong.program, 1, &device, "", 0, NULL, NULL, built, &wrong) == CL_SUCCESS, "wrong program");
    wait_for(&wrong);
    check(wrong.seen == CL_BUILD_ERROR, "wrong program in the background");
    check(clBuildProgram(wrong.program, 1, &device, "", NULL, &wrong) == CL_INVALID_VALUE, "data without a callback");
    cl_program parts[2] = {compiled(square_source), compiled_main()};
    struct build link = {NULL, CL_BUILD_IN_PROGRESS};
    cl_program linked = clLinkProgram(context, 1, &device, "", 2, parts, built, &link, &code);
    check(linked != NULL && code == CL_SUCCESS, "link in the background");
    wait_for(&link);
    check(link.seen == CL_BUILD_SUCCESS, "linked in the background");
    check_all(linked, "linked in the background: results");
    /* A build that is released before it is done. */
    struct build released = {source(square_source), CL_BUILD_IN_PROGRESS};
    check(clBuildProgram(released.program, 1, &device, "", built, &released) == CL_SUCCESS, "build");
    check(clReleaseProgram(released.program) == CL_SUCCESS, "release");
    wait_for(&released);
}

/* A second build of a program that is being built is refused, whichever thread begins first. */
static void *builder(void *data)
{
    char text[256];
    for (int i = 0; i < BUILDS; i++) {
        int number = (int)(size_t)data * BUILDS + i;
        snprintf(text, sizeof text, "kernel void k(global int *a) { a[get_global_id(0)] += %d; }\n", number);
        const char *pointer = text;
        cl_int code, values[COUNT];
        cl_program program = clCreateProgramWithSource(context, 1, &pointer, NULL, &code);
        check(code == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "build of a thread");
        run(program, "k", values);
        for (int j = 0; j < COUNT; j++) check(values[j] == j + number, "result of a thread");
        clReleaseProgram(program);
    }
    return NULL;
}

int main(void)
{
    cl_int code;
    cl_platform_id platform;
    pthread_t threads[THREADS];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queue");
    device_named_twice();
    options_without_effect();
    objects_and_libraries();
    failures();
    background();
    for (size_t i = 0; i < THREADS; i++) check(!pthread_create(&threads[i], NULL, builder, (void *)i), "thread");
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    puts("passed");
    return 0;
}
