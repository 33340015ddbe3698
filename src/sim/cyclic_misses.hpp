#pragma once

#include <cstdint>
#include <vector>

#include "sim/model.hpp"

namespace percycle::sim {

/// The number of lines of a walk per set, and the share of the walk's lines in these sets.
struct SetLoad {
  std::uint64_t lines = 0;
  double share = 0;
};

/// The distribution of `nodes` nodes over the sets of a cache: `stride` bytes apart (a multiple of
/// the line) from `base` on; shares add up to 1. Computed by arithmetic; some hashed walks are
/// counted (docs/internals.md).
std::vector<SetLoad> set_loads(const Cache& cache, std::uint64_t base, std::uint64_t stride, std::uint64_t nodes);

/// The settled share of misses if `lines` lines are loaded cyclically in a set of `ways` ways: 0 if
/// they fit, else 1 for LRU and pseudo-LRU; simulated for random and not-MRU (docs/internals.md).
double cyclic_miss_share(Replacement replacement, std::uint64_t ways, std::uint64_t lines);

}  // namespace percycle::sim
