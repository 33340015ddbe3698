#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "sim/cyclic_misses.hpp"
#include "sim/model.hpp"

namespace percycle::simtest {

/// A level of the model, seen through one path.
struct TrueLevel {
  const sim::Cache* cache = nullptr;
  double size = 0;           ///< of an exclusive cache: with the level before, as a chase sees it
  double latency = 0;        ///< the mean if some lines are far
  std::uint64_t sector = 0;  ///< of the cache
  std::uint64_t inner = 0;   ///< largest fetch of the levels before
  bool part = false;         ///< near or far part of a cache
  /// The level before holds as many lines as a test of this level's tags could use.
  bool shadowed = false;
};

/// The levels of a path that a sweep up to `most` bytes can show.
inline std::vector<TrueLevel> true_levels(const sim::Model& model, MemoryPath which, double most) {
  std::vector<TrueLevel> levels;
  const sim::Path* path = model.path(which);
  if (path == nullptr) return levels;
  std::uint64_t inner = 0;
  std::uint64_t inner_lines = 0;
  for (const auto& hop : path->hops) {
    const auto& cache = model.caches[hop.cache];
    const std::uint64_t lines = cache.size_bytes / cache.line_bytes;
    const bool shadowed = 0.7 * static_cast<double>(lines) < 1.5 * static_cast<double>(inner_lines);
    inner_lines = std::max(inner_lines, lines);
    if (hop.far_latency_cycles) {
      levels.push_back(
          {&cache, static_cast<double>(hop.near_bytes), hop.latency_cycles, cache.sector_bytes, inner, true, shadowed});
    }
    const bool exclusive = cache.inclusion == sim::Inclusion::exclusive && !levels.empty();
    const double size = static_cast<double>(cache.size_bytes) + (exclusive ? levels.back().size : 0);
    const double mean = (hop.latency_cycles + hop.far_lines_cycles.value_or(hop.latency_cycles)) / 2;
    levels.push_back({&cache, size, hop.far_latency_cycles.value_or(mean), cache.sector_bytes, inner,
                      hop.far_latency_cycles.has_value(), shadowed});
    inner = std::max(inner, cache.sector_bytes);
  }
  std::erase_if(levels, [&](const TrueLevel& level) { return level.size * 1.7 > most; });
  return levels;
}

inline bool is_random(const sim::Cache& cache) {
  return cache.replacement == sim::Replacement::random || cache.replacement == sim::Replacement::not_mru;
}

inline bool same_latency(double found, double truth) { return std::abs(found - truth) <= std::max(1.0, 0.01 * truth); }

/// The right names of a cache's replacement. A pseudo-LRU tree of few ways misses as LRU does, and
/// not-MRU of two ways is LRU.
inline std::vector<std::string> true_replacements(const sim::Cache& cache) {
  constexpr double kAllMiss = 0.95;
  const double share = sim::cyclic_miss_share(cache.replacement, cache.ways, cache.ways + 1);
  std::vector<std::string> names;
  if (cache.replacement == sim::Replacement::lru || share >= kAllMiss) names.push_back("lru");
  if (cache.replacement == sim::Replacement::pseudo_lru) names.push_back("pseudo-lru");
  if (is_random(cache)) names.push_back("random");
  return names;
}

/// The faults in a path's levels; empty if there are none.
inline std::vector<std::string> wrong_levels(const sim::Model& model, const Hierarchy& hierarchy, const std::string& name,
                                             MemoryPath which, double most, bool geometry) {
  std::vector<std::string> wrong;
  const auto truth = true_levels(model, which, most);
  std::vector<const HierarchyLevel*> found;
  for (const auto& level : hierarchy.levels) {
    if (level.path == name) found.push_back(&level);
  }
  std::string sizes;
  for (const auto* level : found) sizes += fmt::format(" {}", level->size_bytes);
  if (found.size() != truth.size())
    return {fmt::format("{}: {} levels instead of {}:{}", name, found.size(), truth.size(), sizes)};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto& cache = *truth[i].cache;
    const auto& level = *found[i];
    const auto say = [&](const std::string& fault) {
      wrong.push_back(fmt::format("{} {} ({}): {}", name, level.name, cache.name, fault));
    };
    const double tolerance = is_random(cache) ? 0.10 : 0.05;
    if (std::abs(static_cast<double>(level.size_bytes) / truth[i].size - 1) > tolerance) {
      say(fmt::format("size {} instead of {}", level.size_bytes, truth[i].size));
    }
    if (!same_latency(level.latency_cycles.value_or(0), truth[i].latency)) {
      say(fmt::format("latency {} instead of {}", level.latency_cycles.value_or(0), truth[i].latency));
    }
    if (!geometry || truth[i].part) continue;
    // A path shows no sector or line below the largest fetch of its inner levels.
    if (truth[i].sector >= truth[i].inner) {
      if (level.sector_bytes != truth[i].sector)
        say(fmt::format("sector {} instead of {}", level.sector_bytes.value_or(0), truth[i].sector));
      if (level.line_bytes != cache.line_bytes && !(truth[i].shadowed && !level.line_bytes))
        say(fmt::format("line {} instead of {}", level.line_bytes.value_or(0), cache.line_bytes));
    }
    if (cache.index == sim::SetIndex::hashed && cache.sets() > 1) {
      if (level.ways && level.ways != cache.ways) say(fmt::format("{} ways instead of {}", *level.ways, cache.ways));
    } else if (!is_random(cache) && truth[i].sector >= truth[i].inner && level.ways != cache.ways &&
               !(truth[i].shadowed && !level.ways)) {
      say(fmt::format("{} ways instead of {}", level.ways.value_or(0), cache.ways));
    }
    if (level.sets && *level.sets != cache.sets()) say(fmt::format("{} sets instead of {}", *level.sets, cache.sets()));
    const auto policies = true_replacements(cache);
    const bool named = level.replacement && std::find(policies.begin(), policies.end(), *level.replacement) != policies.end();
    // Without the time of single loads (short laps and a clock), the analysis tells only LRU from
    // others.
    if (level.replacement ? !named : level.ways && policies.front() == "lru" && cache.replacement == sim::Replacement::lru)
      say(fmt::format("replacement {} instead of {}", level.replacement.value_or("absent"), fmt::join(policies, " or ")));
  }
  return wrong;
}

/// The faults in the latency behind all levels that a sweep up to `most` bytes can show.
inline std::vector<std::string> wrong_memory(const sim::Model& model, const Hierarchy& hierarchy, const std::string& name,
                                             MemoryPath which, double most) {
  const sim::Path* path = model.path(which);
  const auto levels = true_levels(model, which, most);
  if (path == nullptr || levels.empty()) return {};
  const auto next = std::find_if(path->hops.begin(), path->hops.end(),
                                 [&](const sim::Hop& hop) { return &model.caches[hop.cache] == levels.back().cache; });
  const double truth = next + 1 == path->hops.end() ? path->memory_latency_cycles : std::next(next)->latency_cycles;
  const auto found = std::find_if(hierarchy.memory.begin(), hierarchy.memory.end(),
                                  [&](const HierarchyMemory& memory) { return memory.path == name; });
  if (found == hierarchy.memory.end()) return {fmt::format("{}: no memory", name)};
  const double latency = found->latency_cycles.value_or(0);
  if (same_latency(latency, truth)) return {};
  return {fmt::format("{}: memory latency {} instead of {}", name, latency, truth)};
}

/// The faults in translation, for spans up to `most` bytes.
inline std::vector<std::string> wrong_tlbs(const sim::Model& model, const Hierarchy& hierarchy, double most) {
  // A reach near the longest span may show or not.
  std::vector<const sim::TlbModel*> truth;
  for (const auto& tlb : model.tlbs) {
    const double reach = static_cast<double>(tlb.reach_bytes);
    if (reach * 2 <= most || (reach * 1.2 <= most && hierarchy.tlbs.size() > truth.size())) truth.push_back(&tlb);
  }
  if (hierarchy.tlbs.size() != truth.size()) {
    std::string reaches;
    for (const auto& tlb : hierarchy.tlbs) reaches += fmt::format(" {}", tlb.reach_bytes);
    return {fmt::format("{} TLBs instead of {}:{}", hierarchy.tlbs.size(), truth.size(), reaches)};
  }
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto& found = hierarchy.tlbs[i];
    const double off = std::abs(static_cast<double>(found.reach_bytes) - static_cast<double>(truth[i]->reach_bytes));
    if (off > static_cast<double>(truth[i]->page_bytes)) {
      wrong.push_back(fmt::format("TLB {}: reach {} instead of {}", i + 1, found.reach_bytes, truth[i]->reach_bytes));
    }
    if (found.page_bytes != truth[i]->page_bytes) {
      wrong.push_back(fmt::format("TLB {}: page {} instead of {}", i + 1, found.page_bytes.value_or(0), truth[i]->page_bytes));
    }
    const double penalty = found.penalty_cycles.value_or(0);
    if (std::abs(penalty - truth[i]->penalty_cycles) > std::max(1.0, 0.05 * truth[i]->penalty_cycles)) {
      wrong.push_back(fmt::format("TLB {}: penalty {} instead of {}", i + 1, penalty, truth[i]->penalty_cycles));
    }
  }
  return wrong;
}

inline std::vector<std::string> wrong_copies(const sim::Model& model, const Hierarchy& hierarchy) {
  std::vector<std::string> wrong;
  for (const auto& named : {std::pair("texture", MemoryPath::texture), std::pair("global-index", MemoryPath::global)}) {
    const char* name = named.first;
    const sim::Path* path = model.path(named.second);
    if (path == nullptr) continue;
    const auto& cache = model.caches[path->hops.front().cache];
    const std::uint32_t truth = cache.scope == sim::Scope::unit ? cache.copies : 1;
    const auto found = std::find_if(hierarchy.private_copies.begin(), hierarchy.private_copies.end(),
                                    [&](const PrivateCopies& copies) { return copies.path == name; });
    if (found == hierarchy.private_copies.end()) {
      wrong.push_back(fmt::format("{}: copies not found", name));
    } else if (found->per_unit != truth) {
      wrong.push_back(fmt::format("{}: {} copies instead of {}", name, found->per_unit, truth));
    }
  }
  return wrong;
}

/// All faults of the analysis of all experiments.
inline std::vector<std::string> wrong(const sim::Model& model, const Hierarchy& hierarchy) {
  const double longest = model.memory_bytes >= (std::uint64_t{8} << 30) ? 1u << 30 : 512u << 20;
  const double span = std::min(static_cast<double>(std::uint64_t{16} << 30), 0.85 * static_cast<double>(model.memory_bytes));
  std::vector<std::string> all;
  const auto add = [&](std::vector<std::string> more) { std::move(more.begin(), more.end(), std::back_inserter(all)); };
  add(wrong_levels(model, hierarchy, "global", MemoryPath::global, longest, true));
  add(wrong_levels(model, hierarchy, "global-index", MemoryPath::global, longest, false));
  add(wrong_levels(model, hierarchy, "texture", MemoryPath::texture, longest, true));
  const double constants = std::min<double>(static_cast<double>(model.constant_bytes), 65536);
  auto constant = wrong_levels(model, hierarchy, "constant", MemoryPath::constant, constants, false);
  // 64 KiB of constants may show a level of more than 40 KiB or not, depending on its edge.
  std::erase_if(constant, [](const std::string& text) { return text.find("levels instead of") != std::string::npos; });
  add(std::move(constant));
  add(wrong_memory(model, hierarchy, "global", MemoryPath::global, longest));
  add(wrong_memory(model, hierarchy, "global-index", MemoryPath::global, longest));
  add(wrong_memory(model, hierarchy, "texture", MemoryPath::texture, longest));
  add(wrong_tlbs(model, hierarchy, span));
  add(wrong_copies(model, hierarchy));
  return all;
}

}  // namespace percycle::simtest
