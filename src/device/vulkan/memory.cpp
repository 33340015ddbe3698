#include "device/vulkan/memory.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "core/units.hpp"
#include "device/rules.hpp"
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

OwnedMemory allocate(const std::shared_ptr<const LogicalDevice>& device, const VkMemoryRequirements& requirements,
                     std::initializer_list<MemoryWish> wishes, bool has_address) {
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
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = has_address ? &flags : nullptr;
  info.allocationSize = requirements.size;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check_made(device->api().vkAllocateMemory(device->handle(), &info, nullptr, &memory), memory, "vkAllocateMemory", "memory");
  return {device, memory};
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
  check_made(api.vkCreateBuffer(device->handle(), &create, nullptr, &buffer), buffer, "vkCreateBuffer", "buffer");
  bound.buffer = OwnedBuffer(device, buffer);

  VkMemoryRequirements requirements{};
  api.vkGetBufferMemoryRequirements(device->handle(), buffer, &requirements);
  bound.memory = allocate(device, requirements, wishes, (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0);
  check(api.vkBindBufferMemory(device->handle(), buffer, bound.memory.get(), 0), "vkBindBufferMemory");
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
    case TexelFormat::r32_float:
      return VK_FORMAT_R32_SFLOAT;
    case TexelFormat::rgba32_float:
      return VK_FORMAT_R32G32B32A32_SFLOAT;
    case TexelFormat::r8_unorm:
      return VK_FORMAT_R8_UNORM;
    case TexelFormat::rgba32_uint:
      break;
  }
  return VK_FORMAT_R32G32B32A32_UINT;
}

constexpr VkImageSubresourceRange kWholeImage{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

VkExtent3D extent_of(const ImageDesc& desc) {
  const std::uint64_t texels = desc.buffer->bytes() / texel_bytes(desc.format);
  return {desc.width, static_cast<std::uint32_t>(texels / desc.width), 1};
}

/// Throws DeviceError of kind unsupported if the device has no images like this one.
void require_format(VkPhysicalDevice device, const VkImageCreateInfo& image) {
  constexpr const char* kCall = "vkGetPhysicalDeviceImageFormatProperties";
  VkImageFormatProperties most{};
  const VkResult result = vkGetPhysicalDeviceImageFormatProperties(device, image.format, image.imageType, image.tiling,
                                                                   image.usage, image.flags, &most);
  const bool fits = most.maxExtent.width >= image.extent.width && most.maxExtent.height >= image.extent.height;
  if (result == VK_ERROR_FORMAT_NOT_SUPPORTED || (result == VK_SUCCESS && !fits)) {
    throw DeviceError(Api::vulkan, DeviceError::Kind::unsupported, kCall, result_name(VK_ERROR_FORMAT_NOT_SUPPORTED),
                      fmt::format("images of format {} and {} x {} texels", static_cast<int>(image.format), image.extent.width,
                                  image.extent.height));
  }
  check(result, kCall);
}

/// Throws DeviceError of kind unsupported if the device cannot filter texels of this format.
void require_filter(VkPhysicalDevice device, VkFormat format) {
  VkFormatProperties properties{};
  vkGetPhysicalDeviceFormatProperties(device, format, &properties);
  if ((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0) return;
  throw DeviceError(Api::vulkan, DeviceError::Kind::unsupported, "vkGetPhysicalDeviceFormatProperties", "no linear filter",
                    fmt::format("texels of format {}", static_cast<int>(format)));
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

VulkanImage::VulkanImage(const std::shared_ptr<const LogicalDevice>& device, const ImageDesc& desc)
    : Image(desc), buffer_(std::dynamic_pointer_cast<const VulkanBuffer>(desc.buffer)) {
  VkBufferViewCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  create.buffer = buffer_->handle();
  create.format = vulkan_format(desc.format);
  create.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  check_made(device->api().vkCreateBufferView(device->handle(), &create, nullptr, &view), view, "vkCreateBufferView",
             "buffer view");
  view_ = OwnedBufferView(device, view);
}

VulkanImage2d::VulkanImage2d(std::shared_ptr<const LogicalDevice> device, const ImageDesc& desc)
    : Image(desc), device_(std::move(device)), extent_(extent_of(desc)) {
  const VolkDeviceTable& api = device_->api();
  VkImageCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  create.imageType = VK_IMAGE_TYPE_2D;
  create.format = vulkan_format(desc.format);
  create.extent = extent_;
  create.mipLevels = 1;
  create.arrayLayers = 1;
  create.samples = VK_SAMPLE_COUNT_1_BIT;
  create.tiling = VK_IMAGE_TILING_OPTIMAL;
  create.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  require_format(device_->physical().handle, create);
  if (desc.is_filtered) require_filter(device_->physical().handle, create.format);
  VkImage image = VK_NULL_HANDLE;
  check_made(api.vkCreateImage(device_->handle(), &create, nullptr, &image), image, "vkCreateImage", "image");
  image_ = OwnedImage(device_, image);

  VkMemoryRequirements requirements{};
  api.vkGetImageMemoryRequirements(device_->handle(), image, &requirements);
  memory_ = allocate(device_, requirements, kDeviceWishes, false);
  check(api.vkBindImageMemory(device_->handle(), image, memory_.get(), 0), "vkBindImageMemory");

  VkImageViewCreateInfo viewed{};
  viewed.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  viewed.image = image;
  viewed.viewType = VK_IMAGE_VIEW_TYPE_2D;
  viewed.format = create.format;
  viewed.subresourceRange = kWholeImage;
  VkImageView view = VK_NULL_HANDLE;
  check_made(api.vkCreateImageView(device_->handle(), &viewed, nullptr, &view), view, "vkCreateImageView", "image view");
  view_ = OwnedImageView(device_, view);
}

void VulkanImage2d::record_upload(VkCommandBuffer commands, const VulkanBuffer& buffer) const {
  const VolkDeviceTable& api = device_->api();
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image_.get();
  barrier.subresourceRange = kWholeImage;
  barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  // ALL_COMMANDS: after the full barrier that begins a submission.
  api.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                           nullptr, 1, &barrier);
  VkBufferImageCopy rows{};
  rows.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  rows.imageExtent = extent_;
  api.vkCmdCopyBufferToImage(commands, buffer.handle(), image_.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &rows);
  barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  barrier.newLayout = kLayout;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  api.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0,
                           nullptr, 1, &barrier);
}

StagingBuffer::StagingBuffer(const std::shared_ptr<const LogicalDevice>& device, std::uint64_t bytes)
    : bytes_(bytes),
      bound_(create_buffer(device, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, kHostWishes)) {
  void* data = nullptr;
  check_made(device->api().vkMapMemory(device->handle(), bound_.memory.get(), 0, VK_WHOLE_SIZE, 0, &data), data, "vkMapMemory",
             "mapped pointer");
  data_ = static_cast<std::byte*>(data);
}

}  // namespace percycle::vulkan
