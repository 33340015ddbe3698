#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The first cache of a path while the kernel declares local memory. On some units both share one
/// storage, which the driver splits.
struct LocalSplit {
  std::string path;
  std::uint64_t local_bytes = 0;  ///< declared by the work-group
  std::uint64_t size_bytes = 0;   ///< of the first cache
  std::uint64_t size_low = 0;     ///< lower bound
  std::uint64_t size_high = 0;    ///< upper bound
  double confidence = 0;
};

/// Reads latency curves with declared local memory, each like the curve without. Ascending in
/// local_bytes for each path. Pure.
std::vector<LocalSplit> read_local_splits(std::span<const PointResult> results);

}  // namespace percycle
