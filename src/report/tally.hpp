#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "store/runs.hpp"

namespace percycle {

/// The numbers of points of some runs by outcome.
struct Tally {
  std::array<std::size_t, 5> by_status{};  ///< indexed by Status
  std::size_t unfinished = 0;              ///< started, without a result

  std::size_t finished() const;
};

/// Adds the run's points.
void count(Tally& tally, const Run& run);

/// "12 ok, 1 unsupported, 2 unfinished": without the counts that are 0, except that of ok.
std::string to_string(const Tally& tally);

}  // namespace percycle
