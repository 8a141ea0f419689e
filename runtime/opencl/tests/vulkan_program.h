/* A program of Vulkan's own, with which tests of OpenCL share memory and semaphores. */
#ifndef VULKAN_H_OF_TESTS
#define VULKAN_H_OF_TESTS

#include "check.h"
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { COUNT = 1 << 18, BYTES = 4 * COUNT };

/* The program in Vulkan: a device, and a queue for copies. */
static struct { VkInstance instance; VkPhysicalDevice physical; VkDevice device; VkQueue queue; VkCommandBuffer commands; } vk;
#define FUNCTIONS(F) F(vkEnumeratePhysicalDevices) F(vkGetPhysicalDeviceProperties2) F(vkCreateDevice) F(vkGetDeviceQueue) \
    F(vkCreateCommandPool) F(vkAllocateCommandBuffers) F(vkCreateBuffer) F(vkGetBufferMemoryRequirements) F(vkAllocateMemory) \
    F(vkBindBufferMemory) F(vkGetPhysicalDeviceMemoryProperties) F(vkMapMemory) F(vkBeginCommandBuffer) F(vkEndCommandBuffer) \
    F(vkCmdFillBuffer) F(vkCmdCopyBuffer) F(vkQueueSubmit) F(vkQueueWaitIdle) F(vkDestroyBuffer) F(vkFreeMemory) \
    F(vkGetMemoryFdKHR) F(vkCreateImage) F(vkGetImageMemoryRequirements2) F(vkBindImageMemory) F(vkCmdPipelineBarrier) \
    F(vkCmdClearColorImage) F(vkCmdCopyImageToBuffer) F(vkDestroyImage) F(vkCreateSemaphore) F(vkDestroySemaphore) \
    F(vkGetSemaphoreFdKHR) F(vkImportSemaphoreFdKHR)
#define DECLARE(name) static PFN_##name p##name;
FUNCTIONS(DECLARE)

/* Opens the device, which exports memory, and semaphores too if they are wanted. */
static inline void vulkan(const unsigned char *uuid, int with_semaphores)
{
    void *library = dlopen("libvulkan.so.1", RTLD_NOW);
    check(library != NULL, "Vulkan");
    PFN_vkGetInstanceProcAddr address = (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr");
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)address(NULL, "vkCreateInstance");
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    check(create(&info, NULL, &vk.instance) == VK_SUCCESS, "instance");
#define FIND(name) p##name = (PFN_##name)address(vk.instance, #name);
    FUNCTIONS(FIND)
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    pvkEnumeratePhysicalDevices(vk.instance, &count, devices);
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceIDProperties id = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
        pvkGetPhysicalDeviceProperties2(devices[i], &properties);
        if (!memcmp(id.deviceUUID, uuid, sizeof id.deviceUUID)) vk.physical = devices[i];
    }
    check(vk.physical != NULL, "the device in Vulkan");
    float priority = 1;
    const char *extensions[] = {"VK_KHR_external_memory_fd", "VK_KHR_external_semaphore_fd"};
    VkDeviceQueueCreateInfo of_queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo of_device = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &of_queue,
                                    .enabledExtensionCount = with_semaphores ? 2 : 1, .ppEnabledExtensionNames = extensions};
    check(pvkCreateDevice(vk.physical, &of_device, NULL, &vk.device) == VK_SUCCESS, "device of Vulkan");
    pvkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
    VkCommandPool pool;
    VkCommandPoolCreateInfo of_pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    check(pvkCreateCommandPool(vk.device, &of_pool, NULL, &pool) == VK_SUCCESS, "pool");
    VkCommandBufferAllocateInfo of_commands = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
    check(pvkAllocateCommandBuffers(vk.device, &of_commands, &vk.commands) == VK_SUCCESS, "commands");
}

/* The first type of memory among `bits` that has a property, or the first one. */
static uint32_t memory_type(uint32_t bits, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties all;
    uint32_t first = ~0u;
    pvkGetPhysicalDeviceMemoryProperties(vk.physical, &all);
    for (uint32_t i = 0; i < all.memoryTypeCount; i++) {
        if (!(bits >> i & 1)) continue;
        if (all.memoryTypes[i].propertyFlags & wanted) return i;
        if (first == ~0u) first = i;
    }
    return first;
}

static VkDeviceMemory allocate(VkMemoryRequirements needs, VkMemoryPropertyFlags wanted, int is_exported)
{
    VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = is_exported ? &export : NULL, .allocationSize = needs.size,
                                 .memoryTypeIndex = memory_type(needs.memoryTypeBits, wanted)};
    VkDeviceMemory memory;
    check(pvkAllocateMemory(vk.device, &info, NULL, &memory) == VK_SUCCESS, "memory");
    return memory;
}

static inline VkBuffer new_buffer(VkDeviceMemory *memory, int is_exported)
{
    VkExternalMemoryBufferCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = is_exported ? &external : NULL, .size = BYTES,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer;
    check(pvkCreateBuffer(vk.device, &info, NULL, &buffer) == VK_SUCCESS, "buffer of Vulkan");
    VkMemoryRequirements needs;
    pvkGetBufferMemoryRequirements(vk.device, buffer, &needs);
    *memory = allocate(needs, is_exported ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, is_exported);
    check(pvkBindBufferMemory(vk.device, buffer, *memory, 0) == VK_SUCCESS, "binding");
    return buffer;
}

static inline int descriptor_of(VkDeviceMemory memory)
{
    VkMemoryGetFdInfoKHR info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    check(pvkGetMemoryFdKHR(vk.device, &info, &fd) == VK_SUCCESS && fd >= 0, "a descriptor");
    return fd;
}

static inline void begin(void)
{
    VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(pvkBeginCommandBuffer(vk.commands, &info) == VK_SUCCESS, "begin");
}

static inline void submit(void)
{
    VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &vk.commands};
    check(pvkEndCommandBuffer(vk.commands) == VK_SUCCESS && pvkQueueSubmit(vk.queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS, "submit");
    check(pvkQueueWaitIdle(vk.queue) == VK_SUCCESS, "wait");
}

#endif
