/* Memory that a program in Vulkan has exported (cl_khr_external_memory): OpenCL and Vulkan write it by turns. Expected values
   are computed here. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include "vulkan_program.h"

enum { DEVICE_UUID = 0x106A, KINDS = 0x204F, PLATFORM_KINDS = 0x2044, LINEAR_KINDS = 0x2052, LIST = 0x2051, OPAQUE_FD = 0x2060,
       DMA_BUF = 0x2067, ACQUIRE = 0x2047, RELEASE = 0x2048 };

static cl_int (*acquire)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *);
static cl_int (*release)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *, cl_event *);
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_mem import(cl_mem_properties kind, int fd, cl_device_id only, cl_mem_flags flags, cl_int *code)
{
    cl_mem_properties properties[] = {kind, (cl_mem_properties)fd, only ? LIST : 0, (cl_mem_properties)(uintptr_t)only, 0, 0};
    return clCreateBufferWithProperties(context, properties, flags, BYTES, NULL, code);
}

static void command_type(cl_event event, cl_uint expected)
{
    cl_uint type = 0;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS && type == expected, "type of a command");
    clReleaseEvent(event);
}

static void buffers(cl_kernel kernel)
{
    static cl_uint found[COUNT];
    VkDeviceMemory memory, of_copy;
    VkBuffer buffer = new_buffer(&memory, 1), copy = new_buffer(&of_copy, 0);
    cl_uint *copied;
    check(pvkMapMemory(vk.device, of_copy, 0, BYTES, 0, (void **)&copied) == VK_SUCCESS, "map");
    begin();
    pvkCmdFillBuffer(vk.commands, buffer, 0, BYTES, 1000);
    submit();
    for (int turn = 0; turn < 2; turn++) {
        int fd = descriptor_of(memory);
        cl_int code;
        cl_mem object = import(OPAQUE_FD, fd, turn ? device : NULL, 0, &code);
        check(code == CL_SUCCESS && object, "import");
        check(fcntl(fd, F_GETFD) == -1, "the descriptor is the driver's");
        cl_event event;
        check(acquire(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS, "acquire");
        command_type(event, ACQUIRE);
        size_t count = COUNT;
        check(clSetKernelArg(kernel, 0, sizeof object, &object) == CL_SUCCESS, "argument");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL) == CL_SUCCESS, "kernel");
        check(release(queue, 1, &object, 0, NULL, &event) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "release");
        command_type(event, RELEASE);
        /* What the kernel has written, as Vulkan sees it; and what Vulkan writes, as OpenCL sees it. */
        begin();
        VkBufferCopy whole = {0, 0, BYTES};
        pvkCmdCopyBuffer(vk.commands, buffer, copy, 1, &whole);
        submit();
        for (cl_uint i = 0; i < COUNT; i++) check(copied[i] == 1000 + i, "what the kernel has written");
        begin();
        pvkCmdFillBuffer(vk.commands, buffer, 0, BYTES, 7 + turn);
        submit();
        check(acquire(queue, 1, &object, 0, NULL, NULL) == CL_SUCCESS, "acquire");
        check(clEnqueueReadBuffer(queue, object, CL_TRUE, 0, BYTES, found, 0, NULL, NULL) == CL_SUCCESS, "read");
        for (cl_uint i = 0; i < COUNT; i++) check(found[i] == 7u + turn, "what Vulkan has written");
        check(clReleaseMemObject(object) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "the end of the object");
        begin();
        pvkCmdFillBuffer(vk.commands, buffer, 0, BYTES, 1000);
        submit();
    }
    /* The memory lives as long as OpenCL has it. */
    cl_int code;
    cl_mem object = import(OPAQUE_FD, descriptor_of(memory), NULL, CL_MEM_READ_ONLY, &code);
    check(code == CL_SUCCESS, "import");
    pvkDestroyBuffer(vk.device, buffer, NULL);
    pvkFreeMemory(vk.device, memory, NULL);
    check(clEnqueueReadBuffer(queue, object, CL_TRUE, 0, BYTES, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (cl_uint i = 0; i < COUNT; i++) check(found[i] == 1000, "memory that Vulkan has freed");
    clReleaseMemObject(object);
    pvkDestroyBuffer(vk.device, copy, NULL);
    pvkFreeMemory(vk.device, of_copy, NULL);
}

enum { WIDTH = 40, HEIGHT = 24 };

/* Brings an image into the general layout. */
static void to_general(VkImage image, VkImageLayout from)
{
    VkImageMemoryBarrier barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .oldLayout = from, .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .image = image,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    pvkCmdPipelineBarrier(vk.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void images(cl_kernel kernel)
{
    VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .pNext = &external, .imageType = VK_IMAGE_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM,
                              .extent = {WIDTH, HEIGHT, 1}, .mipLevels = 1, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkImage image;
    check(pvkCreateImage(vk.device, &info, NULL, &image) == VK_SUCCESS, "image of Vulkan");
    VkMemoryDedicatedRequirements dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 needs = {VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, .pNext = &dedicated};
    VkImageMemoryRequirementsInfo2 of_image = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, .image = image};
    pvkGetImageMemoryRequirements2(vk.device, &of_image, &needs);
    VkMemoryDedicatedAllocateInfo alone = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = image};
    VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                         .pNext = dedicated.requiresDedicatedAllocation || dedicated.prefersDedicatedAllocation ? &alone : NULL};
    VkMemoryAllocateInfo allocate_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &export, .allocationSize = needs.memoryRequirements.size,
                                          .memoryTypeIndex = memory_type(needs.memoryRequirements.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
    VkDeviceMemory memory, of_copy;
    check(pvkAllocateMemory(vk.device, &allocate_info, NULL, &memory) == VK_SUCCESS, "memory");
    check(pvkBindImageMemory(vk.device, image, memory, 0) == VK_SUCCESS, "binding");
    VkClearColorValue color = {.float32 = {0, 1, 0, 1}};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    begin();
    to_general(image, VK_IMAGE_LAYOUT_UNDEFINED);
    pvkCmdClearColorImage(vk.commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    to_general(image, VK_IMAGE_LAYOUT_GENERAL);
    submit();

    cl_int code;
    cl_mem_properties properties[] = {OPAQUE_FD, (cl_mem_properties)descriptor_of(memory), 0};
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    cl_mem object = clCreateImageWithProperties(context, properties, CL_MEM_READ_WRITE, &format, &description, NULL, &code);
    check(code == CL_SUCCESS && object, "import of an image");
    check(acquire(queue, 1, &object, 0, NULL, NULL) == CL_SUCCESS, "acquire");
    static cl_uchar found[HEIGHT][WIDTH][4];
    size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1}, size[2] = {WIDTH / 2, HEIGHT};
    check(clEnqueueReadImage(queue, object, CL_TRUE, origin, region, 0, 0, found, 0, NULL, NULL) == CL_SUCCESS, "read");
    for (int i = 0; i < WIDTH * HEIGHT; i++) check(!memcmp(found[0][i], "\0\377\0\377", 4), "what Vulkan has drawn");
    check(clSetKernelArg(kernel, 0, sizeof object, &object) == CL_SUCCESS, "argument");
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL) == CL_SUCCESS, "kernel");
    check(release(queue, 1, &object, 0, NULL, NULL) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "release");

    VkBuffer copy = new_buffer(&of_copy, 0);
    unsigned char *copied;
    check(pvkMapMemory(vk.device, of_copy, 0, BYTES, 0, (void **)&copied) == VK_SUCCESS, "map");
    VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {WIDTH, HEIGHT, 1}};
    begin();
    pvkCmdCopyImageToBuffer(vk.commands, image, VK_IMAGE_LAYOUT_GENERAL, copy, 1, &whole);
    submit();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            unsigned char drawn[4] = {x, y, 255, 255}, cleared[4] = {0, 255, 0, 255};
            check(!memcmp(copied + 4 * (WIDTH * y + x), x < WIDTH / 2 ? drawn : cleared, 4), "what the kernel has drawn");
        }
    clReleaseMemObject(object);
    pvkDestroyImage(vk.device, image, NULL);
    pvkFreeMemory(vk.device, memory, NULL);
    pvkDestroyBuffer(vk.device, copy, NULL);
    pvkFreeMemory(vk.device, of_copy, NULL);
    description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    properties[1] = (cl_mem_properties)-1;
    check(!clCreateImageWithProperties(context, properties, 0, &format, &description, NULL, &code) && code == CL_INVALID_PROPERTY, "no descriptor");
}

static void mistakes(void)
{
    cl_int code, value;
    VkDeviceMemory memory;
    VkBuffer buffer = new_buffer(&memory, 1);
    int fd = descriptor_of(memory);
    check(!import(OPAQUE_FD, -1, NULL, 0, &code) && code == CL_INVALID_PROPERTY, "no descriptor");
    check(!import(OPAQUE_FD, fd, (cl_device_id)context, 0, &code) && code == CL_INVALID_DEVICE, "not a device");
    check(!import(0x7777, fd, NULL, 0, &code) && code == CL_INVALID_PROPERTY, "an unknown kind");
    check(!import(OPAQUE_FD, fd, NULL, CL_MEM_ALLOC_HOST_PTR, &code) && code == CL_INVALID_VALUE, "memory of the host");
    cl_mem_properties both[] = {OPAQUE_FD, (cl_mem_properties)fd, OPAQUE_FD, (cl_mem_properties)fd, 0};
    check(!clCreateBufferWithProperties(context, both, 0, BYTES, NULL, &code) && code == CL_INVALID_PROPERTY, "two descriptors");
    cl_mem_properties only_devices[] = {LIST, (cl_mem_properties)(uintptr_t)device, 0, 0};
    check(!clCreateBufferWithProperties(context, only_devices, 0, BYTES, NULL, &code) && code == CL_INVALID_PROPERTY, "devices alone");
    check(fcntl(fd, F_GETFD) != -1, "the descriptor is the client's after errors");
    cl_mem object = import(OPAQUE_FD, fd, NULL, 0, &code), other = clCreateBuffer(context, 0, 16, NULL, &code);
    cl_mem mixed[] = {object, other};
    check(acquire(queue, 2, mixed, 0, NULL, NULL) == CL_INVALID_MEM_OBJECT, "an object that is not external");
    check(acquire(queue, 0, NULL, 0, NULL, NULL) == CL_SUCCESS, "no objects");
    check(acquire(queue, 0, mixed, 0, NULL, NULL) == CL_INVALID_VALUE && release(queue, 1, NULL, 0, NULL, NULL) == CL_INVALID_VALUE, "lists");
    check(acquire(NULL, 1, mixed, 0, NULL, NULL) == CL_INVALID_COMMAND_QUEUE, "no queue");
    check(acquire(queue, 1, mixed, 1, NULL, NULL) == CL_INVALID_EVENT_WAIT_LIST, "no events");
    cl_mem_properties read[4];
    size_t size;
    check(clGetMemObjectInfo(object, CL_MEM_PROPERTIES, sizeof read, read, &size) == CL_SUCCESS && size >= 3 * sizeof *read && read[0] == OPAQUE_FD, "properties");
    check(clGetMemObjectInfo(object, CL_MEM_REFERENCE_COUNT, sizeof value, &value, NULL) == CL_SUCCESS && value == 1, "one reference");
    clReleaseMemObject(object);
    clReleaseMemObject(other);
    /* An immutable object has its contents in external memory. */
    const cl_mem_flags immutable = (cl_mem_flags)1 << 6;
    begin();
    pvkCmdFillBuffer(vk.commands, buffer, 0, BYTES, 4711);
    submit();
    fd = descriptor_of(memory);
    check(!import(OPAQUE_FD, fd, NULL, immutable | CL_MEM_READ_WRITE, &code) && code == CL_INVALID_VALUE, "an immutable object that is written");
    object = import(OPAQUE_FD, fd, NULL, immutable, &code);
    check(object && code == CL_SUCCESS, "an immutable object of external memory");
    check(clEnqueueReadBuffer(queue, object, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS && value == 4711, "its contents");
    check(clEnqueueWriteBuffer(queue, object, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_INVALID_OPERATION, "a write");
    check(!clCreateBuffer(context, immutable, BYTES, NULL, &code) && code == CL_INVALID_VALUE, "no contents");
    clReleaseMemObject(object);
    pvkDestroyBuffer(vk.device, buffer, NULL);
    pvkFreeMemory(vk.device, memory, NULL);
}

int main(void)
{
    cl_platform_id platform;
    cl_int code;
    cl_uint kinds[4];
    size_t size;
    unsigned char uuid[16];
    static char extensions[8192];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    check(clGetDeviceInfo(device, KINDS, sizeof kinds, kinds, &size) == CL_SUCCESS, "kinds");
    check(!strstr(extensions, "cl_khr_external_memory") == (size == 0), "the extension");
    check(!strstr(extensions, "cl_khr_external_memory_dma_buf") == !(size == 8 && kinds[1] == DMA_BUF), "the extension of dma_buf");
    if (size == 0) {
        puts("none");
        return 0;
    }
    check(kinds[0] == OPAQUE_FD && strstr(extensions, "cl_khr_external_memory_opaque_fd"), "opaque descriptors");
    check(clGetPlatformInfo(platform, PLATFORM_KINDS, sizeof kinds, kinds, &size) == CL_SUCCESS, "kinds of the platform");
    check(clGetDeviceInfo(device, LINEAR_KINDS, sizeof kinds, kinds, &size) == CL_SUCCESS && size == 0, "linear kinds");
    check(clGetDeviceInfo(device, DEVICE_UUID, sizeof uuid, uuid, NULL) == CL_SUCCESS, "identity");
    *(void **)&acquire = clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueAcquireExternalMemObjectsKHR");
    *(void **)&release = clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueReleaseExternalMemObjectsKHR");
    check(acquire && release, "functions");
    vulkan(uuid, 0);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    const char *source =
        "kernel void add(global uint *a) { a[get_global_id(0)] += get_global_id(0); }\n"
        "kernel void draw(write_only image2d_t to) { int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "    write_imagef(to, at, (float4)(at.x / 255.0f, at.y / 255.0f, 1, 1)); }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "program");
    cl_kernel kernel = clCreateKernel(program, "add", &code), draw = clCreateKernel(program, "draw", &code);
    check(code == CL_SUCCESS, "kernels");
    buffers(kernel);
    images(draw);
    mistakes();
    clReleaseKernel(kernel);
    clReleaseKernel(draw);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("passed");
    return 0;
}
