#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "device/forwarding_device.hpp"

namespace percycle {

/// All properties of a kernel that a driver sees, as one string.
std::string kernel_key(const KernelDesc& desc);

/// A device that compiles each kernel once: points of a sweep share kernels, and a compilation
/// costs more than a sample.
class CachingDevice final : public ForwardingDevice {
 public:
  /// `keep_code` makes all kernels with KernelDesc::keep_code.
  explicit CachingDevice(std::unique_ptr<Device> device, bool keep_code = false)
      : ForwardingDevice(std::move(device)), keep_code_(keep_code) {}

  using ForwardingDevice::create;
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override;

 private:
  bool keep_code_;
  // Guards kernels_; not held while a driver compiles.
  std::mutex changing_;
  std::map<std::string, std::shared_ptr<Kernel>> kernels_;  // destroyed before the device
};

}  // namespace percycle
