#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "analysis/thresholds.hpp"

namespace percycle {

/// A level of one path while find_hierarchy() combines the paths.
struct SeenLevel : HierarchyLevel {
  double exists = 0;            ///< confidence that it is a level, whatever its figures
  bool sector_at_most = false;  ///< an inner level of the path fetches as much at once
  bool close_steps = false;     ///< its path was walked in close steps, neighbours together
  bool together = false;        ///< neighbours were visited together at its size, too
  /// Its latency was measured, not derived from the edges around it.
  bool plateau = false;
  bool lines_asked = false;        ///< tests without gaps were read
  bool latency_doubtful = false;   ///< its latency is a mean over wide fetches
  double small_page_share = 0;     ///< of its latency: translation by neighbours, with 4 KiB pages
  bool behind_wide_fetch = false;  ///< an inner level fetches several nodes of the walk at once
  bool fetches_widely = false;     ///< it or an inner level does
  bool translated = false;         ///< a TLB reaches less than the level
  bool uneven = false;             ///< its plateau is not flat
  bool slight_count = false;       ///< one line too many missed little, and the curve is vague
  bool line_disputed = false;      ///< tests of its line contradict each other
  bool sector_disputed = false;    ///< tests of its sector do
  double latency_error = 0;        ///< standard error, as a share
  bool alone = false;              ///< other paths through the same caches deny it
  std::string size_from;           ///< the path of the closer look; empty: its own
  bool latency_adopted = false;    ///< its latency comes from there, too
  std::uint64_t gaps = 1;          ///< how many times the walk's gaps enlarged it
};

using PathLevels = std::vector<SeenLevel>;

// The path with all tests. The paths of is_same_memory() share its caches and are only walked.
inline constexpr const char* kClosestPath = "global";
inline constexpr const char* kConstantPath = "constant";
inline constexpr const char* kLocalPath = "local";
inline constexpr const char* kScalarPath = "scalar";
inline bool is_same_memory(const std::string& path) { return path == "global-index" || path == kScalarPath; }

/// Whether two positive figures differ by no more than this ratio.
inline bool close(double a, double b, double ratio) { return a > 0 && b > 0 && std::max(a, b) / std::min(a, b) <= ratio; }

inline bool same_size(const HierarchyLevel& a, const HierarchyLevel& b) {
  return close(static_cast<double>(a.size_bytes), static_cast<double>(b.size_bytes), hierarchy_thresholds.same_size);
}

/// Whether the first level of a path is a cache of its own, as that of AMD's scalar loads: no cache
/// of the closest path, whose first level is `closest`, answers as soon or as late.
inline bool is_own_cache(const SeenLevel& first, const SeenLevel& closest) {
  return first.path == kScalarPath && !close(first.latency_ns, closest.latency_ns, hierarchy_thresholds.same_first);
}

/// The confidence of independent evidence that agrees: the doubts multiply.
inline double agreeing(double confidence, double other) { return 1 - (1 - confidence) * (1 - other); }

/// The figures of a level that a doubt concerns. Other figures stay as certain.
using Figures = std::span<double HierarchyLevel::*const>;
inline constexpr std::array kSize{&HierarchyLevel::confidence};
inline constexpr std::array kLatency{&HierarchyLevel::latency_confidence};
inline constexpr std::array kSizeAndLatency{&HierarchyLevel::confidence, &HierarchyLevel::latency_confidence};
inline constexpr std::array kLine{&HierarchyLevel::line_confidence};
inline constexpr std::array kSector{&HierarchyLevel::sector_confidence};
inline constexpr std::array kLineAndSector{&HierarchyLevel::line_confidence, &HierarchyLevel::sector_confidence};
/// Counted ways give the size.
inline constexpr std::array kSizeAndWays{&HierarchyLevel::confidence, &HierarchyLevel::ways_confidence};
inline constexpr std::array kEveryFigure{&HierarchyLevel::confidence, &HierarchyLevel::latency_confidence,
                                         &HierarchyLevel::line_confidence, &HierarchyLevel::sector_confidence,
                                         &HierarchyLevel::ways_confidence};

/// Leaves a share of the confidence in some figures of a level, and says why.
inline void doubt(SeenLevel& level, Figures figures, std::string why, double share = hierarchy_thresholds.doubted) {
  for (const auto figure : figures) level.*figure *= share;
  level.evidence.push_back(std::move(why));
}

/// The same for all figures: perhaps there is no level.
inline void doubt_existence(SeenLevel& level, std::string why, double share = hierarchy_thresholds.doubted) {
  level.exists *= share;
  doubt(level, kEveryFigure, std::move(why), share);
}

/// Leaves a share of a finding's confidence, and says why.
void doubt(auto& finding, std::string why, double share = hierarchy_thresholds.doubted) {
  finding.confidence *= share;
  finding.evidence.push_back(std::move(why));
}

/// Why a latency with this standard error, a share of it, is doubtful; empty if it is not. A stated
/// latency is right within 1 % or one cycle.
inline std::optional<std::string> latency_uncertainty(double share, const std::optional<double>& cycles) {
  const double error = hierarchy_thresholds.latency_errors * share;
  const double cycle = cycles ? 1 / *cycles : 0;
  if (error <= std::max(hierarchy_thresholds.latency_accuracy, cycle)) return std::nullopt;
  return fmt::format("its latency has an uncertainty of {:.1f} %", 100 * error);
}

inline std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::llround(bytes)); }

}  // namespace percycle
