// The functions of the Vulkan Memory Allocator, which one file of a program must define.

#define VMA_IMPLEMENTATION
#include <vk_mem_alloc.h>
