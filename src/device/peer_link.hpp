#pragma once

#include <cstddef>
#include <span>

#include "core/sample.hpp"

namespace percycle {

/// A buffer of a device and one of another device, for copies from the first to the second. Must
/// not outlive the Device that made it.
class PeerLink {
 public:
  virtual ~PeerLink() = default;
  /// Sets the whole content of the first buffer.
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Copies it to the second buffer and waits. Before, untimed, each device writes its buffer, so
  /// that both are in the memory of their devices. The device's own time may lack a part.
  virtual Timing copy() = 0;
  /// Reads the whole second buffer through its device.
  virtual void read(std::span<std::byte> bytes) = 0;
};

}  // namespace percycle
