#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace percycle {

/// "0-3, 8, 10-11", of ascending numbers.
std::string unit_ranges(const std::vector<std::uint32_t>& units);

}  // namespace percycle
