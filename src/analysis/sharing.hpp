#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// Whether two paths share one first-level cache.
struct PathSharing {
  std::string first;
  std::string second;
  bool shared = false;
  double confidence = 0;  ///< 0 to 1, see read_sharing
  std::vector<std::string> evidence;
};

/// Whether several units share one instance of a level.
struct UnitSharing {
  std::string path;
  std::size_t level = 1;         ///< of the path, counted from 1
  std::uint64_t size_bytes = 0;  ///< of the level
  bool shared = false;
  double confidence = 0;
  std::vector<std::string> evidence;
  std::uint64_t walked_bytes = 0;  ///< by each unit
};

struct SharingReading {
  std::vector<PathSharing> paths;
  std::vector<UnitSharing> units;  ///< by path, ascending by level
};

/// Reads the points of experiment `sharing`, as the source describes. Leaves out tests with missing
/// points or an unknown level. The confidence is the certainty of the decision
/// (Disturbance::certainty) times the confidence of the levels.
SharingReading read_sharing(std::span<const PointResult> results);

}  // namespace percycle
