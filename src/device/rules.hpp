#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"

// What the interface of Device demands of its callers, in one place for all implementations. Each check throws std::invalid_argument.

namespace percycle {

std::uint64_t texel_bytes(TexelFormat format);

void check_rules(const BufferDesc& desc);
void check_rules(const ImageDesc& desc, const DeviceInfo& info);
void check_rules(const KernelDesc& desc, const DeviceInfo& info);
/// Against the kernel's bindings; parameter_block() checks the parameters.
void check_rules(const Dispatch& dispatch, const std::vector<BindingKind>& bindings, const DeviceInfo& info);
/// A write or read of so many bytes at that offset.
void check_transfer(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes);

}  // namespace percycle
