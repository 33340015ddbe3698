#include "experiments/common/offsets.hpp"

namespace percycle {

std::optional<std::string> offsets_unsupported(const DeviceInfo& device, std::uint64_t bytes) {
  if (device.api != Api::vulkan || device.int64 || bytes <= std::uint64_t{1} << 32) return std::nullopt;
  return "the device has no 64-bit integers, and offsets of 32 bits reach 4 GiB";
}

}  // namespace percycle
