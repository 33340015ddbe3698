#pragma once

#include <cstdint>
#include <string>

namespace percycle {

/// The sides of kernel pair `branches`: 2^depth chains of dependent operations. Bit `level` of a
/// side's number says whether it is the first side of the branch at that level (0: outermost).
/// Additions alternate with ANDs or, on sides with an odd number of set bits, with ORs. So no
/// compiler merges two sides.
struct BranchSides {
  std::uint32_t depth = 1;       ///< branches inside each other
  std::uint32_t operations = 2;  ///< of a side, even; 0: the control, which adds up the conditions

  std::uint32_t count() const { return 1u << depth; }
  std::uint32_t branches() const { return operations == 0 ? 0 : count() - 1; }

  /// The statements of a turn: branches on TAKEN(0), TAKEN(1), ... around the sides.
  std::string text() const;

  /// The end value of a lane that took the same side in each of so many turns.
  std::uint32_t end(std::uint32_t start, std::uint32_t side, std::uint64_t turns) const;
};

inline constexpr std::uint32_t kDeepestBranches = 3;

// The parameters `and_mask` and `or_mask`. Addends are odd, so that each mask changes every sum.
inline constexpr std::uint32_t kBranchAndMask = ~1u;
inline constexpr std::uint32_t kBranchOrMask = 1u;

}  // namespace percycle
