#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"
#include "device/kernel.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

/// The same as compile_kernel(), with matrices of SPV_NV_cooperative_matrix, which validators of
/// SPIR-V have known for longer.
std::vector<std::uint32_t> compile_module(const KernelDesc& desc, const std::string& file, std::string_view source,
                                          const DeviceInfo& info, const Features& features, std::uint32_t api_version);

/// The SPIR-V of a kernel's text `source` from `file`, with version, the device's extensions,
/// macros, LOCAL_SIZE, prelude, constants and parameter block before it. Throws as compile_glsl()
/// does.
std::vector<std::uint32_t> compile_kernel(const KernelDesc& desc, const std::string& file, std::string_view source,
                                          const DeviceInfo& info, const Features& features, std::uint32_t api_version);

}  // namespace percycle::vulkan
