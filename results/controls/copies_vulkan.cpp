// A bare Vulkan program: copies of 64 MiB to the device and to the host at the same time, from each
// pair of queues. After g++ -O2 -o copies_vulkan copies_vulkan.cpp -lvulkan: ./copies_vulkan
#include <vulkan/vulkan.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                             \
  do {                                                          \
    const VkResult result = (call);                             \
    if (result != VK_SUCCESS) {                                 \
      std::printf("%s: %d\n", #call, static_cast<int>(result)); \
      std::exit(1);                                             \
    }                                                           \
  } while (false)

constexpr VkDeviceSize kBytes = 64 << 20;

static VkPhysicalDevice physical;
static VkDevice device;
static std::vector<uint32_t> all_families;

static VkBuffer buffer_in(VkMemoryPropertyFlags flags) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = kBytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.sharingMode = all_families.size() > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE;
  info.queueFamilyIndexCount = static_cast<uint32_t>(all_families.size());
  info.pQueueFamilyIndices = all_families.data();
  VkBuffer buffer;
  CHECK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = needs.size;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if (((needs.memoryTypeBits >> i) & 1) == 0 || (memory.memoryTypes[i].propertyFlags & flags) != flags) continue;
    allocate.memoryTypeIndex = i;
    break;
  }
  VkDeviceMemory bytes;
  CHECK(vkAllocateMemory(device, &allocate, nullptr, &bytes));
  CHECK(vkBindBufferMemory(device, buffer, bytes, 0));
  return buffer;
}

struct Side {
  uint32_t family = 0, number = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;

  std::string name() const { return std::to_string(family) + "." + std::to_string(number); }

  VkCommandBuffer copy(VkBuffer from, VkBuffer to) const {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool;
    info.commandBufferCount = 1;
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device, &info, &commands));
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    const VkBufferCopy region{0, 0, kBytes};
    for (int i = 0; i < 8; ++i) vkCmdCopyBuffer(commands, from, to, 1, &region);
    CHECK(vkEndCommandBuffer(commands));
    return commands;
  }
};

/// GB/s of all copies together; the best of ten.
static double rate(const std::vector<std::pair<Side, VkCommandBuffer>>& work) {
  std::vector<VkFence> fences(work.size());
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  for (VkFence& fence : fences) CHECK(vkCreateFence(device, &info, nullptr, &fence));
  double best = 0;
  for (int sample = 0; sample < 10; ++sample) {
    CHECK(vkResetFences(device, static_cast<uint32_t>(fences.size()), fences.data()));
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < work.size(); ++i) {
      VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
      submit.commandBufferCount = 1;
      submit.pCommandBuffers = &work[i].second;
      CHECK(vkQueueSubmit(work[i].first.queue, 1, &submit, fences[i]));
    }
    CHECK(vkWaitForFences(device, static_cast<uint32_t>(fences.size()), fences.data(), VK_TRUE, ~0ull));
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, double(work.size()) * 8 * kBytes / ns);
  }
  return best;
}

int main() {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  VkInstance instance;
  CHECK(vkCreateInstance(&instance_info, nullptr, &instance));
  uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance, &count, &physical);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  std::vector<VkDeviceQueueCreateInfo> queues;
  const float priorities[2] = {1, 1};
  for (uint32_t i = 0; i < count; ++i) {
    std::printf("family %u: flags %x, %u queues, %u bits of time\n", i, families[i].queueFlags, families[i].queueCount, families[i].timestampValidBits);
    if ((families[i].queueFlags & (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT)) == 0) continue;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = i;
    queue.queueCount = std::min(2u, families[i].queueCount);
    queue.pQueuePriorities = priorities;
    queues.push_back(queue);
    all_families.push_back(i);
  }
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.queueCreateInfoCount = static_cast<uint32_t>(queues.size());
  device_info.pQueueCreateInfos = queues.data();
  CHECK(vkCreateDevice(physical, &device_info, nullptr, &device));
  std::vector<Side> sides;
  for (const VkDeviceQueueCreateInfo& queue : queues) {
    for (uint32_t i = 0; i < queue.queueCount; ++i) {
      Side side{queue.queueFamilyIndex, i};
      vkGetDeviceQueue(device, side.family, i, &side.queue);
      VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
      pool.queueFamilyIndex = side.family;
      CHECK(vkCreateCommandPool(device, &pool, nullptr, &side.pool));
      sides.push_back(side);
    }
  }
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkBuffer near = buffer_in(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  const VkBuffer other = buffer_in(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  const VkBuffer sent = buffer_in(kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  const VkBuffer received = buffer_in(kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  const VkBuffer uncached = buffer_in(kHost);
  for (const Side& side : sides) {
    const double there = rate({{side, side.copy(sent, near)}});
    const double back = rate({{side, side.copy(other, received)}});
    const double uncached_there = rate({{side, side.copy(uncached, near)}});
    std::printf("queue %s alone: to device %.1f (uncached %.1f), to host %.1f GB/s\n", side.name().c_str(), there, uncached_there, back);
  }
  for (const Side& first : sides) {
    for (const Side& second : sides) {
      if (first.queue == second.queue) continue;
      const double both = rate({{first, first.copy(sent, near)}, {second, second.copy(other, received)}});
      std::printf("to device on %s, to host on %s: %.1f GB/s together\n", first.name().c_str(), second.name().c_str(), both);
    }
  }
}
