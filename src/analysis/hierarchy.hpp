#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/private_copies.hpp"
#include "analysis/sharing.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// A cache level as seen through one path, from all experiments that looked at it.
struct HierarchyLevel {
  std::string path;
  std::string name;  ///< "L1", "L2", ...: the same name on every path that shows the same size; "constant L1", ...
  std::uint64_t size_bytes = 0;
  std::uint64_t size_low = 0;            ///< the size is hardly below this
  std::uint64_t size_high = 0;           ///< nor above this
  std::optional<double> latency_cycles;  ///< of a hit; absent where no core clock is known
  double latency_ns = 0;
  std::optional<std::uint64_t> line_bytes;    ///< what one tag covers
  std::optional<std::uint64_t> sector_bytes;  ///< what one miss fetches
  std::optional<std::uint32_t> ways;
  std::optional<std::uint64_t> sets;
  std::optional<std::string>
      replacement;  ///< "lru" (or pseudo-LRU, see replacement_of()), "pseudo-lru", "random" (or not most recently used)
  double confidence = 0;
  std::vector<std::string> evidence;
};

/// Findings with less confidence are said with "perhaps".
inline constexpr double kStatedConfidence = 0.7;

/// The upper bound of a level's size over the lower one.
double size_width(const HierarchyLevel& level);

/// Whether a level's size is known to no better than 10 %, so that it is a range.
bool is_vague(const HierarchyLevel& level);

/// One level of address translation, the same on all paths.
struct HierarchyTlb {
  std::string path;
  std::uint64_t reach_bytes = 0;
  std::optional<std::uint64_t> page_bytes;
  std::optional<double> penalty_cycles;
  double penalty_ns = 0;
  double confidence = 0;
  std::vector<std::string> evidence;
};

/// The memory behind all levels of a path; of a path without an edge (local memory) the path
/// itself.
struct HierarchyMemory {
  std::string path;
  bool reached = true;  ///< false: the walk ends before a plateau behind the last level shows; latencies are those of its end
  std::optional<double> latency_cycles;  ///< walked in random order, without the penalties of counted TLBs
  double latency_ns = 0;
  std::optional<double>
      together_cycles;  ///< neighbours visited together, which hardly ask for translation and stay within DRAM pages
  std::optional<double> together_ns;
  double confidence = 0;  ///< in stated_cycles() and stated_ns()
  std::vector<std::string> evidence;

  /// The latency that translation disturbs least.
  std::optional<double> stated_cycles() const { return together_cycles ? together_cycles : latency_cycles; }
  double stated_ns() const { return together_ns.value_or(latency_ns); }
};

/// What the points of one device through one API say of its memory.
struct Hierarchy {
  std::vector<HierarchyLevel> levels;  ///< path after path, ascending in size
  std::vector<HierarchyTlb> tlbs;      ///< ascending in reach
  std::vector<HierarchyMemory> memory;
  std::vector<PrivateCopies> private_copies;
  SharingReading sharing;
};

/// Whether find_hierarchy() reads points of the experiment.
bool shows_hierarchy(std::string_view experiment);

/// Pure. Each point appears once (later_counts() says which of several results).
Hierarchy find_hierarchy(std::span<const PointResult> results);

}  // namespace percycle
