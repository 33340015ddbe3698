#include "device/vulkan/memory.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "core/units.hpp"
#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

namespace {

/// Memory for protected queues, tilers or debuggers.
constexpr VkMemoryPropertyFlags kSpecial = VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                           VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                           VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD | VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV;

/// Wanted and unwanted properties of a memory type.
struct MemoryWish {
  VkMemoryPropertyFlags with;
  VkMemoryPropertyFlags without;
};

// Memory types are ordered by added properties and by speed (VkPhysicalDeviceMemoryProperties), so
// the first match is best.
constexpr std::initializer_list<MemoryWish> kDeviceWishes{{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, kSpecial}, {0, kSpecial}};
constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr std::initializer_list<MemoryWish> kHostWishes{
    {kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kSpecial | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    {kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kSpecial},
    {kMapped, kSpecial}};

std::uint32_t memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t allowed,
                          std::initializer_list<MemoryWish> wishes) {
  for (const MemoryWish& wish : wishes) {
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      const VkMemoryPropertyFlags flags = memory.memoryTypes[type].propertyFlags;
      if ((allowed >> type & 1u) != 0 && (flags & wish.with) == wish.with && (flags & wish.without) == 0) return type;
    }
  }
  throw DeviceError(Api::vulkan, DeviceError::Kind::out_of_memory, "vkGetBufferMemoryRequirements",
                    result_name(VK_ERROR_OUT_OF_DEVICE_MEMORY), "no memory type of the driver suits the buffer");
}

BoundBuffer create_buffer(const std::shared_ptr<const LogicalDevice>& device, std::uint64_t bytes, VkBufferUsageFlags usage,
                          std::initializer_list<MemoryWish> wishes) {
  const VolkDeviceTable& api = device->api();
  BoundBuffer bound;

  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = bytes;
  create.usage = usage;
  const std::vector<std::uint32_t>& families = device->families();
  if (families.size() > 1) {
    create.sharingMode = VK_SHARING_MODE_CONCURRENT;
    create.queueFamilyIndexCount = static_cast<std::uint32_t>(families.size());
    create.pQueueFamilyIndices = families.data();
  }
  VkBuffer buffer = VK_NULL_HANDLE;
  check(api.vkCreateBuffer(device->handle(), &create, nullptr, &buffer), "vkCreateBuffer");
  bound.buffer = OwnedBuffer(device, buffer);

  VkMemoryRequirements requirements{};
  api.vkGetBufferMemoryRequirements(device->handle(), buffer, &requirements);
  const VkPhysicalDeviceMemoryProperties& properties = device->physical().memory;
  const std::uint32_t type = memory_type(properties, requirements.memoryTypeBits, wishes);
  // A driver may treat a request beyond the heap as a programming error; beyond
  // maxMemoryAllocationSize it may succeed (on NVIDIA it does).
  const std::uint64_t heap = properties.memoryHeaps[properties.memoryTypes[type].heapIndex].size;
  if (requirements.size > heap) {
    throw DeviceError(Api::vulkan, DeviceError::Kind::out_of_memory, "vkAllocateMemory",
                      result_name(VK_ERROR_OUT_OF_DEVICE_MEMORY),
                      fmt::format("{} requested from a heap of {}", format_bytes(requirements.size), format_bytes(heap)));
  }

  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0 ? &flags : nullptr;
  allocate.allocationSize = requirements.size;
  allocate.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(api.vkAllocateMemory(device->handle(), &allocate, nullptr, &memory), "vkAllocateMemory");
  bound.memory = OwnedMemory(device, memory);
  check(api.vkBindBufferMemory(device->handle(), buffer, memory, 0), "vkBindBufferMemory");
  return bound;
}

VkBufferUsageFlags device_usage(const LogicalDevice& device) {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (device.info().buffer_addresses) usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  return usage;
}

VkFormat vulkan_format(TexelFormat format) {
  switch (format) {
    case TexelFormat::r32_uint:
      return VK_FORMAT_R32_UINT;
    case TexelFormat::rg32_uint:
      return VK_FORMAT_R32G32_UINT;
    case TexelFormat::rgba16_uint:
      return VK_FORMAT_R16G16B16A16_UINT;
    case TexelFormat::rgba8_uint:
      return VK_FORMAT_R8G8B8A8_UINT;
    case TexelFormat::rgba16_float:
      return VK_FORMAT_R16G16B16A16_SFLOAT;
    case TexelFormat::rgba8_unorm:
      return VK_FORMAT_R8G8B8A8_UNORM;
    case TexelFormat::rgba32_uint:
      break;
  }
  return VK_FORMAT_R32G32B32A32_UINT;
}

}  // namespace

VulkanBuffer::VulkanBuffer(const std::shared_ptr<const LogicalDevice>& device, std::uint64_t bytes, bool is_host_memory)
    : device_(device),
      bytes_(bytes),
      bound_(create_buffer(device, bytes, device_usage(*device), is_host_memory ? kHostWishes : kDeviceWishes)) {
  if (!device->info().buffer_addresses) return;
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = handle();
  const bool core = device->physical().api_version >= VK_API_VERSION_1_2;
  const auto get = core ? device->api().vkGetBufferDeviceAddress : device->api().vkGetBufferDeviceAddressKHR;
  address_ = get(device->handle(), &info);
}

VulkanImage::VulkanImage(const std::shared_ptr<const LogicalDevice>& device, std::shared_ptr<const VulkanBuffer> buffer,
                         TexelFormat format)
    : buffer_(std::move(buffer)) {
  VkBufferViewCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  create.buffer = buffer_->handle();
  create.format = vulkan_format(format);
  create.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  check(device->api().vkCreateBufferView(device->handle(), &create, nullptr, &view), "vkCreateBufferView");
  view_ = OwnedBufferView(device, view);
}

StagingBuffer::StagingBuffer(const std::shared_ptr<const LogicalDevice>& device, std::uint64_t bytes)
    : bytes_(bytes),
      bound_(create_buffer(device, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, kHostWishes)) {
  void* data = nullptr;
  check(device->api().vkMapMemory(device->handle(), bound_.memory.get(), 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  data_ = static_cast<std::byte*>(data);
}

}  // namespace percycle::vulkan
