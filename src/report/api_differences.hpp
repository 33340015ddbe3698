#pragma once

#include <string>
#include <vector>

#include "store/runs.hpp"

namespace percycle {

/// A line for each mode (`subgroup_size`, `wgp_mode`; "unknown" if the record says so) that differs
/// between OpenCL and Vulkan for the same questions on the same silicon. Modes missing in a record
/// are not compared, nor are simulated and published points. Empty if none differs.
std::string api_differences(const std::vector<Run>& runs);

}  // namespace percycle
