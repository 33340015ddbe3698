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
/// the line) from `base` on; shares add up to 1.
///
/// With k = stride / line and S sets indexed modulo, the nodes take the S / gcd(S, k) sets in turn.
/// The same holds for hashed sets if the walk goes line after line from a multiple of S: S
/// consecutive lines differ only in their lowest digit, and the hash permutes that digit. Other
/// hashed walks are counted up to 65 536 nodes. Longer ones count as even, because many upper
/// digits have mixed.
std::vector<SetLoad> set_loads(const Cache& cache, std::uint64_t base, std::uint64_t stride, std::uint64_t nodes);

/// The settled share of misses if `lines` lines are loaded cyclically in a set of `ways` ways: 0 if
/// they fit, else 1 for LRU, because the next line is always the oldest. It is 1 for pseudo-LRU,
/// too: misses alone move its tree through all ways in turn, so each line is evicted before its
/// next visit. Random and not-MRU replacement are simulated with 150 000 loads of one set, the last
/// 100 000 of which count (standard error below 0.003). Above 16 lines per way the share is 1: at
/// most e^-16 survive.
double cyclic_miss_share(Replacement replacement, std::uint64_t ways, std::uint64_t lines);

}  // namespace percycle::sim
