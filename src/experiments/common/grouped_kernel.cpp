#include "experiments/common/grouped_kernel.hpp"

#include <algorithm>

namespace percycle {

GroupedKernel grouped_kernel(Device& device, KernelDesc desc, std::uint32_t most) {
  for (desc.local_size = std::min(most, device.info().max_group_size);; desc.local_size /= 2) {
    try {
      return {device.create(desc), desc.local_size};
    } catch (const DeviceError& error) {
      if (error.kind != DeviceError::Kind::unsupported || desc.local_size <= 1) throw;
    }
  }
}

}  // namespace percycle
