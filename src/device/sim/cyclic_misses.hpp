#pragma once

#include <cstdint>
#include <vector>

#include "device/sim/model.hpp"

namespace percycle::sim {

/// How many lines of a walk share a set, and the share of the walk's lines that lie in such sets.
struct SetLoad {
  std::uint64_t lines = 0;
  double share = 0;
};

/// How `nodes` nodes, `stride` bytes (a multiple of the line) apart from `base` on, spread over the sets of a cache; shares add up to 1.
///
/// By arithmetic: with k = stride / line and S sets indexed modulo, the nodes take the S / gcd(S, k) sets in turn. Hashed sets, walked line
/// after line from a multiple of S on, too: each S lines differ in their lowest digit alone, which the hash permutes. Other hashed walks are
/// counted up to 65 536 nodes and taken to be even above, where many upper digits have mixed.
std::vector<SetLoad> set_loads(const Cache& cache, std::uint64_t base, std::uint64_t stride, std::uint64_t nodes);

/// The share of misses when `lines` lines are loaded again and again in one order in a set of `ways` ways, once that has settled.
///
/// 0 while they fit. LRU: then 1, since the line that is asked for next is always the oldest. Pseudo-LRU too: misses alone turn its tree
/// through all ways like a clock's hand, so that each line is evicted before its turn comes. Random and not-MRU: found by playing 150 000 loads
/// of one set, the last 100 000 of which count (standard error below 0.003); 1 above 16 ways' worth, where at most e^-16 survive.
double cyclic_miss_share(Replacement replacement, std::uint64_t ways, std::uint64_t lines);

}  // namespace percycle::sim
