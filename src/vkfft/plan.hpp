#pragma once

#include <cstdint>
#include <memory>

#include "device/device.hpp"

namespace percycle {

/// Forward transforms of complex numbers in single precision: `batches` of `length` points, from
/// one buffer to another.
struct FourierPlan {
  std::uint64_t length = 0;
  std::uint64_t batches = 0;
  std::shared_ptr<Buffer> input;
  std::shared_ptr<Buffer> output;
};

/// The plan as a kernel for Device::launch; null if its buffers were not made through that API.
/// Throws DeviceError.
std::shared_ptr<Kernel> opencl_plan(const FourierPlan& plan);
std::shared_ptr<Kernel> vulkan_plan(const FourierPlan& plan);

}  // namespace percycle
