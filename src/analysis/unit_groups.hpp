#pragma once

#include <cstdint>
#include <vector>

namespace percycle {

/// What handing a token over between two units took.
struct UnitDistance {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double ns = 0;
};

/// Units that lie alike: by the hand-over to the partner nearest to each.
struct UnitGroup {
  std::vector<std::uint32_t> units;  ///< in order
  double least_ns = 0;               ///< of its units' nearest partners
  double most_ns = 0;
};

/// Splits the units by their nearest partners where these leave one gap that nothing like it is beside: wider than a tenth of what lies below it
/// and twice any other. A token lies in one place of one cache; what two units on its side hand over stays there. One group where there is no such
/// gap or a group would have one unit; none without distances. Nearest group first.
std::vector<UnitGroup> unit_groups(const std::vector<UnitDistance>& distances);

}  // namespace percycle
