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

/// Splits the units at the widest gap between their nearest partners' times: a token lies in one
/// place of one cache, so a hand-over between two units on the same side stays there. One group if
/// no gap is wider than a tenth of the times below it and than twice any other gap, or if a group
/// would have one unit. Empty without distances. The nearest group comes first.
std::vector<UnitGroup> unit_groups(const std::vector<UnitPairTime>& distances);

}  // namespace percycle
