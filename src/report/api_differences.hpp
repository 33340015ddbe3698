#pragma once

#include <string>
#include <vector>

#include "store/runs.hpp"

namespace percycle {

/// A line for each way in which kernels ran otherwise through OpenCL than through Vulkan where both answered the same questions on the same
/// silicon: `subgroup_size` and `wgp_mode` as chosen or observed, "unknown" where that is what a record says. What a record does not name is
/// not compared; what is simulated or published belongs to neither API. Empty where nothing differs.
std::string api_differences(const std::vector<Run>& runs);

}  // namespace percycle
