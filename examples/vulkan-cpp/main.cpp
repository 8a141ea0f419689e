// A program that uses Vulkan by itself, through vulkan_raii.hpp and the Vulkan Memory Allocator, and launches a kernel
// that its build has compiled from OpenCL C. Nothing of clforge is needed when it runs. docs/vulkan.md explains how
// arguments are passed; README.md says how to build the program.

#include "settings.h"
#include "smooth_interface.hpp"
#include "smooth_spv.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <vector>
#include <vk_mem_alloc.h>
#define VULKAN_HPP_NO_STRUCT_CONSTRUCTORS // so that structures have designated initialisers
#include <vulkan/vulkan_raii.hpp>

using Pixel = std::array<float, 4>; // float4 of OpenCL C
using Picture = std::vector<Pixel>;

constexpr settings SETTINGS{.width = 300, .height = 200, .radius = 4, .space = 0.08f, .range = 12.0f};
constexpr std::uint32_t COLUMNS = 16, ROWS = 8; // of a work-group

// The first device that has the features that `clforge reflect` names for the module, and what is needed to use it.
struct Gpu {
    vk::raii::Context context;
    vk::raii::Instance instance;
    vk::raii::PhysicalDevice physical;
    std::uint32_t family;
    vk::raii::Device device;

    Gpu() : instance(make_instance(context)), physical(choose(instance)), family(find_family()), device(make_device())
    {
    }

private:
    static vk::raii::Instance make_instance(const vk::raii::Context &context)
    {
        const vk::ApplicationInfo application{.apiVersion = VK_API_VERSION_1_3};
        return {context, vk::InstanceCreateInfo{.pApplicationInfo = &application}};
    }

    static vk::raii::PhysicalDevice choose(const vk::raii::Instance &instance)
    {
        for (const vk::raii::PhysicalDevice &device : vk::raii::PhysicalDevices(instance)) {
            if (device.getProperties().apiVersion < VK_API_VERSION_1_2)
                continue;
            const auto chain = device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan12Features>();
            const auto &features = chain.get<vk::PhysicalDeviceVulkan12Features>();
            if (chain.get<vk::PhysicalDeviceFeatures2>().features.shaderInt64 && features.bufferDeviceAddress &&
                features.vulkanMemoryModel)
                return device;
        }
        throw std::runtime_error("no Vulkan device has the features that the kernel needs");
    }

    std::uint32_t find_family() const
    {
        const auto families = physical.getQueueFamilyProperties();
        const auto found = std::find_if(families.begin(), families.end(), [](const vk::QueueFamilyProperties &each) {
            return static_cast<bool>(each.queueFlags & vk::QueueFlagBits::eCompute);
        });
        if (found == families.end())
            throw std::runtime_error("the device has no queue for compute");
        return static_cast<std::uint32_t>(found - families.begin());
    }

    vk::raii::Device make_device() const
    {
        const vk::PhysicalDeviceVulkan12Features features12{.bufferDeviceAddress = true, .vulkanMemoryModel = true};
        const vk::PhysicalDeviceFeatures features{.shaderInt64 = true};
        const float priority = 1;
        const vk::DeviceQueueCreateInfo queue{
            .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
        // The reflection in the module needs it. Vulkan 1.3 has it as a part, and devices need not list it then.
        const char *const extension = VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME;
        const auto extensions = physical.enumerateDeviceExtensionProperties();
        const bool listed = std::any_of(extensions.begin(), extensions.end(), [&](const auto &each) {
            return std::string_view(each.extensionName.data()) == extension;
        });
        return {physical, vk::DeviceCreateInfo{.pNext = &features12,
                                               .queueCreateInfoCount = 1,
                                               .pQueueCreateInfos = &queue,
                                               .enabledExtensionCount = listed ? 1u : 0u,
                                               .ppEnabledExtensionNames = &extension,
                                               .pEnabledFeatures = &features}};
    }
};

// Throws an exception for an error of the allocator, whose functions are those of C.
void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + vk::to_string(static_cast<vk::Result>(result)));
}

// The allocator, with permission to allocate memory whose address is asked for.
class Allocator {
public:
    explicit Allocator(const Gpu &gpu)
    {
        VmaAllocatorCreateInfo info{};
        info.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT;
        info.physicalDevice = *gpu.physical;
        info.device = *gpu.device;
        info.instance = *gpu.instance;
        info.vulkanApiVersion = VK_API_VERSION_1_2;
        check(vmaCreateAllocator(&info, &raw), "vmaCreateAllocator");
    }
    ~Allocator() { vmaDestroyAllocator(raw); }
    Allocator(const Allocator &) = delete;
    Allocator &operator=(const Allocator &) = delete;

    VmaAllocator raw = nullptr;
};

// A buffer of pixels in memory that the host sees too, and its address on the device.
class Buffer {
public:
    // `access` says how the host uses it; the allocator chooses the kind of memory by that.
    Buffer(const Gpu &gpu, const Allocator &allocator, std::size_t count, VmaAllocationCreateFlags access)
        : allocator(allocator.raw), size(count * sizeof(Pixel))
    {
        const VkBufferCreateInfo info = vk::BufferCreateInfo{
            .size = size,
            .usage = vk::BufferUsageFlagBits::eStorageBuffer | vk::BufferUsageFlagBits::eShaderDeviceAddress};
        VmaAllocationCreateInfo how{};
        how.flags = access | VMA_ALLOCATION_CREATE_MAPPED_BIT;
        how.usage = VMA_MEMORY_USAGE_AUTO;
        VmaAllocationInfo made;
        check(vmaCreateBuffer(this->allocator, &info, &how, &raw, &allocation, &made), "vmaCreateBuffer");
        host = static_cast<Pixel *>(made.pMappedData);
        address = gpu.device.getBufferAddress(vk::BufferDeviceAddressInfo{.buffer = raw});
    }
    ~Buffer() { vmaDestroyBuffer(allocator, raw, allocation); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    // The host's caches need not be the device's: these do nothing where the memory is coherent.
    void write(const Picture &picture)
    {
        std::copy(picture.begin(), picture.end(), host);
        check(vmaFlushAllocation(allocator, allocation, 0, size), "vmaFlushAllocation");
    }
    Picture read() const
    {
        check(vmaInvalidateAllocation(allocator, allocation, 0, size), "vmaInvalidateAllocation");
        return Picture(host, host + size / sizeof(Pixel));
    }

    vk::DeviceAddress address = 0;

private:
    VmaAllocator allocator;
    std::size_t size;
    VkBuffer raw = nullptr;
    VmaAllocation allocation = nullptr;
    Pixel *host = nullptr;
};

// The kernel, for work-groups of COLUMNS by ROWS work-items and a tile that has room for their pixels and the margin.
vk::raii::Pipeline make_pipeline(const Gpu &gpu, const vk::raii::PipelineLayout &layout)
{
    const vk::raii::ShaderModule module(gpu.device, {.codeSize = smooth_spv_size, .pCode = smooth_spv});
    const std::uint32_t margin = 2 * SETTINGS.radius;
    const std::array<std::uint32_t, 4> values{COLUMNS, ROWS, 1, (COLUMNS + margin) * (ROWS + margin)};
    const std::array<vk::SpecializationMapEntry, 4> entries{
        {{smooth::WORK_GROUP_SIZE_X_SPEC_ID, 0, 4},
         {smooth::WORK_GROUP_SIZE_Y_SPEC_ID, 4, 4},
         {smooth::WORK_GROUP_SIZE_Z_SPEC_ID, 8, 4},
         {smooth::TILE_SPEC_ID, 12, 4}}};
    const vk::SpecializationInfo constants{.mapEntryCount = entries.size(),
                                           .pMapEntries = entries.data(),
                                           .dataSize = sizeof values,
                                           .pData = values.data()};
    const vk::PipelineShaderStageCreateInfo stage{.stage = vk::ShaderStageFlagBits::eCompute,
                                                  .module = *module,
                                                  .pName = smooth::NAME,
                                                  .pSpecializationInfo = &constants};
    return {gpu.device, nullptr, vk::ComputePipelineCreateInfo{.stage = stage, .layout = *layout}};
}

// Dispatches the work-groups that cover the picture, and waits.
void launch(const Gpu &gpu, const smooth::PushConstants &push)
{
    const vk::PushConstantRange range{.stageFlags = vk::ShaderStageFlagBits::eCompute,
                                      .size = smooth::PUSH_CONSTANTS_SIZE};
    const vk::raii::PipelineLayout layout(gpu.device, {.pushConstantRangeCount = 1, .pPushConstantRanges = &range});
    const vk::raii::Pipeline pipeline = make_pipeline(gpu, layout);
    const vk::raii::CommandPool pool(gpu.device, {.queueFamilyIndex = gpu.family});
    const vk::raii::CommandBuffers all(gpu.device, {.commandPool = *pool, .commandBufferCount = 1});
    const vk::raii::CommandBuffer &commands = all.front();
    commands.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    commands.bindPipeline(vk::PipelineBindPoint::eCompute, *pipeline);
    // The compiler may have padded the structure at its end.
    const vk::ArrayProxy<const std::uint8_t> bytes(smooth::PUSH_CONSTANTS_SIZE,
                                                   reinterpret_cast<const std::uint8_t *>(&push));
    commands.pushConstants<std::uint8_t>(*layout, vk::ShaderStageFlagBits::eCompute, 0, bytes);
    // Rounded up: the kernel checks its place in the picture.
    commands.dispatch((SETTINGS.width + COLUMNS - 1) / COLUMNS, (SETTINGS.height + ROWS - 1) / ROWS, 1);
    const vk::MemoryBarrier barrier{.srcAccessMask = vk::AccessFlagBits::eShaderWrite,
                                    .dstAccessMask = vk::AccessFlagBits::eHostRead};
    commands.pipelineBarrier(vk::PipelineStageFlagBits::eComputeShader, vk::PipelineStageFlagBits::eHost, {}, barrier,
                             {}, {});
    commands.end();
    const vk::raii::Queue queue(gpu.device, gpu.family, 0);
    const vk::CommandBuffer submitted = *commands;
    queue.submit(vk::SubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &submitted});
    queue.waitIdle();
}

// A ball above a chequered floor, with noise.
Picture draw()
{
    Picture picture;
    std::uint32_t random = 1;
    for (int y = 0; y < SETTINGS.height; y++)
        for (int x = 0; x < SETTINGS.width; x++) {
            const float right = (x - 150) / 70.0f, up = (90 - y) / 70.0f, inside = 1 - right * right - up * up;
            const float far = 60.0f / std::max(y - 109, 1);
            const bool dark = (static_cast<int>(std::floor((x - 150) * far / 40)) + static_cast<int>(far * 4)) % 2 != 0;
            const float light = std::max(0.1f, 0.6f * up - 0.5f * right + 0.6f * std::sqrt(std::max(inside, 0.0f)));
            Pixel pixel = dark ? Pixel{0.2f, 0.2f, 0.3f, 0} : Pixel{0.8f, 0.8f, 0.7f, 0};
            if (y < 110)
                pixel = {0.5f, 0.7f, 0.9f, 0};
            if (inside > 0)
                pixel = {0.9f * light, 0.4f * light, 0.2f * light, 0};
            for (int channel = 0; channel < 3; channel++) {
                random = random * 1664525 + 1013904223;
                pixel[channel] += static_cast<float>(random >> 8) / (1 << 24) * 0.24f - 0.12f;
            }
            picture.push_back(pixel);
        }
    return picture;
}

// What the kernel computes, by the host and in double precision.
std::array<double, 3> expected(const Picture &picture, int x, int y)
{
    const auto at = [&](int x, int y) -> const Pixel & {
        return picture[std::clamp(y, 0, SETTINGS.height - 1) * SETTINGS.width + std::clamp(x, 0, SETTINGS.width - 1)];
    };
    std::array<double, 3> sum{};
    double weights = 0;
    for (int dy = -SETTINGS.radius; dy <= SETTINGS.radius; dy++)
        for (int dx = -SETTINGS.radius; dx <= SETTINGS.radius; dx++) {
            double squares = 0;
            for (int channel = 0; channel < 3; channel++)
                squares += std::pow(double(at(x + dx, y + dy)[channel]) - at(x, y)[channel], 2);
            const double weight = std::exp(-SETTINGS.space * (dx * dx + dy * dy) - SETTINGS.range * squares);
            for (int channel = 0; channel < 3; channel++)
                sum[channel] += weight * at(x + dx, y + dy)[channel];
            weights += weight;
        }
    return {sum[0] / weights, sum[1] / weights, sum[2] / weights};
}

bool is_right(const Picture &input, const Picture &output)
{
    for (int y = 0; y < SETTINGS.height; y++)
        for (int x = 0; x < SETTINGS.width; x++) {
            const auto wanted = expected(input, x, y);
            const Pixel &found = output[y * SETTINGS.width + x];
            for (int channel = 0; channel < 3; channel++)
                if (!(std::abs(found[channel] - wanted[channel]) < 1e-5)) {
                    std::cerr << "pixel " << x << ", " << y << ", channel " << channel << ": " << found[channel]
                              << " instead of " << wanted[channel] << '\n';
                    return false;
                }
        }
    return true;
}

// Both pictures side by side.
void save(const char *path, const Picture &left, const Picture &right)
{
    std::ofstream file(path, std::ios::binary);
    file << "P6\n" << 2 * SETTINGS.width << ' ' << SETTINGS.height << "\n255\n";
    for (int y = 0; y < SETTINGS.height; y++)
        for (const Picture *picture : {&left, &right})
            for (int x = 0; x < SETTINGS.width; x++)
                for (int channel = 0; channel < 3; channel++) {
                    const float value = (*picture)[y * SETTINGS.width + x][channel];
                    file.put(static_cast<char>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)));
                }
    if (!file.flush())
        throw std::runtime_error(std::string(path) + ": cannot be written");
}

int main()
try {
    const Gpu gpu;
    const Allocator allocator(gpu);
    const Picture picture = draw();
    Buffer input(gpu, allocator, picture.size(), VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT);
    const Buffer output(gpu, allocator, picture.size(), VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT);
    input.write(picture);

    // One dispatch is the whole ND-range, and there is no global offset: the offsets of the region are zero.
    smooth::PushConstants push{};
    push.input = input.address;
    push.output = output.address;
    static_assert(sizeof push.s == sizeof SETTINGS, "the structure is the kernel's");
    std::memcpy(&push.s, &SETTINGS, sizeof SETTINGS);
    launch(gpu, push);

    const Picture smoothed = output.read();
    save("smooth.ppm", picture, smoothed);
    if (!is_right(picture, smoothed))
        return 1;
    std::cout << smoothed.size() << " pixels are those of the host\n";
    return 0;
} catch (const std::exception &error) {
    std::cerr << "smooth: " << error.what() << '\n';
    return 1;
}
