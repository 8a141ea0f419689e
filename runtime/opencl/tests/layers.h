/* Functions of the extensions that are layers of the host: cl_khr_semaphore and cl_khr_command_buffer. They are declared here,
   because headers of distributions have an older version of the second. */
#ifndef LAYERS_H
#define LAYERS_H

#include "check.h"
#include <CL/cl.h>
#include <stddef.h>

enum { INVALID_COMMAND_BUFFER = -1138, INVALID_SYNC_POINTS = -1139, INVALID_SEMAPHORE = -1142 };
enum { SEMAPHORE_TYPE = 0x203D, BINARY = 1, SEMAPHORE_PAYLOAD = 0x203C, COMMAND_BUFFER_STATE = 0x1297 };

typedef void *handle;
static handle (*create_semaphore)(cl_context, const cl_ulong *, cl_int *);
static cl_int (*wait_semaphores)(cl_command_queue, cl_uint, const handle *, const cl_ulong *, cl_uint, const cl_event *, cl_event *);
static cl_int (*signal_semaphores)(cl_command_queue, cl_uint, const handle *, const cl_ulong *, cl_uint, const cl_event *, cl_event *);
static cl_int (*semaphore_info)(handle, cl_uint, size_t, void *, size_t *);
static cl_int (*release_semaphore)(handle);
static handle (*create_buffer)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
static cl_int (*finalize)(handle);
static cl_int (*release_buffer)(handle);
static cl_int (*enqueue)(cl_uint, cl_command_queue *, handle, cl_uint, const cl_event *, cl_event *);
static cl_int (*buffer_info)(handle, cl_uint, size_t, void *, size_t *);
static cl_int (*record_barrier)(handle, cl_command_queue, const cl_ulong *, cl_uint, const cl_uint *, cl_uint *, handle *);
static cl_int (*record_fill)(handle, cl_command_queue, const cl_ulong *, cl_mem, const void *, size_t, size_t, size_t, cl_uint,
                             const cl_uint *, cl_uint *, handle *);
static cl_int (*record_copy)(handle, cl_command_queue, const cl_ulong *, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
                             const cl_uint *, cl_uint *, handle *);
static cl_int (*record_kernel)(handle, cl_command_queue, const cl_ulong *, cl_kernel, cl_uint, const size_t *, const size_t *,
                               const size_t *, cl_uint, const cl_uint *, cl_uint *, handle *);

static inline void *find(cl_platform_id platform, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    check(found != NULL, name);
    return found;
}

static inline void find_layers(cl_platform_id platform)
{
    *(void **)&create_semaphore = find(platform, "clCreateSemaphoreWithPropertiesKHR");
    *(void **)&wait_semaphores = find(platform, "clEnqueueWaitSemaphoresKHR");
    *(void **)&signal_semaphores = find(platform, "clEnqueueSignalSemaphoresKHR");
    *(void **)&semaphore_info = find(platform, "clGetSemaphoreInfoKHR");
    *(void **)&release_semaphore = find(platform, "clReleaseSemaphoreKHR");
    *(void **)&create_buffer = find(platform, "clCreateCommandBufferKHR");
    *(void **)&finalize = find(platform, "clFinalizeCommandBufferKHR");
    *(void **)&release_buffer = find(platform, "clReleaseCommandBufferKHR");
    *(void **)&enqueue = find(platform, "clEnqueueCommandBufferKHR");
    *(void **)&buffer_info = find(platform, "clGetCommandBufferInfoKHR");
    *(void **)&record_barrier = find(platform, "clCommandBarrierWithWaitListKHR");
    *(void **)&record_fill = find(platform, "clCommandFillBufferKHR");
    *(void **)&record_copy = find(platform, "clCommandCopyBufferKHR");
    *(void **)&record_kernel = find(platform, "clCommandNDRangeKernelKHR");
}

#endif
