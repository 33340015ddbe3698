#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip_map.hpp"
#include "analysis/constant_words.hpp"
#include "analysis/instruction_caches.hpp"
#include "analysis/instruction_owners.hpp"
#include "analysis/loaded_latency.hpp"
#include "analysis/local_splits.hpp"
#include "analysis/private_copies.hpp"
#include "analysis/residency.hpp"
#include "analysis/sharing.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// A cache level seen through one path, from all experiments that measured it.
struct HierarchyLevel {
  std::string path;
  std::string name;  ///< "L1", "L2", ..., "constant L1", ...; one cache has one name on all paths
  std::uint64_t size_bytes = 0;
  std::uint64_t size_low = 0;            ///< lower bound
  std::uint64_t size_high = 0;           ///< upper bound
  std::optional<double> latency_cycles;  ///< of a hit; empty if no core clock is known
  double latency_ns = 0;
  std::optional<std::uint64_t> line_bytes;    ///< covered by one tag
  std::optional<std::uint64_t> sector_bytes;  ///< fetched by one miss
  std::optional<std::uint32_t> ways;
  std::optional<std::uint64_t> sets;
  /// "lru", "pseudo-lru" or "random", see replacement_of()
  std::optional<std::string> replacement;
  double confidence = 0;  ///< in the size: that it is right or, if is_vague(), lies in the range
  double latency_confidence = 0;
  double line_confidence = 0;
  double sector_confidence = 0;
  double ways_confidence = 0;  ///< in ways, sets and replacement
  std::vector<std::string> evidence;
};

/// Findings below this confidence are stated with "perhaps".
inline constexpr double kStatedConfidence = 0.7;

/// Sets the confidence in every figure of a level.
void set_confidence(HierarchyLevel& level, double confidence);

/// The confidence in the least certain figure that the level has.
double least_confidence(const HierarchyLevel& level);

/// The upper bound of a level's size divided by the lower one.
double size_width(const HierarchyLevel& level);

/// Whether a level's size is known to no better than 10 %, so that it is stated as a range.
bool is_vague(const HierarchyLevel& level);

/// One level of address translation, the same on all paths.
struct HierarchyTlb {
  std::string path;
  std::uint64_t reach_bytes = 0;
  std::optional<std::uint64_t> page_bytes;
  std::optional<double> penalty_cycles;
  double penalty_ns = 0;
  double confidence = 0;  ///< in reach
  std::vector<std::string> evidence;
  std::optional<std::uint32_t> ways{};  ///< if its sets overflow one after the other
  double penalty_confidence = 0;
  double page_confidence = 0;
};

/// The memory behind all levels of a path. If a path has no edge (local memory), it is the path
/// itself.
struct HierarchyMemory {
  std::string path;
  /// False: the walk ends before a plateau behind the last level. The latencies are those of its
  /// end.
  bool reached = true;
  /// Walked in random order, without the penalties of counted TLBs.
  std::optional<double> latency_cycles;
  double latency_ns = 0;
  /// Latency of neighbours visited together: few translations, few changes of DRAM page.
  std::optional<double> together_cycles;
  std::optional<double> together_ns;
  double confidence = 0;  ///< in stated_cycles() and stated_ns()
  std::vector<std::string> evidence;

  /// The latency with the least translation.
  std::optional<double> stated_cycles() const { return together_cycles ? together_cycles : latency_cycles; }
  double stated_ns() const { return together_ns.value_or(latency_ns); }
};

/// The memory of one device through one API, from its points.
struct Hierarchy {
  std::vector<HierarchyLevel> levels;  ///< path by path, ascending in size
  std::vector<HierarchyTlb> tlbs;      ///< ascending in reach
  std::vector<HierarchyMemory> memory;
  std::vector<PrivateCopies> private_copies;
  SharingReading sharing;
  InstructionCaches instruction_caches;
  InstructionSharingReading instruction_sharing;
  Residency residency;
  std::vector<LocalSplit> local_splits;
  std::vector<ChipMap> chip_maps;
  std::vector<ConstantWords> constant_words;
  std::vector<LoadCurve> load_curves;
  std::string next_run;  ///< arguments of `percycle run` that settle doubtful levels and TLBs
};

/// Whether find_hierarchy() reads points of the experiment.
bool shows_hierarchy(std::string_view experiment);

/// How much of a hierarchy is wanted.
enum class HierarchyDepth {
  levels,  ///< levels, TLBs and memory
  all,
};

/// Pure. Each point must appear once (see later_counts()).
Hierarchy find_hierarchy(std::span<const PointResult> results, HierarchyDepth depth = HierarchyDepth::all);

}  // namespace percycle
