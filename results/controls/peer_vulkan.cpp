// A bare Vulkan program: the device groups of the host, and whether a device may import memory.
// g++ -std=c++20 -O2 -o peer_vulkan peer_vulkan.cpp -lvulkan && ./peer_vulkan
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>
#include <vector>

static void print_handle(VkPhysicalDevice device, const char* name, VkExternalMemoryHandleTypeFlagBits handle) {
  VkPhysicalDeviceExternalBufferInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  info.handleType = handle;
  VkExternalBufferProperties found{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  vkGetPhysicalDeviceExternalBufferProperties(device, &info, &found);
  const VkExternalMemoryFeatureFlags features = found.externalMemoryProperties.externalMemoryFeatures;
  std::printf("  %s: exportable %d, importable %d, dedicated only %d\n", name, (features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0,
              (features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0, (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0);
}

/// The features between each two devices of a group.
static void print_group(const VkPhysicalDeviceGroupProperties& group) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceGroupDeviceCreateInfo all{VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO};
  all.physicalDeviceCount = group.physicalDeviceCount;
  all.pPhysicalDevices = group.physicalDevices;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &all;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  VkDevice device = VK_NULL_HANDLE;
  const VkResult result = vkCreateDevice(group.physicalDevices[0], &info, nullptr, &device);
  std::printf("  a device of the whole group: %d\n", static_cast<int>(result));
  if (result != VK_SUCCESS) return;
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(group.physicalDevices[0], &memory);
  for (uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap) {
    for (uint32_t from = 0; from < group.physicalDeviceCount; ++from) {
      for (uint32_t to = 0; to < group.physicalDeviceCount; ++to) {
        if (from == to) continue;
        VkPeerMemoryFeatureFlags features = 0;
        vkGetDeviceGroupPeerMemoryFeatures(device, heap, from, to, &features);
        std::printf("  heap %u (flags 0x%x), device %u of memory of device %u: copy from %d, copy to %d, load %d, store %d\n", heap,
                    memory.memoryHeaps[heap].flags, from, to, (features & VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT) != 0,
                    (features & VK_PEER_MEMORY_FEATURE_COPY_DST_BIT) != 0, (features & VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT) != 0,
                    (features & VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT) != 0);
      }
    }
  }
  vkDestroyDevice(device, nullptr);
}

int main() {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  VkInstance instance = VK_NULL_HANDLE;
  if (const VkResult result = vkCreateInstance(&instance_info, nullptr, &instance); result != VK_SUCCESS) {
    std::printf("vkCreateInstance: %d\n", static_cast<int>(result));
    return 1;
  }
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(instance, &count, devices.data());
  for (uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    properties.pNext = &id;
    vkGetPhysicalDeviceProperties2(devices[i], &properties);
    std::printf("device %u: %s, UUID ", i, properties.properties.deviceName);
    for (const uint8_t byte : id.deviceUUID) std::printf("%02x", byte);
    std::printf(", node mask 0x%x (valid %u)\n", id.deviceNodeMask, id.deviceLUIDValid);
    print_handle(devices[i], "opaque file descriptor (same UUID only)", VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
    print_handle(devices[i], "dma-buf", VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);
    print_handle(devices[i], "memory of the host", VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT);
  }
  uint32_t group_count = 0;
  VkResult result = vkEnumeratePhysicalDeviceGroups(instance, &group_count, nullptr);
  std::vector<VkPhysicalDeviceGroupProperties> groups(group_count, {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES});
  if (result == VK_SUCCESS) result = vkEnumeratePhysicalDeviceGroups(instance, &group_count, groups.data());
  std::printf("vkEnumeratePhysicalDeviceGroups: %d, %u groups\n", static_cast<int>(result), group_count);
  for (uint32_t i = 0; i < group_count; ++i) {
    std::printf("group %u: %u devices, subset allocation %u\n", i, groups[i].physicalDeviceCount, groups[i].subsetAllocation);
    print_group(groups[i]);
  }
  vkDestroyInstance(instance, nullptr);
}
