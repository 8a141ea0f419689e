/*
 * A program that uses Vulkan by itself, and launches a kernel that `clforge compile` made of OpenCL C. Nothing of clforge is
 * needed when it runs. docs/vulkan.md explains each step; README.md says how to build it.
 *
 * What is left out for brevity: objects are only destroyed when all goes well.
 */

#include "sums_spv.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        VkResult outcome = (call);                                                       \
        if (outcome != VK_SUCCESS) {                                                     \
            fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, outcome); \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

enum { COUNT = 1000, LOCAL_SIZE = 64, GROUPS = (COUNT + LOCAL_SIZE - 1) / LOCAL_SIZE };

/* What `clforge reflect sums.spv` says of the kernel: offsets of push constants, and numbers of specialisation constants. */
enum {
    REGION_OFFSET = 0,
    REGION_GROUP_OFFSET = 12,
    CONSTANT_DATA = 24,
    VALUES = 32,
    COUNT_ARGUMENT = 40,
    FACTOR = 44,
    SUMS = 48,
    PUSH_CONSTANTS = 56,
    WORK_GROUP_SIZE_ID = 0, /* and 1, 2 */
    PART_ID = 4
};

/* The constant data: the array ROUND of the kernel's source. */
static const unsigned char CONSTANTS[8] = {0x00, 0x00, 0x80, 0x3e, 0x00, 0x00, 0x00, 0x3f};

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;

/* Whether the device has an extension. */
static int has_extension(const char *name)
{
    uint32_t count = 0;
    int found = 0;
    CHECK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL));
    VkExtensionProperties *all = calloc(count + 1, sizeof *all);
    CHECK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all));
    for (uint32_t i = 0; i < count; i++)
        found |= strcmp(all[i].extensionName, name) == 0;
    free(all);
    return found;
}

/* The first device, with the features that the module requires. */
static VkInstance open_device(void)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                          .pApplicationInfo = &application};
    VkInstance instance;
    CHECK(vkCreateInstance(&instance_info, NULL, &instance));
    uint32_t count = 1;
    VkResult listed = vkEnumeratePhysicalDevices(instance, &count, &physical);
    if ((listed != VK_SUCCESS && listed != VK_INCOMPLETE) || count == 0) {
        fprintf(stderr, "there is no Vulkan device\n");
        exit(1);
    }
    VkQueueFamilyProperties families[16];
    uint32_t family_count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &family_count, families);
    while (family + 1 < family_count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family++;

    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .vulkanMemoryModel = VK_TRUE,
        .bufferDeviceAddress = VK_TRUE,
    };
    VkPhysicalDeviceFeatures features = {.shaderInt64 = VK_TRUE};
    /* The reflection in the module needs it. Vulkan 1.3 has it as a part, and devices need not list it then. */
    const char *extension = VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME;
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features12,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue_info,
                               .enabledExtensionCount = has_extension(extension) ? 1 : 0,
                               .ppEnabledExtensionNames = &extension,
                               .pEnabledFeatures = &features};
    CHECK(vkCreateDevice(physical, &info, NULL, &device));
    vkGetDeviceQueue(device, family, 0, &queue);
    return instance;
}

/* A buffer that the host sees too, by its address on the device. */
struct buffer {
    VkBuffer raw;
    VkDeviceMemory memory;
    void *host;
    uint64_t address;
};

static struct buffer create_buffer(size_t size)
{
    struct buffer made;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = size,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    CHECK(vkCreateBuffer(device, &info, NULL, &made.raw));
    VkMemoryRequirements required;
    VkPhysicalDeviceMemoryProperties types;
    vkGetBufferMemoryRequirements(device, made.raw, &required);
    vkGetPhysicalDeviceMemoryProperties(physical, &types);
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (type + 1 < types.memoryTypeCount &&
           (!(required.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &flags,
                                       .allocationSize = required.size,
                                       .memoryTypeIndex = type};
    CHECK(vkAllocateMemory(device, &allocation, NULL, &made.memory));
    CHECK(vkBindBufferMemory(device, made.raw, made.memory, 0));
    CHECK(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.host));
    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = made.raw};
    made.address = vkGetBufferDeviceAddress(device, &address);
    return made;
}

static void destroy_buffer(struct buffer buffer)
{
    vkDestroyBuffer(device, buffer.raw, NULL);
    vkFreeMemory(device, buffer.memory, NULL);
}

/* The kernel for work-groups of LOCAL_SIZE work-items, with as many elements of local memory for `part`. */
static VkPipeline create_pipeline(VkPipelineLayout *layout)
{
    VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = PUSH_CONSTANTS};
    VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &range};
    CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, layout));
    VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sums_spv_size, .pCode = sums_spv};
    VkShaderModule module;
    CHECK(vkCreateShaderModule(device, &module_info, NULL, &module));
    const uint32_t values[4] = {LOCAL_SIZE, 1, 1, LOCAL_SIZE};
    const VkSpecializationMapEntry entries[4] = {{WORK_GROUP_SIZE_ID, 0, 4},
                                                 {WORK_GROUP_SIZE_ID + 1, 4, 4},
                                                 {WORK_GROUP_SIZE_ID + 2, 8, 4},
                                                 {PART_ID, 12, 4}};
    VkSpecializationInfo constants = {4, entries, sizeof values, values};
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = "sums",
                                                  .pSpecializationInfo = &constants},
                                        .layout = *layout};
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(device, module, NULL);
    return pipeline;
}

/* Dispatches the work-groups once and waits. */
static void launch(VkPipeline pipeline, VkPipelineLayout layout, const unsigned char *push)
{
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = family};
    VkCommandPool pool;
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .commandBufferCount = 1};
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device, &info, &commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_CONSTANTS, push);
    vkCmdDispatch(commands, GROUPS, 1, 1);
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
    CHECK(vkEndCommandBuffer(commands));
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
    vkDestroyCommandPool(device, pool, NULL);
}

/* Compares with what the host computes. */
static int is_right(const float *values, float factor, const float *sums)
{
    for (int group = 0; group < GROUPS; group++) {
        double expected = 0;
        for (int i = group * LOCAL_SIZE; i < COUNT && i < (group + 1) * LOCAL_SIZE; i++)
            expected += values[i] * factor + (i % 2 ? 0.5f : 0.25f);
        if (fabs(sums[group] - expected) > 1e-4 * expected) {
            fprintf(stderr, "work-group %d: %f instead of %f\n", group, sums[group], expected);
            return 0;
        }
    }
    return 1;
}

int main(void)
{
    VkInstance instance = open_device();
    struct buffer values = create_buffer(COUNT * sizeof(float)), sums = create_buffer(GROUPS * sizeof(float));
    struct buffer constants = create_buffer(sizeof CONSTANTS);
    float *numbers = values.host;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)(i % 37);
    memcpy(constants.host, CONSTANTS, sizeof CONSTANTS);

    /* Everything that the kernel gets beside its specialisation constants, byte by byte in this machine's order. One
       dispatch is the whole ND-range, and there is no global offset: the offsets of the region are zero. */
    const uint32_t count = COUNT;
    const float factor = 1.5f;
    unsigned char push[PUSH_CONSTANTS] = {0};
    memcpy(push + CONSTANT_DATA, &constants.address, 8);
    memcpy(push + VALUES, &values.address, 8);
    memcpy(push + COUNT_ARGUMENT, &count, 4);
    memcpy(push + FACTOR, &factor, 4);
    memcpy(push + SUMS, &sums.address, 8);

    VkPipelineLayout layout;
    VkPipeline pipeline = create_pipeline(&layout);
    launch(pipeline, layout, push);
    int right = is_right(values.host, factor, sums.host);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    destroy_buffer(values);
    destroy_buffer(sums);
    destroy_buffer(constants);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    if (right)
        printf("%d sums are those of the host\n", GROUPS);
    return !right;
}
