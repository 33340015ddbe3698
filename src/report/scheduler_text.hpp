#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The rates of pairs of subgroups as a square, and which of them share a scheduler. Points without
/// a result follow with their reasons.
std::string scheduler_text(const std::string& experiment, const std::vector<const PointResult*>& results);

}  // namespace percycle
