// A Vulkan driver that forwards to REAL_VULKAN with a fault (faults.h).
#define REAL_VARIABLE "REAL_VULKAN"
#include "faults.h"

#include <math.h>
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

typedef PFN_vkVoidFunction (*Lookup)(VkInstance, const char*);
static Lookup real_lookup;
static Lookup real_physical_lookup;

#define REAL(name) static PFN_##name real_##name;
#define EACH(X)                                                                                                                                    \
  X(vkCreateInstance) X(vkEnumeratePhysicalDevices) X(vkGetPhysicalDeviceProperties) X(vkGetPhysicalDeviceProperties2)                             \
  X(vkGetPhysicalDeviceMemoryProperties) X(vkGetPhysicalDeviceQueueFamilyProperties) X(vkEnumerateDeviceExtensionProperties) X(vkCreateDevice)     \
  X(vkGetDeviceProcAddr) X(vkCreateShaderModule) X(vkCreateComputePipelines) X(vkCreateBuffer) X(vkAllocateMemory) X(vkMapMemory) X(vkQueueSubmit) \
  X(vkWaitForFences) X(vkGetQueryPoolResults) X(vkGetBufferDeviceAddress) X(vkCreateCommandPool) X(vkGetBufferMemoryRequirements) X(vkGetPipelineCacheData) \
  X(vkBindBufferMemory) X(vkCreatePipelineLayout) X(vkAllocateDescriptorSets) X(vkAllocateCommandBuffers) X(vkBeginCommandBuffer)                  \
  X(vkEndCommandBuffer) X(vkCreateQueryPool) X(vkGetDeviceQueue) X(vkCreateFence) X(vkGetPhysicalDeviceFeatures2)                     \
  X(vkCreateDescriptorPool) X(vkCreateDescriptorSetLayout) X(vkGetFenceStatus)
EACH(REAL)

static VkResult VKAPI_CALL my_vkCreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator, VkInstance* instance) {
  if (is("instance_crash")) die();
  if (is("instance_hang")) hang();
  if (is("instance_error")) return VK_ERROR_INITIALIZATION_FAILED;
  if (is("instance_memory")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  return real_vkCreateInstance(info, allocator, instance);
}

static VkResult VKAPI_CALL my_vkEnumeratePhysicalDevices(VkInstance instance, uint32_t* count, VkPhysicalDevice* devices) {
  if (is("devices_crash")) die();
  if (is("devices_hang")) hang();
  if (is("devices_error")) return VK_ERROR_INITIALIZATION_FAILED;
  if (is("devices_unknown_error")) return -1000111;
  if (is("devices_none") || (is("devices_vanish") && measures())) {
    *count = 0;
    return VK_SUCCESS;
  }
  const VkResult result = real_vkEnumeratePhysicalDevices(instance, count, devices);
  if (is("devices_billions") && !devices) *count = 0xfffffff0u;
  return result;
}

static void spoil(VkPhysicalDeviceProperties* properties) {
  VkPhysicalDeviceLimits* limits = &properties->limits;
  memcpy(properties->deviceName, "Faulty", 6);
  if (is("properties_crash")) die();
  if (is("properties_hang")) hang();
  if (is("properties_random")) random_bytes(limits, sizeof *limits);
  if (is("name_binary")) strcpy(properties->deviceName, "B\xff\xfe \xc0\xaf \033[31m\033]0;x\007\n\x9b");
  if (is("name_endless")) memset(properties->deviceName, 'N', sizeof properties->deviceName);
  if (is("name_empty")) properties->deviceName[0] = 0;
  if (is("period_nan")) limits->timestampPeriod = NAN;
  if (is("period_zero")) limits->timestampPeriod = 0;
  if (is("period_negative")) limits->timestampPeriod = -1;
  if (is("period_infinite")) limits->timestampPeriod = INFINITY;
  if (is("period_huge")) limits->timestampPeriod = 1e30f;
  if (is("period_tenth")) limits->timestampPeriod /= 10;
  if (is("period_fast")) limits->timestampPeriod *= 24;
  if (is("group_128")) limits->maxComputeWorkGroupSize[0] = limits->maxComputeWorkGroupInvocations = 128;
  const uint32_t wrong_id = 0xdeadbeef;
  const struct {
    const char* fault;
    void* limit;
    size_t bytes;
    unsigned char byte;
  } numbers[] = {
      {"groups_zero", limits->maxComputeWorkGroupCount, sizeof limits->maxComputeWorkGroupCount, 0},
      {"group_sizes_zero", limits->maxComputeWorkGroupSize, sizeof limits->maxComputeWorkGroupSize, 0},
      {"group_depth_zero", &limits->maxComputeWorkGroupSize[2], 4, 0},
      {"invocations_zero", &limits->maxComputeWorkGroupInvocations, 4, 0},
      {"invocations_most", &limits->maxComputeWorkGroupInvocations, 4, 0xff},
      {"push_zero", &limits->maxPushConstantsSize, 4, 0},
      {"push_most", &limits->maxPushConstantsSize, 4, 0xff},
      {"storage_zero", &limits->maxStorageBufferRange, 4, 0},
      {"uniform_zero", &limits->maxUniformBufferRange, 4, 0},
      {"texels_zero", &limits->maxTexelBufferElements, 4, 0},
      {"shared_zero", &limits->maxComputeSharedMemorySize, 4, 0},
      {"shared_most", &limits->maxComputeSharedMemorySize, 4, 0xff},
      {"alignment_most", &limits->minStorageBufferOffsetAlignment, 8, 0xff},
      {"atom_most", &limits->nonCoherentAtomSize, 8, 0xff},
      {"sets_zero", &limits->maxBoundDescriptorSets, 4, 0},
      {"images_zero", &limits->maxImageDimension2D, 4, 0},
      {"vendor_zero", &properties->vendorID, 4, 0},
      {"driver_version_most", &properties->driverVersion, 4, 0xff},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    if (is(numbers[i].fault)) memset(numbers[i].limit, numbers[i].byte, numbers[i].bytes);
  }
  if (is("vendor_unknown")) properties->vendorID = wrong_id;
  if (is("period_tiny")) limits->timestampPeriod = 1e-30f;
  if (is("limits_zero")) memset(limits, 0, sizeof *limits);
  if (is("limits_ones")) memset(limits, 0xff, sizeof *limits);
  if (is("type_unknown")) properties->deviceType = 99;
  if (is("version_zero")) properties->apiVersion = 0;
  if (is("version_most")) properties->apiVersion = 0xffffffff;
}

static void VKAPI_CALL my_vkGetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties* properties) {
  real_vkGetPhysicalDeviceProperties(device, properties);
  spoil(properties);
}

static void VKAPI_CALL my_vkGetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  real_vkGetPhysicalDeviceProperties2(device, properties);
  spoil(&properties->properties);
  for (VkBaseOutStructure* each = properties->pNext; each; each = each->pNext) {
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES && is("subgroup_zero"))
      ((VkPhysicalDeviceSubgroupProperties*)each)->subgroupSize = 0;
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES && is("subgroup_three"))
      ((VkPhysicalDeviceSubgroupProperties*)each)->subgroupSize = 3;
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES && is("uuid_zero"))
      memset(((VkPhysicalDeviceIDProperties*)each)->deviceUUID, 0, VK_UUID_SIZE);
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES && is("subgroup_wide"))
      ((VkPhysicalDeviceSubgroupProperties*)each)->subgroupSize = 64;
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES && is("subgroup_wide")) {
      ((VkPhysicalDeviceSubgroupSizeControlProperties*)each)->minSubgroupSize = 64;
      ((VkPhysicalDeviceSubgroupSizeControlProperties*)each)->maxSubgroupSize = 128;
    }
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES && (is("subgroup_zero") || is("subgroup_most"))) {
      ((VkPhysicalDeviceSubgroupSizeControlProperties*)each)->minSubgroupSize = is("subgroup_zero") ? 0 : 1;
      ((VkPhysicalDeviceSubgroupSizeControlProperties*)each)->maxSubgroupSize = 0xffffffff;
    }
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES && is("driver_binary")) {
      memset(((VkPhysicalDeviceDriverProperties*)each)->driverInfo, '\033', VK_MAX_DRIVER_INFO_SIZE);
      memset(((VkPhysicalDeviceDriverProperties*)each)->driverName, 0xfe, VK_MAX_DRIVER_NAME_SIZE);
    }
  }
}

static void VKAPI_CALL my_vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* memory) {
  real_vkGetPhysicalDeviceMemoryProperties(device, memory);
  if (is("memory_none")) memset(memory, 0, sizeof *memory);
  if (is("memory_ones")) memset(memory, 0xff, sizeof *memory);
  if (is("memory_types")) memory->memoryTypeCount = 99;
  if (is("memory_types_none")) memory->memoryTypeCount = 0;
  if (is("memory_heaps")) memory->memoryHeapCount = 99;
  for (uint32_t i = 0; i < VK_MAX_MEMORY_HEAPS && is("memory_heaps_empty"); ++i) memory->memoryHeaps[i].size = 0;
  for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES && is("memory_hidden"); ++i) memory->memoryTypes[i].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  if (is("memory_empty")) memory->memoryHeaps[0].size = 0;
  if (is("memory_heap")) memory->memoryTypes[0].heapIndex = 4000000;
}

static void VKAPI_CALL my_vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice device, uint32_t* count, VkQueueFamilyProperties* families) {
  real_vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
  if (is("queues_none")) *count = 0;
  if (is("queues_billions") && !families) *count = 0xfffffff0u;
  for (uint32_t i = 0; families && i < *count; ++i) {
    if (is("queues_idle")) families[i].queueFlags = 0;
    if (is("queues_graphics")) families[i].queueFlags = VK_QUEUE_GRAPHICS_BIT;
    if (is("queues_empty")) families[i].queueCount = 0;
    if (is("bits_one")) families[i].timestampValidBits = 1;
    if (is("bits_none")) families[i].timestampValidBits = 0;
    if (is("bits_many")) families[i].timestampValidBits = 99;
  }
}

static VkResult VKAPI_CALL my_vkEnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char* layer, uint32_t* count,
                                                                   VkExtensionProperties* extensions) {
  if (is("extensions_error")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  const VkResult result = real_vkEnumerateDeviceExtensionProperties(device, layer, count, extensions);
  for (uint32_t i = 0; extensions && i < *count; ++i) {
    if (is("extensions_binary")) memset(extensions[i].extensionName, 0xfe, VK_MAX_EXTENSION_NAME_SIZE);
    if (is("extensions_claimed") && i == 0) strcpy(extensions[i].extensionName, "VK_AMD_shader_core_properties");
    if (is("extensions_clock") && i == 0) strcpy(extensions[i].extensionName, "VK_NV_shader_sm_builtins");
  }
  if (is("extensions_billions") && !extensions) *count = 0xfffffff0u;
  return result;
}

static VkResult VKAPI_CALL my_vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                             VkDevice* device) {
  if (is("open_crash")) die();
  if (is("open_hang")) hang();
  if (is("open_lost")) return VK_ERROR_DEVICE_LOST;
  if (is("open_memory")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (is("open_null")) {
    *device = VK_NULL_HANDLE;
    return VK_SUCCESS;
  }
  return real_vkCreateDevice(physical, info, allocator, device);
}

static VkResult VKAPI_CALL my_vkCreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo* info, const VkAllocationCallbacks* allocator,
                                                  VkCommandPool* pool) {
  if (is("pool_error")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  if (is("pool_null")) {
    *pool = VK_NULL_HANDLE;
    return VK_SUCCESS;
  }
  return real_vkCreateCommandPool(device, info, allocator, pool);
}

static VkResult VKAPI_CALL my_vkCreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks* allocator,
                                                   VkShaderModule* module) {
  if (is("module_crash")) die();
  if (is("module_null")) {
    *module = VK_NULL_HANDLE;
    return VK_SUCCESS;
  }
  if (is("module_error")) return VK_ERROR_INVALID_SHADER_NV;
  return real_vkCreateShaderModule(device, info, allocator, module);
}

static VkResult VKAPI_CALL my_vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo* infos,
                                                       const VkAllocationCallbacks* allocator, VkPipeline* pipelines) {
  if (is("build_crash")) die();
  if (is("build_hang")) hang();
  if (is("build_error")) return VK_ERROR_UNKNOWN;
  if (is("build_memory")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  if (is("build_null")) {
    for (uint32_t i = 0; i < count; ++i) pipelines[i] = VK_NULL_HANDLE;
    return VK_SUCCESS;
  }
  return real_vkCreateComputePipelines(device, cache, count, infos, allocator, pipelines);
}

static VkResult VKAPI_CALL my_vkCreateBuffer(VkDevice device, const VkBufferCreateInfo* info, const VkAllocationCallbacks* allocator, VkBuffer* buffer) {
  if (is("buffer_crash")) die();
  if (is("buffer_null")) {
    *buffer = VK_NULL_HANDLE;
    return VK_SUCCESS;
  }
  if (is("buffer_error")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return real_vkCreateBuffer(device, info, allocator, buffer);
}

static void VKAPI_CALL my_vkGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* needed) {
  real_vkGetBufferMemoryRequirements(device, buffer, needed);
  if (is("requirements_ones")) memset(needed, 0xff, sizeof *needed);
  if (is("requirements_zero")) needed->memoryTypeBits = 0;
  if (is("requirements_empty")) needed->size = 0;
  if (is("alignment_zero")) needed->alignment = 0;
}

static VkResult VKAPI_CALL my_vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* allocator,
                                               VkDeviceMemory* memory) {
  static int calls;
  if (is("allocate_third") && ++calls % 3 == 0) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (is("allocate_null")) {
    *memory = VK_NULL_HANDLE;
    return VK_SUCCESS;
  }
  if (is("allocate_error")) return VK_ERROR_TOO_MANY_OBJECTS;
  if (is("buffers_small") && info->allocationSize > (6 << 20)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return real_vkAllocateMemory(device, info, allocator, memory);
}

static VkDeviceAddress VKAPI_CALL my_vkGetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo* info) {
  if (is("address_null")) return 0;
  return real_vkGetBufferDeviceAddress(device, info);
}

static VkResult VKAPI_CALL my_vkMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags,
                                          void** data) {
  if (is("read_error")) return VK_ERROR_MEMORY_MAP_FAILED;
  const VkResult result = real_vkMapMemory(device, memory, offset, size, flags, data);
  if (is("read_crash") || is("map_null")) *data = NULL;
  if (is("read_garbage")) *data = calloc(1, 1 << 26);  // not the device's memory
  return result;
}

static VkResult VKAPI_CALL my_vkGetPipelineCacheData(VkDevice device, VkPipelineCache cache, size_t* size, void* data) {
  if (is("cache_error")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  if (is("cache_huge") && !data) {
    *size = (size_t)1 << 40;
    return VK_SUCCESS;
  }
  if (is("cache_incomplete") && data) *size /= 2;
  return real_vkGetPipelineCacheData(device, cache, size, data);
}

static VkResult VKAPI_CALL my_vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  static int calls;
  ++calls;
  if (is("run_crash") && calls == 5) die();
  if (is("run_hang") && calls == 5) hang();
  if (is("run_lost_later") && calls > 40) return VK_ERROR_DEVICE_LOST;
  if (is("run_memory_later") && calls > 40) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (is("run_lost") && calls > 3) return VK_ERROR_DEVICE_LOST;
  if (is("run_error") && calls % 3 == 0) return VK_ERROR_UNKNOWN;
  if (is("run_nothing")) return real_vkQueueSubmit(queue, 0, NULL, fence);
  return real_vkQueueSubmit(queue, count, infos, fence);
}

static VkResult VKAPI_CALL my_vkWaitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all, uint64_t timeout) {
  static int calls;
  if (is("wait_hang") && ++calls == 5) hang();
  if (is("wait_lost_later") && ++calls > 40) return VK_ERROR_DEVICE_LOST;
  if (is("wait_early_hang")) return VK_SUCCESS;
  if (is("wait_lost")) return VK_ERROR_DEVICE_LOST;
  if (is("wait_early")) return VK_SUCCESS;
  if (is("wait_timeout")) {
    sleep(1);
    return VK_TIMEOUT;
  }
  return real_vkWaitForFences(device, count, fences, all, timeout);
}

static VkResult VKAPI_CALL my_vkGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t bytes, void* data,
                                                    VkDeviceSize stride, VkQueryResultFlags flags) {
  const VkResult result = real_vkGetQueryPoolResults(device, pool, first, count, bytes, data, stride, flags);
  uint64_t* stamps = data;  // value, availability, value, availability
  if (is("time_error")) return VK_ERROR_DEVICE_LOST;
  if (is("time_unready")) return VK_NOT_READY;
  if (is("time_zero")) memset(data, 0, bytes);
  if (is("time_ones")) memset(data, 0xff, bytes);
  if (is("time_random")) random_bytes(data, bytes);
  if (is("time_back") && bytes >= 32) stamps[0] = stamps[2] + 1;
  if (is("time_equal") && bytes >= 32) stamps[2] = stamps[0];
  if (is("time_one") && bytes >= 32) stamps[2] = stamps[0] + 1;
  return result;
}

static VkResult VKAPI_CALL my_vkGetFenceStatus(VkDevice device, VkFence fence) {
  return is("fence_status_error") ? VK_ERROR_DEVICE_LOST : real_vkGetFenceStatus(device, fence);
}

// Functions that fail with one code or succeed without an object, and else do what the real ones
// do.
#define FAILS(function, fault, code, parameters, arguments)    \
  static VkResult VKAPI_CALL my_##function parameters {        \
    return is(fault) ? (code) : real_##function arguments;     \
  }
#define GIVES_NONE(function, fault, error, code, parameters, arguments, made) \
  static VkResult VKAPI_CALL my_##function parameters {                       \
    if (is(error)) return (code);                                             \
    if (!is(fault)) return real_##function arguments;                         \
    *(made) = VK_NULL_HANDLE;                                                 \
    return VK_SUCCESS;                                                        \
  }
FAILS(vkBindBufferMemory, "bind_error", VK_ERROR_OUT_OF_DEVICE_MEMORY, (VkDevice a, VkBuffer b, VkDeviceMemory c, VkDeviceSize d), (a, b, c, d))
GIVES_NONE(vkCreatePipelineLayout, "layout_null", "layout_error", VK_ERROR_OUT_OF_HOST_MEMORY,
           (VkDevice a, const VkPipelineLayoutCreateInfo* b, const VkAllocationCallbacks* c, VkPipelineLayout* d), (a, b, c, d), d)
GIVES_NONE(vkCreateDescriptorSetLayout, "set_layout_null", "set_layout_error", VK_ERROR_OUT_OF_HOST_MEMORY,
           (VkDevice a, const VkDescriptorSetLayoutCreateInfo* b, const VkAllocationCallbacks* c, VkDescriptorSetLayout* d), (a, b, c, d), d)
GIVES_NONE(vkCreateDescriptorPool, "sets_pool_null", "sets_pool_error", VK_ERROR_OUT_OF_HOST_MEMORY,
           (VkDevice a, const VkDescriptorPoolCreateInfo* b, const VkAllocationCallbacks* c, VkDescriptorPool* d), (a, b, c, d), d)
GIVES_NONE(vkAllocateDescriptorSets, "sets_null", "sets_error", VK_ERROR_OUT_OF_POOL_MEMORY,
           (VkDevice a, const VkDescriptorSetAllocateInfo* b, VkDescriptorSet* c), (a, b, c), c)
GIVES_NONE(vkAllocateCommandBuffers, "commands_null", "commands_error", VK_ERROR_OUT_OF_HOST_MEMORY,
           (VkDevice a, const VkCommandBufferAllocateInfo* b, VkCommandBuffer* c), (a, b, c), c)
FAILS(vkBeginCommandBuffer, "begin_error", VK_ERROR_OUT_OF_DEVICE_MEMORY, (VkCommandBuffer a, const VkCommandBufferBeginInfo* b), (a, b))
FAILS(vkEndCommandBuffer, "end_error", VK_ERROR_OUT_OF_DEVICE_MEMORY, (VkCommandBuffer a), (a))
GIVES_NONE(vkCreateQueryPool, "queries_null", "queries_error", VK_ERROR_OUT_OF_DEVICE_MEMORY,
           (VkDevice a, const VkQueryPoolCreateInfo* b, const VkAllocationCallbacks* c, VkQueryPool* d), (a, b, c, d), d)
GIVES_NONE(vkCreateFence, "fence_null", "fence_error", VK_ERROR_OUT_OF_HOST_MEMORY,
           (VkDevice a, const VkFenceCreateInfo* b, const VkAllocationCallbacks* c, VkFence* d), (a, b, c, d), d)

static void VKAPI_CALL my_vkGetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue* queue) {
  real_vkGetDeviceQueue(device, family, index, queue);
  if (is("queue_null")) *queue = VK_NULL_HANDLE;
}

static void VKAPI_CALL my_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
  real_vkGetPhysicalDeviceFeatures2(device, features);
  if (is("features_none")) memset(&features->features, 0, sizeof features->features);
  for (VkBool32* each = (VkBool32*)&features->features; is("features_all") && each < (VkBool32*)(&features->features + 1); ++each) *each = VK_TRUE;
}

static PFN_vkVoidFunction VKAPI_CALL my_vkGetDeviceProcAddr(VkDevice device, const char* name);

static PFN_vkVoidFunction overridden(const char* name, PFN_vkVoidFunction found) {
#define OVERRIDE(function)                      \
  if (found && strcmp(name, #function) == 0) {  \
    real_##function = (PFN_##function)found;    \
    return (PFN_vkVoidFunction)my_##function;   \
  }
  EACH(OVERRIDE)
  return found;
}

static PFN_vkVoidFunction VKAPI_CALL my_vkGetDeviceProcAddr(VkDevice device, const char* name) {
  return overridden(name, real_vkGetDeviceProcAddr(device, name));
}

__attribute__((constructor)) static void load(void) {
  fault_of_loading();
  void* library = dlopen(getenv(REAL_VARIABLE), RTLD_NOW | RTLD_LOCAL);
  if (!library) abort();
  *(void**)&real_lookup = dlsym(library, "vk_icdGetInstanceProcAddr");
  *(void**)&real_physical_lookup = dlsym(library, "vk_icdGetPhysicalDeviceProcAddr");
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (is("lookup_crash")) die();
  if (is("lookup_null")) return NULL;
  return overridden(name, real_lookup(instance, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  return real_physical_lookup ? overridden(name, real_physical_lookup(instance, name)) : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  if (is("negotiate_crash")) die();
  if (is("negotiate_error")) return VK_ERROR_INCOMPATIBLE_DRIVER;
  if (*version > 4) *version = 4;
  return VK_SUCCESS;
}
