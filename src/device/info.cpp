#include "device/info.hpp"

namespace percycle {

std::span<const Word<DeviceType>> words(DeviceType) {
  static constexpr Word<DeviceType> kWords[]{{DeviceType::gpu, "gpu"}, {DeviceType::cpu, "cpu"}, {DeviceType::other, "other"}};
  return kWords;
}

}  // namespace percycle
