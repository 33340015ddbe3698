#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/levels.hpp"

namespace percycle {

/// A reading whose latencies count each fetch once, and the latencies for which that could not be done.
struct FetchedReading {
  CurveReading reading;
  std::vector<bool> doubtful;  ///< by level
  bool memory_doubtful = false;
};

/// Where a miss of a level fetches several nodes of a walk that visits neighbours together, only one load of each fetch reaches the levels
/// behind; the others hit in what has just been fetched. Takes these out of the latencies:
///   R * measured = latency + sum over the levels before of (loads that this level answers) * (its latency), R = nodes to the largest fetch
/// `nodes_fetched`: nodes that one miss of each level fetches; 1 where that is not known. `together_from`: bytes from which on neighbours are
/// visited together. `most_together`: bytes of neighbours visited together; a level that holds less than twice as much loses some before they are
/// visited, and the latencies behind it are doubtful.
FetchedReading count_fetches_once(CurveReading reading, std::span<const double> nodes_fetched, double together_from,
                                  double most_together);

}  // namespace percycle
