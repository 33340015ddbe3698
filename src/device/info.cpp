#include "device/info.hpp"

namespace percycle {

std::span<const Word<DeviceType>> words(DeviceType) {
  static constexpr Word<DeviceType> kWords[]{{DeviceType::gpu, "gpu"}, {DeviceType::cpu, "cpu"}, {DeviceType::other, "other"}};
  return kWords;
}

void renumber(DeviceInfo& info, std::uint32_t index) {
  for (PeerDevice& peer : info.peers) peer.index += index - info.index;
  info.index = index;
}

}  // namespace percycle
