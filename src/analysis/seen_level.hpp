#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "analysis/thresholds.hpp"

namespace percycle {

/// A level of one path while the hierarchy is put together from all paths.
struct SeenLevel : HierarchyLevel {
  bool sector_at_most = false;     ///< an inner level of the path fetches as much at once
  bool close_steps = false;        ///< its path was walked in close steps, neighbours together
  bool plateau = false;            ///< its latency was seen, not derived from the edges around it
  bool lines_asked = false;        ///< tests without gaps say how much of the size the walk's gaps make
  bool latency_doubtful = false;   ///< a mean over wide fetches (wide_fetches.hpp)
  bool behind_wide_fetch = false;  ///< a level before fetches more than one node of the walk at once
  bool fetches_widely = false;     ///< it or a level before does
  bool translated = false;         ///< a TLB reaches less than the level
  bool uneven = false;             ///< what was taken for its plateau rises
  bool alone = false;              ///< other paths through the same caches deny it
  std::uint64_t gaps = 1;          ///< how many times smaller it is than the walk made it seem
};

using PathLevels = std::vector<SeenLevel>;

// The path that is looked at most closely, and those through the same caches that are only walked.
inline constexpr const char* kClosestPath = "global";
inline constexpr const char* kConstantPath = "constant";
inline constexpr const char* kLocalPath = "local";
inline bool is_same_memory(const std::string& path) { return path == "global-index" || path == "scalar"; }

/// Whether two positive figures differ by no more than this ratio.
inline bool close(double a, double b, double ratio) { return a > 0 && b > 0 && std::max(a, b) / std::min(a, b) <= ratio; }

inline bool same_size(const HierarchyLevel& a, const HierarchyLevel& b) {
  return close(static_cast<double>(a.size_bytes), static_cast<double>(b.size_bytes), hierarchy_thresholds.same_size);
}

/// The confidence of independent pieces of evidence that agree: the product of their doubts is left.
inline double agreeing(double confidence, double other) { return 1 - (1 - confidence) * (1 - other); }

inline std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::llround(bytes)); }

}  // namespace percycle
