#pragma once

#include <cstdint>

#include "device/opencl/handles.hpp"
#include "device/opencl/query.hpp"
#include "device/peer_link.hpp"

namespace percycle::opencl {

/// Both devices in one context, with a queue each. NVIDIA's driver moves a buffer to the device
/// whose queue uses it, before the command: a copy in the first device's queue would move the
/// second buffer there.
class OpenclPeerLink final : public PeerLink {
 public:
  /// Both devices are of one platform. Throws DeviceError.
  OpenclPeerLink(const DeviceQuery& device, const DeviceQuery& peer, std::uint64_t bytes);

  void write(std::span<const std::byte> bytes) override;
  Timing copy() override;
  void read(std::span<std::byte> bytes) override;

 private:
  void require_whole(std::uint64_t bytes) const;
  Memory make_buffer() const;

  std::uint64_t bytes_;
  Context context_;
  Queue queue_;
  Queue peer_queue_;
  Memory original_;  ///< only the device uses it
  Memory source_;
  Memory target_;
};

}  // namespace percycle::opencl
