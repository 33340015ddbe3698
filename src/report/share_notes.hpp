#pragma once

#include <string>
#include <vector>

#include "report/ceilings.hpp"

namespace percycle {

/// Reasons why the share of a program is no share of a true ceiling; a share above 100 % has at
/// least one. `roof` is the lower roof, `bandwidths` are all of the device.
std::vector<std::string> share_notes(const ProgramShare& program, const RoofHeight& roof,
                                     const std::vector<RoofHeight>& bandwidths, bool is_cpu);

}  // namespace percycle
