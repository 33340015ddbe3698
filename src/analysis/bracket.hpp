#pragma once

#include <cstdint>

namespace percycle {

/// The largest measured count that fits, and the smallest that does not; 0: none yet.
struct Bracket {
  std::uint64_t fits = 0;
  std::uint64_t misses = 0;
};

}  // namespace percycle
