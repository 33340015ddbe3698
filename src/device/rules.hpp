#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"

// The requirements of the Device interface on its callers, for all implementations. Each check
// throws std::invalid_argument, but a work-group above the limit DeviceError (unsupported).

namespace percycle {

std::uint64_t texel_bytes(TexelFormat format);

/// Constants in several buffers: the size of a buffer is a multiple of this. Vulkan devices align
/// uniform buffers to at most 256 bytes (minUniformBufferOffsetAlignment).
inline constexpr std::uint64_t kConstantBufferStep = 256;

void check_rules(const BufferDesc& desc);
void check_rules(const ImageDesc& desc, const DeviceInfo& info);
void check_rules(const KernelDesc& desc, const DeviceInfo& info);
/// Checks the size of work-groups against the limit of the device or of this kernel.
void check_group_limit(const KernelDesc& desc, Api api, std::uint64_t most);
/// Checks the bindings against the kernel's; parameter_block() checks the parameters.
void check_rules(const Dispatch& dispatch, const std::vector<BindingKind>& bindings, const DeviceInfo& info);
void check_rules(const Launches& launches);
void check_rules(const QueuedLaunches& launches);
/// Checks a write or read of so many bytes at that offset.
void check_transfer(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes);

}  // namespace percycle
