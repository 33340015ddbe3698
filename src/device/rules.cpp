#include "device/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "device/error.hpp"

namespace percycle {
namespace {

void require(bool holds, const std::string& rule) {
  if (!holds) throw std::invalid_argument(rule);
}

}  // namespace

std::uint64_t texel_bytes(TexelFormat format) {
  switch (format) {
    case TexelFormat::r8_unorm:
      return 1;
    case TexelFormat::r32_uint:
    case TexelFormat::r32_float:
    case TexelFormat::rgba8_uint:
    case TexelFormat::rgba8_unorm:
      return 4;
    case TexelFormat::rg32_uint:
    case TexelFormat::rgba16_uint:
    case TexelFormat::rgba16_float:
      return 8;
    case TexelFormat::rgba32_uint:
    case TexelFormat::rgba32_float:
      break;
  }
  return 16;
}

void check_rules(const BufferDesc& desc) {
  require(desc.bytes > 0 && desc.bytes % 4 == 0, fmt::format("a buffer of {} bytes (a multiple of 4, more than 0)", desc.bytes));
}

void check_rules(const ImageDesc& desc, const DeviceInfo& info) {
  require(desc.buffer != nullptr, "an image without a buffer");
  const std::uint64_t bytes = desc.buffer->bytes();
  const std::uint64_t texels = bytes / texel_bytes(desc.format);
  require(bytes % texel_bytes(desc.format) == 0, fmt::format("an image over {} bytes, not of whole texels", bytes));
  if (desc.width == 0) {
    require(texels > 0 && texels <= info.max_texel_elements,
            fmt::format("an image of {} texels (1 to {})", texels, info.max_texel_elements));
    return;
  }
  require(texels % desc.width == 0, fmt::format("an image of {} texels in rows of {}", texels, desc.width));
  const std::uint64_t height = texels / desc.width;
  const std::uint32_t most = info.max_image_side.value_or(0);
  require(desc.width <= most && height <= most,
          fmt::format("an image of {} x {} texels (at most {} each)", desc.width, height, most));
}

void check_rules(const KernelDesc& desc, const DeviceInfo& info) {
  const auto refuse_unless = [&](bool holds, const std::string& rule) { require(holds, "kernel " + desc.name + ": " + rule); };
  refuse_unless(desc.local_size > 0, "an empty work-group");
  check_group_limit(desc, info.api, info.max_group_size);
  const auto addresses =
      static_cast<std::uint64_t>(std::ranges::count(desc.bindings, BindingKind::address, &KernelBinding::kind));
  const std::uint64_t block = 8 * addresses + 4 * std::uint64_t{count_words(desc.parameters)};
  refuse_unless(block <= info.max_parameter_bytes,
                fmt::format("{} bytes of addresses and parameters where {} fit", block, info.max_parameter_bytes));
  refuse_unless(addresses == 0 || info.buffer_addresses, "the device has no buffer addresses");
  const std::uint32_t buffers = desc.constant_buffers;
  refuse_unless(buffers > 0 && buffers <= info.constant_buffers.value_or(1),
                fmt::format("{} buffers of constants (1 to {})", buffers, info.constant_buffers.value_or(1)));
  const std::uint64_t step = buffers == 1 ? 16 : buffers * kConstantBufferStep;
  refuse_unless(desc.constants.size() % step == 0 && desc.constants.size() / buffers <= info.constant_bytes,
                fmt::format("{} bytes of constants in {} buffers (a multiple of {}, at most {} each)", desc.constants.size(),
                            buffers, step, info.constant_bytes));
  if (!desc.subgroup_size) return;
  refuse_unless(info.subgroup_size_control && std::ranges::count(info.subgroup_sizes, *desc.subgroup_size) == 1,
                fmt::format("the device cannot be set to subgroups of {}", *desc.subgroup_size));
  if (!info.max_subgroups) return;
  const std::uint64_t most = std::uint64_t{*desc.subgroup_size} * *info.max_subgroups;
  refuse_unless(desc.local_size <= most, fmt::format("subgroups of {} limit a work-group to {}", *desc.subgroup_size, most));
}

void check_group_limit(const KernelDesc& desc, Api api, std::uint64_t most) {
  if (desc.local_size <= most) return;
  throw DeviceError(api, DeviceError::Kind::unsupported, "the work-group limit of kernel " + desc.name,
                    fmt::format("{}, not {}", most, desc.local_size));
}

void check_rules(const Dispatch& dispatch, const std::vector<BindingKind>& bindings, const DeviceInfo& info) {
  require(dispatch.groups > 0 && dispatch.groups <= info.max_groups,
          fmt::format("{} work-groups (1 to {})", dispatch.groups, info.max_groups));
  require(dispatch.bindings.size() == bindings.size(),
          fmt::format("{} resources for {} bindings", dispatch.bindings.size(), bindings.size()));
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const Binding& binding = dispatch.bindings[i];
    const bool wants_image = is_image(bindings[i]);
    require((binding.image != nullptr) == wants_image && (binding.buffer != nullptr) != wants_image,
            fmt::format("binding {}: needs {} and nothing else", i, wants_image ? "an image" : "a buffer"));
    require(!wants_image || binding.image->is_2d() == is_image2d(bindings[i]),
            fmt::format("binding {}: an image of another number of dimensions", i));
    if (bindings[i] != BindingKind::storage) continue;
    require(binding.buffer->bytes() <= info.max_storage_bytes,
            fmt::format("binding {}: a storage binding reaches {} bytes, the buffer has {}; bind its address instead", i,
                        info.max_storage_bytes, binding.buffer->bytes()));
  }
}

void check_rules(const Launches& launches) { require(launches.count > 0, "no launch in a submission"); }

void check_rules(const QueuedLaunches& launches) { require(launches.count > 0, "no launch in a queue"); }

void check_transfer(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
  require(bytes > 0 && offset % 4 == 0 && bytes % 4 == 0 && offset <= buffer.bytes() && bytes <= buffer.bytes() - offset,
          fmt::format("{} bytes at offset {} of a buffer of {} (multiples of 4, inside the buffer, more than none)", bytes,
                      offset, buffer.bytes()));
}

}  // namespace percycle
