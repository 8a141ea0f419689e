/* Calls each function of the library with null, foreign, wrong and released handles and zeros for everything else: `loader.rs`
   passes the library and the names of its functions. Functions that return a handle or an address return null; all others but
   clUnloadCompiler, which has no parameters, return an error code. clGetGLContextInfoKHR takes a list, no handle. With a handle of each kind that is valid they return
   whatever they like, but they return. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef intptr_t word;
/* More parameters than any function has: in the calling conventions of C on 64-bit systems those too many are ignored. */
typedef word (*function)(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word);

static word call(function f, const void *first)
{
    return f((word)first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static int returns_address(const char *name)
{
    static const char *starts[] = {"clCreate", "clEnqueueMap", "clGetExtensionFunctionAddress", "clSVMAlloc", "clLinkProgram",
                                   "clCloneKernel", "clHostMemAlloc", "clDeviceMemAlloc", "clSharedMemAlloc", "clRemap"};
    if (!strcmp(name, "clCreateKernelsInProgram") || !strncmp(name, "clCreateSubDevices", 18)) return 0;
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(name, starts[i], strlen(starts[i]))) return 1;
    return 0;
}

#define KINDS 11
static const char *source = "kernel void store(global int *to) { *to = 1; }";

/* Functions of extensions, which the loader does not have. */
static void *(*create_semaphore)(cl_context, const cl_ulong *, cl_int *);
static void *(*create_command_buffer)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
static cl_int (*release_semaphore)(void *), (*release_command_buffer)(void *);

/* A handle of each kind, apart from platforms and devices, which are never released. */
static int create(cl_device_id device, void *handles[KINDS])
{
    cl_int codes[KINDS] = {0};
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &codes[0]);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &codes[4]);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL)) return 0;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &codes[1]);
    cl_mem buffer = clCreateBuffer(context, 0, 16, NULL, &codes[2]);
    cl_buffer_region region = {0, 8};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &codes[3]);
    cl_kernel kernel = clCreateKernel(program, "store", &codes[5]);
    cl_event user = clCreateUserEvent(context, &codes[6]), marker;
    codes[7] = clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker);
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &codes[8]);
    /* A device without images has no samplers. */
    if (codes[8] == CL_INVALID_OPERATION) codes[8] = 0;
    const cl_ulong type[] = {0x203D, 1, 0};
    void *semaphore = create_semaphore(context, type, &codes[9]), *commands = create_command_buffer(1, &queue, NULL, &codes[10]);
    void *made[KINDS] = {context, queue, buffer, part, program, kernel, user, marker, sampler, semaphore, commands};
    memcpy(handles, made, sizeof made);
    for (int i = 0; i < KINDS; i++)
        if (codes[i]) return 0;
    return clFinish(queue) == 0;
}

/* Releases the handles, those that need others first. */
static int release(void *handles[KINDS])
{
    return !release_semaphore(handles[9]) && !release_command_buffer(handles[10]) && (!handles[8] || !clReleaseSampler(handles[8])) && !clReleaseEvent(handles[7]) && !clReleaseEvent(handles[6])
        && !clReleaseKernel(handles[5]) && !clReleaseProgram(handles[4]) && !clReleaseMemObject(handles[3])
        && !clReleaseMemObject(handles[2]) && !clReleaseCommandQueue(handles[1]) && !clReleaseContext(handles[0]);
}

int main(int count, char **arguments)
{
    static long foreign[64];
    int failures = 0, called = 0;
    void *library = dlopen(arguments[1], RTLD_NOW), *platform = NULL, *device = NULL, *released[KINDS], *valid[KINDS];
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    *(void **)&create_semaphore = dlsym(library, "clCreateSemaphoreWithPropertiesKHR");
    *(void **)&create_command_buffer = dlsym(library, "clCreateCommandBufferKHR");
    *(void **)&release_semaphore = dlsym(library, "clReleaseSemaphoreKHR");
    *(void **)&release_command_buffer = dlsym(library, "clReleaseCommandBufferKHR");
    function platforms = (function)dlsym(library, "clGetPlatformIDs");
    if (!platforms || (int32_t)platforms(1, (word)&platform, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != 0) return 2;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, (cl_device_id *)&device, NULL)) return 2;
    if (!create(device, released) || !release(released) || !create(device, valid)) return fprintf(stderr, "no handles\n"), 2;
    for (int i = 2; i < count; i++) {
        const char *name = arguments[i];
        function f = (function)dlsym(library, name);
        if (!f) return fprintf(stderr, "no function %s\n", name), 2;
        called++;
        if (!strcmp(name, "clUnloadCompiler") || !strcmp(name, "clSVMFree") || !strcmp(name, "clGetGLContextInfoKHR")) continue;
        const void *handles[3 + KINDS] = {NULL, foreign, (char *)platform + 1};
        memcpy(handles + 3, released, sizeof released);
        for (int h = 0; h < 3 + KINDS; h++) {
            word result = call(f, handles[h]);
            int good = returns_address(name) ? result == 0 : (int32_t)result < 0;
            if (!good) failures++, fprintf(stderr, "%s with handle %d returned %ld\n", name, h, (long)result);
        }
    }
    for (int i = 2; i < count; i++) {
        function f = (function)dlsym(library, arguments[i]);
        if (!strncmp(arguments[i], "clRetain", 8) || !strncmp(arguments[i], "clRelease", 9)) continue;
        if (!strcmp(arguments[i], "clGetGLContextInfoKHR")) continue;
        for (int h = 0; h < KINDS; h++) call(f, valid[h]);
        call(f, platform);
        call(f, device);
    }
    if (!release(valid)) return fprintf(stderr, "handles are not valid any more\n"), 2;
    printf("%d functions\n", called);
    return failures != 0;
}
