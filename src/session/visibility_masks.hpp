#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// A variable of the environment that hides devices or drivers.
struct VisibilityMask {
  std::string name;
  std::string value;
  std::optional<Api> api;  ///< empty: hides from both
  std::string vendor;      ///< of the cards that it hides; empty: any
  bool is_of_drivers = false;
};

/// The masks that this process's environment sets.
std::vector<VisibilityMask> visibility_masks();

/// "CUDA_VISIBLE_DEVICES=7 may hide GPUs: unset it to measure these"; empty without masks.
std::string mask_advice(const std::vector<VisibilityMask>& masks);

/// One problem for each GPU that only one API shows, if a mask may hide it from the other one.
std::vector<EnumerationProblem> masked_cards(const std::vector<DeviceInfo>& devices, const std::vector<VisibilityMask>& masks,
                                             std::string_view host_cpu_name);

/// The warning before devices are measured none of which is a GPU, although the user `named` none,
/// or although a mask of devices is set; empty for others.
std::string no_gpu_warning(const std::vector<DeviceInfo>& chosen, bool named, const std::vector<VisibilityMask>& masks);

}  // namespace percycle
