/* Semaphores that OpenCL and a program in Vulkan share (cl_khr_external_semaphore): they write one buffer by turns, and nothing but
   semaphores orders them. Expected values are computed here. */
#define CL_TARGET_OPENCL_VERSION 300
#include "layers.h"
#include "vulkan_program.h"
#include <fcntl.h>
#include <unistd.h>

enum { DEVICE_UUID = 0x106A, IMPORTED = 0x204D, EXPORTED = 0x204E, PLATFORM_IMPORTED = 0x2037, PLATFORM_EXPORTED = 0x2038,
       EXPORT_TYPES = 0x203F, EXPORTABLE = 0x2054, DEVICES = 0x2053, PROPERTIES = 0x203B, OPAQUE_FD = 0x2055, SYNC_FD = 0x2058,
       MEMORY_OPAQUE_FD = 0x2060, INVALID_PROPERTY = -64 };

static cl_int (*handle_for_type)(handle, cl_device_id, cl_uint, size_t, void *, size_t *);
static cl_int (*import_again)(handle, const cl_ulong *, int);
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue, second;
static cl_kernel add;

/* The kinds that a list of a device or of the platform has: 1 for opaque descriptors, 2 for sync files. */
static unsigned kinds(int of_platform, cl_uint name)
{
    cl_uint found[4];
    size_t size = ~(size_t)0;
    cl_int code = of_platform ? clGetPlatformInfo(platform, name, sizeof found, found, &size) : clGetDeviceInfo(device, name, sizeof found, found, &size);
    check(code == CL_SUCCESS && size % 4 == 0 && size <= 8, "a list of kinds");
    unsigned all = 0;
    for (size_t i = 0; i < size / 4; i++) {
        check(found[i] == OPAQUE_FD || found[i] == SYNC_FD, "a kind");
        all |= found[i] == OPAQUE_FD ? 1 : 2;
    }
    return all;
}

static handle create(cl_context of, cl_ulong name, cl_ulong value, cl_int *code)
{
    cl_ulong list[] = {SEMAPHORE_TYPE, BINARY, name, value, 0, 0};
    return create_semaphore(of, list, code);
}

static handle good(cl_context of, cl_ulong name, cl_ulong value)
{
    cl_int code;
    handle made = create(of, name, value, &code);
    check(made && code == CL_SUCCESS, "a semaphore");
    return made;
}

static int descriptor(handle semaphore, cl_uint kind)
{
    int fd = -2;
    size_t size = 0;
    check(handle_for_type(semaphore, device, kind, sizeof fd, &fd, &size) == CL_SUCCESS && size == sizeof fd, "a descriptor");
    check(fd >= 0 || (kind == SYNC_FD && fd == -1), "a descriptor");
    return fd;
}

static VkSemaphore new_semaphore(int is_exported)
{
    VkExportSemaphoreCreateInfo export = {VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = is_exported ? &export : NULL};
    VkSemaphore semaphore;
    check(pvkCreateSemaphore(vk.device, &info, NULL, &semaphore) == VK_SUCCESS, "a semaphore of Vulkan");
    return semaphore;
}

/* Submits what is recorded: after `wait`, before `signal`, each if it is not null. */
static void submit_between(VkSemaphore wait, VkSemaphore signal)
{
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &vk.commands, .pWaitDstStageMask = &stage,
                         .waitSemaphoreCount = wait != VK_NULL_HANDLE, .pWaitSemaphores = &wait,
                         .signalSemaphoreCount = signal != VK_NULL_HANDLE, .pSignalSemaphores = &signal};
    check(pvkEndCommandBuffer(vk.commands) == VK_SUCCESS && pvkQueueSubmit(vk.queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS, "submit");
}

/* Vulkan fills the buffer, OpenCL adds to it, Vulkan reads it; several times, with the same semaphores. */
static void by_turns(void)
{
    VkDeviceMemory memory, of_copy;
    VkBuffer buffer = new_buffer(&memory, 1), copy = new_buffer(&of_copy, 0);
    cl_uint *copied;
    check(pvkMapMemory(vk.device, of_copy, 0, BYTES, 0, (void **)&copied) == VK_SUCCESS, "map");
    cl_int code;
    cl_mem_properties properties[] = {MEMORY_OPAQUE_FD, (cl_mem_properties)descriptor_of(memory), 0};
    cl_mem object = clCreateBufferWithProperties(context, properties, 0, BYTES, NULL, &code);
    check(code == CL_SUCCESS && clSetKernelArg(add, 0, sizeof object, &object) == CL_SUCCESS, "the buffer");

    VkSemaphore filled = new_semaphore(1), added = new_semaphore(0);
    VkSemaphoreGetFdInfoKHR get = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = filled, .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    check(pvkGetSemaphoreFdKHR(vk.device, &get, &fd) == VK_SUCCESS, "a descriptor of Vulkan's semaphore");
    handle from_vulkan = good(context, OPAQUE_FD, (cl_ulong)fd), to_vulkan = good(context, EXPORT_TYPES, OPAQUE_FD);
    check(fcntl(fd, F_GETFD) == -1, "the descriptor is the driver's");
    VkImportSemaphoreFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, .semaphore = added,
                                         .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, .fd = descriptor(to_vulkan, OPAQUE_FD)};
    check(pvkImportSemaphoreFdKHR(vk.device, &import) == VK_SUCCESS, "a semaphore of OpenCL in Vulkan");

    for (cl_uint turn = 0; turn < 5; turn++) {
        begin();
        pvkCmdFillBuffer(vk.commands, buffer, 0, BYTES, 1000 * turn);
        submit_between(VK_NULL_HANDLE, filled);
        size_t count = COUNT;
        cl_event signaled;
        check(wait_semaphores(queue, 1, &from_vulkan, NULL, 0, NULL, NULL) == CL_SUCCESS, "wait");
        check(clEnqueueNDRangeKernel(queue, add, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "kernel");
        check(signal_semaphores(queue, 1, &to_vulkan, NULL, 0, NULL, &signaled) == CL_SUCCESS && clFlush(queue) == CL_SUCCESS, "signal");
        /* Vulkan's wait must come after the submission of the signal. The command buffer is not in use then either. */
        check(clWaitForEvents(1, &signaled) == CL_SUCCESS && clReleaseEvent(signaled) == CL_SUCCESS, "the signal");
        begin();
        VkBufferCopy whole = {0, 0, BYTES};
        pvkCmdCopyBuffer(vk.commands, buffer, copy, 1, &whole);
        submit_between(added, VK_NULL_HANDLE);
        check(pvkQueueWaitIdle(vk.queue) == VK_SUCCESS, "the copy");
        for (cl_uint i = 0; i < COUNT; i++) check(copied[i] == 1000 * turn + i, "what the kernel has written");
    }
    release_semaphore(from_vulkan);
    release_semaphore(to_vulkan);
    clReleaseMemObject(object);
    check(clFinish(queue) == CL_SUCCESS, "finish");
    pvkDestroySemaphore(vk.device, filled, NULL);
    pvkDestroySemaphore(vk.device, added, NULL);
    pvkDestroyBuffer(vk.device, buffer, NULL);
    pvkFreeMemory(vk.device, memory, NULL);
    pvkDestroyBuffer(vk.device, copy, NULL);
    pvkFreeMemory(vk.device, of_copy, NULL);
}

static int status(cl_event event)
{
    cl_int found;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof found, &found, NULL) == CL_SUCCESS, "status");
    return found;
}

/* Two queues of this driver in two contexts; the signal is held back, and the wait comes meanwhile in the first one. */
static void contexts_and_queues(void)
{
    cl_int code;
    handle semaphore = good(context, EXPORT_TYPES, OPAQUE_FD);
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue there = clCreateCommandQueueWithProperties(other, device, NULL, &code);
    handle same = good(other, OPAQUE_FD, (cl_ulong)descriptor(semaphore, OPAQUE_FD));
    for (int turn = 0; turn < 3; turn++) {
        cl_event signaled, waited;
        check(signal_semaphores(queue, 1, &semaphore, NULL, 0, NULL, &signaled) == CL_SUCCESS, "signal");
        check(clWaitForEvents(1, &signaled) == CL_SUCCESS, "the signal");
        check(wait_semaphores(there, 1, &same, NULL, 0, NULL, &waited) == CL_SUCCESS && clWaitForEvents(1, &waited) == CL_SUCCESS, "wait elsewhere");
        clReleaseEvent(signaled);
        clReleaseEvent(waited);
    }
    for (int turn = 0; turn < 3; turn++) {
        cl_event user = clCreateUserEvent(context, &code), waited;
        cl_ulong payload = 7;
        check(signal_semaphores(queue, 1, &semaphore, NULL, 1, &user, NULL) == CL_SUCCESS, "signal");
        check(wait_semaphores(second, 1, &semaphore, NULL, 0, NULL, &waited) == CL_SUCCESS && clFlush(second) == CL_SUCCESS, "wait");
        usleep(2000);
        check(status(waited) > CL_COMPLETE, "the wait is not complete before the signal");
        check(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS && clWaitForEvents(1, &waited) == CL_SUCCESS, "wait");
        check(semaphore_info(semaphore, SEMAPHORE_PAYLOAD, sizeof payload, &payload, NULL) == CL_SUCCESS && payload == 0, "waited for");
        clReleaseEvent(user);
        clReleaseEvent(waited);
    }
    /* Signals and waits of one queue follow each other without the host. */
    for (int turn = 0; turn < 20; turn++) {
        check(signal_semaphores(queue, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS, "signal");
        check(wait_semaphores(turn % 2 ? queue : second, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS, "wait");
    }
    check(clFinish(queue) == CL_SUCCESS && clFinish(second) == CL_SUCCESS, "finish");
    check(release_semaphore(semaphore) == CL_SUCCESS && release_semaphore(same) == CL_SUCCESS, "release");
    clReleaseCommandQueue(there);
    clReleaseContext(other);
}

/* A wait fails with its signal, and the semaphore can be used again. */
static void failures(void)
{
    cl_int code;
    handle semaphore = good(context, EXPORT_TYPES, OPAQUE_FD);
    for (int turn = 0; turn < 6; turn++) {
        cl_event user = clCreateUserEvent(context, &code), signaled, waited;
        check(signal_semaphores(queue, 1, &semaphore, NULL, 1, &user, &signaled) == CL_SUCCESS, "signal");
        /* Before the failure or after it. */
        if (turn % 2) check(wait_semaphores(second, 1, &semaphore, NULL, 0, NULL, &waited) == CL_SUCCESS, "wait");
        check(clSetUserEventStatus(user, -1) == CL_SUCCESS, "fail");
        check(clWaitForEvents(1, &signaled) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && status(signaled) < 0, "the signal fails");
        if (!(turn % 2)) check(wait_semaphores(second, 1, &semaphore, NULL, 0, NULL, &waited) == CL_SUCCESS, "wait");
        check(clWaitForEvents(1, &waited) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && status(waited) < 0, "the wait fails");
        clReleaseEvent(user);
        clReleaseEvent(signaled);
        clReleaseEvent(waited);
        check(signal_semaphores(queue, 1, &semaphore, NULL, 0, NULL, NULL) == CL_SUCCESS, "signal again");
        check(wait_semaphores(second, 1, &semaphore, NULL, 0, NULL, &waited) == CL_SUCCESS && clWaitForEvents(1, &waited) == CL_SUCCESS, "wait again");
        clReleaseEvent(waited);
    }
    clFinish(queue);
    clFinish(second);
    check(release_semaphore(semaphore) == CL_SUCCESS, "release");
}

/* Vulkan waits at once when a signal was enqueued, and a semaphore is released while a command waits for it. */
static void without_events(void)
{
    cl_int code;
    handle to_vulkan = good(context, EXPORT_TYPES, OPAQUE_FD);
    VkSemaphore there = new_semaphore(0), late = new_semaphore(1);
    VkImportSemaphoreFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR, .semaphore = there,
                                         .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, .fd = descriptor(to_vulkan, OPAQUE_FD)};
    check(pvkImportSemaphoreFdKHR(vk.device, &import) == VK_SUCCESS, "import");
    for (int turn = 0; turn < 10; turn++) {
        cl_event signaled;
        check(signal_semaphores(queue, 1, &to_vulkan, NULL, 0, NULL, &signaled) == CL_SUCCESS, "signal");
        check(status(signaled) <= CL_SUBMITTED, "the signal is submitted when the call returns");
        begin();
        submit_between(there, VK_NULL_HANDLE);
        check(pvkQueueWaitIdle(vk.queue) == VK_SUCCESS, "Vulkan's wait");
        clReleaseEvent(signaled);
    }
    VkSemaphoreGetFdInfoKHR get = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = late, .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    cl_event waited;
    check(pvkGetSemaphoreFdKHR(vk.device, &get, &fd) == VK_SUCCESS, "a descriptor");
    handle from_vulkan = create(context, OPAQUE_FD, (cl_ulong)fd, &code);
    check(wait_semaphores(second, 1, &from_vulkan, NULL, 0, NULL, &waited) == CL_SUCCESS && clFlush(second) == CL_SUCCESS, "wait");
    check(release_semaphore(from_vulkan) == CL_SUCCESS && status(waited) > CL_COMPLETE, "the release does not wait");
    begin();
    submit_between(VK_NULL_HANDLE, late);
    check(clWaitForEvents(1, &waited) == CL_SUCCESS && clReleaseEvent(waited) == CL_SUCCESS, "Vulkan's signal");
    check(pvkQueueWaitIdle(vk.queue) == VK_SUCCESS && clFinish(queue) == CL_SUCCESS && release_semaphore(to_vulkan) == CL_SUCCESS, "release");
    pvkDestroySemaphore(vk.device, there, NULL);
    pvkDestroySemaphore(vk.device, late, NULL);
}

/* Sync files, copies of one signal each. */
static void sync_files(void)
{
    cl_int code;
    handle from = good(context, EXPORT_TYPES, SYNC_FD), to = good(context, SYNC_FD, (cl_ulong)-1);
    int fd = -1;
    check(handle_for_type(from, device, SYNC_FD, sizeof fd, &fd, NULL) == CL_INVALID_OPERATION, "no signal to export");
    check(wait_semaphores(queue, 1, &from, NULL, 0, NULL, NULL) == CL_INVALID_OPERATION, "no signal to wait for");
    check(wait_semaphores(queue, 1, &to, NULL, 0, NULL, NULL) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "a file that is signaled");
    for (int turn = 0; turn < 3; turn++) {
        check(signal_semaphores(queue, 1, &from, NULL, 0, NULL, NULL) == CL_SUCCESS, "signal");
        check(import_again(to, NULL, descriptor(from, SYNC_FD)) == CL_SUCCESS, "import again");
        check(wait_semaphores(second, 1, &to, NULL, 0, NULL, NULL) == CL_SUCCESS && clFinish(second) == CL_SUCCESS, "wait");
    }
    check(import_again(to, NULL, -2) == CL_INVALID_VALUE && import_again(from, NULL, -1) == INVALID_SEMAPHORE, "what cannot be imported");
    check(!create(context, SYNC_FD, (cl_ulong)(cl_uint)-2, &code) && code == INVALID_PROPERTY, "no descriptor");
    check(release_semaphore(from) == CL_SUCCESS && release_semaphore(to) == CL_SUCCESS, "release");
}

static void queries_and_mistakes(void)
{
    cl_int code;
    cl_uint found[4], truth;
    cl_ulong list[8];
    size_t size;
    int fd;
    handle exported = good(context, EXPORT_TYPES, OPAQUE_FD);
    check(semaphore_info(exported, EXPORT_TYPES, sizeof found, found, &size) == CL_SUCCESS && size == 4 && found[0] == OPAQUE_FD, "kinds");
    check(semaphore_info(exported, EXPORTABLE, sizeof truth, &truth, &size) == CL_SUCCESS && size == 4 && truth == CL_TRUE, "exportable");
    check(semaphore_info(exported, PROPERTIES, sizeof list, list, &size) == CL_SUCCESS && size == 48 && list[2] == EXPORT_TYPES && list[3] == OPAQUE_FD, "properties");
    check(handle_for_type(exported, device, OPAQUE_FD, 0, NULL, &size) == CL_SUCCESS && size == sizeof fd, "the size alone");
    check(handle_for_type(exported, device, OPAQUE_FD, 3, &fd, NULL) == CL_INVALID_VALUE, "no room");
    check(handle_for_type(exported, device, SYNC_FD, sizeof fd, &fd, NULL) == CL_INVALID_VALUE, "another kind");
    check(handle_for_type(exported, NULL, OPAQUE_FD, sizeof fd, &fd, NULL) == CL_INVALID_DEVICE, "no device");
    check(handle_for_type(NULL, device, OPAQUE_FD, sizeof fd, &fd, NULL) == INVALID_SEMAPHORE, "no semaphore");
    check(import_again(exported, NULL, -1) == INVALID_SEMAPHORE && import_again(NULL, NULL, -1) == INVALID_SEMAPHORE, "not a sync file");
    fd = descriptor(exported, OPAQUE_FD);
    cl_ulong both[] = {SEMAPHORE_TYPE, BINARY, OPAQUE_FD, (cl_ulong)fd, EXPORT_TYPES, OPAQUE_FD, 0, 0};
    check(!create_semaphore(context, both, &code) && code == CL_INVALID_OPERATION, "imported and exported");
    cl_ulong twice[] = {SEMAPHORE_TYPE, BINARY, OPAQUE_FD, (cl_ulong)fd, OPAQUE_FD, (cl_ulong)fd, 0};
    check(!create_semaphore(context, twice, &code) && code == INVALID_PROPERTY, "two handles");
    cl_ulong many[] = {SEMAPHORE_TYPE, BINARY, EXPORT_TYPES, OPAQUE_FD, SYNC_FD, 0, 0};
    check(!create_semaphore(context, many, &code) && code == CL_INVALID_VALUE, "two kinds to export");
    check(!create(context, EXPORT_TYPES, 0x2056, &code) && code == INVALID_PROPERTY, "handles of Windows");
    check(!create(context, OPAQUE_FD, (cl_ulong)-1, &code) && code == INVALID_PROPERTY, "no descriptor");
    check(fcntl(fd, F_GETFD) != -1, "the descriptor is the client's after errors");
    cl_ulong named[] = {SEMAPHORE_TYPE, BINARY, OPAQUE_FD, (cl_ulong)fd, DEVICES, (cl_ulong)(uintptr_t)device, 0, 0};
    handle imported = create_semaphore(context, named, &code);
    check(imported && code == CL_SUCCESS && fcntl(fd, F_GETFD) == -1, "a semaphore for a device");
    check(semaphore_info(imported, EXPORT_TYPES, sizeof found, found, &size) == CL_SUCCESS && size == 0, "no kinds");
    check(semaphore_info(imported, EXPORTABLE, sizeof truth, &truth, NULL) == CL_SUCCESS && truth == CL_FALSE, "not exportable");
    check(handle_for_type(imported, device, OPAQUE_FD, sizeof fd, &fd, NULL) == CL_INVALID_VALUE, "an imported semaphore");
    check(release_semaphore(imported) == CL_SUCCESS && release_semaphore(exported) == CL_SUCCESS, "release");
}

/* A device without the extension says so, and refuses what it would need. */
static void none(void)
{
    cl_int code;
    check(!create(context, EXPORT_TYPES, OPAQUE_FD, &code) && code == INVALID_PROPERTY, "a semaphore to export");
    check(!create(context, OPAQUE_FD, 0, &code) && code == CL_INVALID_DEVICE, "a semaphore to import");
    handle plain = create_semaphore(context, (cl_ulong[]){SEMAPHORE_TYPE, BINARY, 0}, &code);
    cl_uint truth = 1;
    size_t size = 1;
    check(semaphore_info(plain, EXPORTABLE, sizeof truth, &truth, NULL) == CL_SUCCESS && truth == CL_FALSE, "not exportable");
    check(semaphore_info(plain, EXPORT_TYPES, 0, NULL, &size) == CL_SUCCESS && size == 0, "no kinds");
    check(import_again(plain, NULL, -1) == INVALID_SEMAPHORE && release_semaphore(plain) == CL_SUCCESS, "release");
}

int main(void)
{
    cl_int code;
    unsigned char uuid[16];
    static char extensions[8192];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    find_layers(platform);
    *(void **)&handle_for_type = find(platform, "clGetSemaphoreHandleForTypeKHR");
    *(void **)&import_again = find(platform, "clReImportSemaphoreSyncFdKHR");
    unsigned imported = kinds(0, IMPORTED), exported = kinds(0, EXPORTED), both = imported & exported;
    check(!strstr(extensions, "cl_khr_external_semaphore") == !(imported | exported), "the extension");
    check(!strstr(extensions, "cl_khr_external_semaphore_opaque_fd") == !(both & 1), "the extension of opaque descriptors");
    check(!strstr(extensions, "cl_khr_external_semaphore_sync_fd") == !(both & 2), "the extension of sync files");
    check(!(kinds(1, PLATFORM_IMPORTED) & ~imported) && !(kinds(1, PLATFORM_EXPORTED) & ~exported), "kinds of the platform");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    second = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    check(code == CL_SUCCESS, "queues");
    if (!imported && !exported) none();
    if (both & 1) {
        check(clGetDeviceInfo(device, DEVICE_UUID, sizeof uuid, uuid, NULL) == CL_SUCCESS, "identity");
        vulkan(uuid, 1);
        const char *source = "kernel void add(global uint *a) { a[get_global_id(0)] += get_global_id(0); }";
        cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
        check(code == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "program");
        add = clCreateKernel(program, "add", &code);
        queries_and_mistakes();
        by_turns();
        contexts_and_queues();
        failures();
        without_events();
        clReleaseKernel(add);
        clReleaseProgram(program);
    }
    if (both & 2) sync_files();
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(second);
    clReleaseContext(context);
    printf("%s%s%s\n", both ? "passed" : "none", both & 1 ? " opaque" : "", both & 2 ? " sync" : "");
    return 0;
}
