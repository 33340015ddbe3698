#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace percycle::vulkan {

/// A driver's packing of VkPhysicalDeviceProperties::driverVersion; the specification leaves it to
/// the vendor.
enum class VersionPacking {
  vulkan,         ///< VK_MAKE_VERSION, 10.10.12 bits
  nvidia,         ///< 10.8.8.6 bits: the generic decoding turns 580.159.04 into 580.636.256
  intel_windows,  ///< 18.14 bits
};

/// "580.159.04", "101.2111", "22.3.6".
std::string decode_driver_version(VersionPacking packing, std::uint32_t version);

/// The driver's own text if it has a version ("580.159.04", "Mesa 22.3.6"), else the decoded
/// number.
std::string driver_text(std::string_view driver_info, VersionPacking packing, std::uint32_t version);

/// 22 from "Mesa 22.3.6 (LLVM 15.0.6)"; empty if the text names no Mesa release.
std::optional<std::uint32_t> mesa_major(std::string_view driver_info);

}  // namespace percycle::vulkan
