#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace percycle {

/// A set-associative table of entries under LRU, seen by walks over more and more pages. Each page
/// beyond its entries makes one more set overflow. All pages of that set then miss. The misses grow
/// evenly from `entries` on until each set has one page too many.
struct SetRamp {
  std::uint64_t entries = 0;
  std::uint32_t ways = 0;
  double hit = 0;      ///< latency while all pages fit
  double penalty = 0;  ///< of a walk that misses everywhere, on top
};

/// The ramp in latencies by number of pages; empty if they are no ramp of this shape. A sharp step
/// is none.
std::optional<SetRamp> find_set_ramp(const std::map<std::uint64_t, double>& latencies);

}  // namespace percycle
