#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/levels.hpp"

namespace percycle {

/// A reading whose latencies count each fetch once, and flags for the latencies where that failed.
struct FetchedReading {
  CurveReading reading;
  std::vector<bool> doubtful;  ///< by level
  bool memory_doubtful = false;
};

/// Corrects latencies where one miss fetches several nodes that are visited together. Only one load
/// of each fetch reaches the next level; the others hit. With R nodes in the largest fetch, R *
/// measured = latency + sum over the levels before of (loads that the level serves) * (its
/// latency). If a level holds less than twice the neighbours that are visited together, it evicts
/// some before their visit, and the latencies of the levels behind are doubtful. `nodes_fetched`:
/// nodes per miss of each level, 1 if unknown. Neighbours are visited together from `together_from`
/// bytes on, at most `most_together` bytes of them.
FetchedReading count_fetches_once(CurveReading reading, std::span<const double> nodes_fetched, double together_from,
                                  double most_together);

}  // namespace percycle
