#pragma once

#include <cstdint>
#include <vector>

#include "core/unit_pair.hpp"

namespace percycle {

/// Units with similar times to their nearest partners.
struct UnitGroup {
  std::vector<std::uint32_t> units;  ///< ascending
  double least_ns = 0;               ///< of the nearest partners
  double most_ns = 0;
};

/// Splits the units at the widest gap between their nearest partners' times (docs/internals.md).
/// One group if no gap stands out or a group would have one unit. Empty without distances. The
/// nearest group comes first.
std::vector<UnitGroup> unit_groups(const std::vector<UnitPairTime>& distances);

}  // namespace percycle
