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

/// What answers when all levels of a path miss; of a path without an edge (local memory) all of it.
struct HierarchyMemory {
  std::string path;
  std::optional<double> latency_cycles;  ///< walked in random order; the penalties of known TLBs are taken off
  double latency_ns = 0;
  std::optional<double> together_cycles;  ///< neighbours visited together, which DRAM pages like
  std::optional<double> together_ns;
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
