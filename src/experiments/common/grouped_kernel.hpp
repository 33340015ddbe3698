#pragma once

#include <cstdint>
#include <memory>

#include "device/device.hpp"

namespace percycle {

/// A kernel and the size of its work-groups.
struct GroupedKernel {
  std::shared_ptr<Kernel> kernel;
  std::uint32_t group_size = 0;
};

/// The kernel with work-groups of `most` invocations, or of the largest number below it that the
/// device and the driver's limit of this kernel allow: for set-up, whose result does not depend on
/// the size. Throws DeviceError.
GroupedKernel grouped_kernel(Device& device, KernelDesc desc, std::uint32_t most);

}  // namespace percycle
