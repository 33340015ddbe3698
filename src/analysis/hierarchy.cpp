#include "analysis/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/fine_chase_reading.hpp"
#include "analysis/geometry.hpp"
#include "analysis/tlb.hpp"
#include "core/units.hpp"

namespace percycle {
namespace {

// Two paths' levels of sizes this close are one cache seen twice: successive levels lie a factor of two apart.
constexpr double kSameSize = 1.15;
// What another method says may differ by this from the curve's size and still agree.
constexpr double kAgreement = 1.08;
// The far part of a cache in two partitions: at most this much larger, and less than twice as slow, than the near part.
constexpr double kFarSize = 2.6;
constexpr double kFarLatency = 2.0;

bool close(double a, double b, double ratio) { return a > 0 && b > 0 && std::max(a, b) / std::min(a, b) <= ratio; }

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::llround(bytes)); }

/// The last result of each point, in the order in which the points first appear.
std::vector<PointResult> last_results(std::span<const PointResult> results) {
  std::map<std::string, std::size_t> places;
  std::vector<PointResult> last;
  for (const auto& result : results) {
    const auto [place, is_new] = places.try_emplace(to_string(result.point), last.size());
    if (is_new) {
      last.push_back(result);
    } else {
      last[place->second] = result;
    }
  }
  return last;
}

/// Independent pieces of evidence that agree: what is left of the doubt is the product of theirs.
double agreeing(double confidence, double other) { return 1 - (1 - confidence) * (1 - other); }

/// Adds what the geometry tests of this level say.
void add_geometry(HierarchyLevel& level, const GeometryReader& reader, std::size_t index) {
  if (const auto fetch = reader.fetch(index)) {
    level.sector_bytes = fetch->bytes;
    level.evidence.push_back(
        fetch->at_most ? fmt::format("a miss fetches {} or less: the level before fetches as much", format_bytes(fetch->bytes))
                       : fmt::format("a miss fetches {}: from that stride on every load misses", format_bytes(fetch->bytes)));
  }
  if (const auto line = reader.line(index)) {
    level.line_bytes = *line;
    level.evidence.push_back(
        fmt::format("one tag covers {}: nodes that far apart still fill the level, closer ones waste it", format_bytes(*line)));
  } else if (level.sector_bytes) {
    level.line_bytes = level.sector_bytes;
    level.evidence.push_back("line taken from what a miss fetches: the test of tags has no room on this path");
  }
  const auto alias = reader.alias_with_factors(index);
  if (!alias || !level.line_bytes) return;
  const auto ways = reader.ways(index, *alias);
  const bool stride_free = alias->apart == alias->block;
  if (stride_free && (alias->block != *level.line_bytes || !ways || !ways->sharp)) {
    level.evidence.push_back("no power-of-two distance brings lines into one set: hashed sets, whose ways do not show");
    return;
  }
  if (!ways) return;
  const std::uint64_t exact = ways->ways * alias->apart;
  if (!close(static_cast<double>(exact), static_cast<double>(level.size_bytes), kAgreement)) {
    level.confidence *= 0.7;
    level.evidence.push_back(fmt::format("{} blocks {} apart fit, which would make {}: disagrees with the curve", ways->ways,
                                         format_bytes(alias->apart), format_bytes(exact)));
    return;
  }
  level.ways = ways->ways;
  level.sets = alias->apart / *level.line_bytes;
  level.size_bytes = exact;
  level.size_low = std::min(level.size_low, exact);
  level.size_high = std::max(level.size_high, exact);
  level.confidence = agreeing(level.confidence, 0.8);
  level.evidence.push_back(fmt::format("{} lines {} apart fit into a set, {} do not: {} in all, as the curve says", ways->ways,
                                       format_bytes(alias->apart), ways->ways + 1, format_bytes(exact)));
  level.replacement = replacement_of(reader, index, *ways, level.evidence);
}

/// The levels of one path, not yet named.
std::vector<HierarchyLevel> path_levels(const GeometryReader& reader, const std::string& path) {
  const auto& curves = reader.curves();
  const auto random = curves.local.empty() ? CurveReading{} : read_curve(curves.random);
  std::vector<HierarchyLevel> levels;
  for (std::size_t i = 0; i < reader.levels(); ++i) {
    const auto& found = reader.reading().levels[i];
    HierarchyLevel level;
    level.path = path;
    level.size_bytes = whole(found.size);
    level.size_low = whole(found.size_low);
    level.size_high = whole(found.size_high);
    if (curves.unit == LatencyUnit::cycles) level.latency_cycles = found.latency;
    level.latency_ns = found.latency * curves.ns_per_unit;
    level.confidence = found.confidence;
    level.evidence = found.evidence;
    for (const auto& other : random.levels) {
      if (!close(other.size, found.size, kAgreement)) continue;
      level.confidence = agreeing(level.confidence, 0.5 * other.confidence);
      level.evidence.push_back(fmt::format("a walk in random order has its edge at {}, too", format_bytes(whole(other.size))));
    }
    add_geometry(level, reader, i);
    levels.push_back(std::move(level));
  }
  return levels;
}

/// Gives the same cache the same name on all paths: the path that shows most levels counts, the others are matched by size.
void name_levels(std::vector<std::vector<HierarchyLevel>>& paths) {
  std::vector<HierarchyLevel*> named;
  std::vector<std::vector<HierarchyLevel>*> order;
  for (auto& path : paths) order.push_back(&path);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->size() > b->size(); });
  for (auto* path : order) {
    unsigned number = 0;
    for (std::size_t i = 0; i < path->size(); ++i) {
      auto& level = (*path)[i];
      const bool constant = level.path == "constant";
      const auto same = std::find_if(named.begin(), named.end(), [&](const HierarchyLevel* other) {
        return close(static_cast<double>(other->size_bytes), static_cast<double>(level.size_bytes), kSameSize);
      });
      if (same != named.end() && !(constant && i == 0)) {
        level.name = (*same)->name;
        if (level.name.size() == 2 && level.name[0] == 'L') number = static_cast<unsigned>(level.name[1] - '0');
        continue;
      }
      ++number;
      level.name = fmt::format("{}L{}", constant ? "constant " : "", number);
      if (!constant) named.push_back(&level);
    }
    // Two successive levels that are nearly one: the near and the far part of a cache in two partitions.
    for (std::size_t i = 1; i + 1 < path->size() + 1 && path->size() >= 2; ++i) {
      auto& near = (*path)[i - 1];
      auto& far = (*path)[i];
      const double size_ratio = static_cast<double>(far.size_bytes) / static_cast<double>(near.size_bytes);
      if (i < 2 || size_ratio > kFarSize || far.latency_ns / near.latency_ns > kFarLatency) continue;
      near.evidence.push_back("together with the next level perhaps the near part of one cache in two partitions");
      far.evidence.push_back("together with the level before perhaps the far part of one cache in two partitions");
      far.name = near.name + " far";
      near.name += " near";
    }
  }
}

/// What one path cannot show of a cache, because an inner level fetches more at once, another path may.
void share_granularity(std::vector<std::vector<HierarchyLevel>>& paths) {
  for (auto& path : paths) {
    for (auto& level : path) {
      for (const auto& other_path : paths) {
        for (const auto& other : other_path) {
          if (other.name != level.name || !other.sector_bytes || !level.sector_bytes ||
              *other.sector_bytes >= *level.sector_bytes)
            continue;
          level.sector_bytes = other.sector_bytes;
          if (other.line_bytes && level.line_bytes && *other.line_bytes < *level.line_bytes) level.line_bytes = other.line_bytes;
          level.evidence.push_back(
              fmt::format("the {} path shows that a miss fetches {} only", other.path, format_bytes(*other.sector_bytes)));
        }
      }
    }
  }
}

HierarchyMemory memory_of(const GeometryReader& reader, const std::string& path) {
  const auto& curves = reader.curves();
  double latency = 0;
  if (reader.reading().memory_latency) {
    latency = *reader.reading().memory_latency;
  } else {
    for (const auto& sample : curves.best()) latency += sample.value / static_cast<double>(curves.best().size());
  }
  HierarchyMemory memory{path, std::nullopt, latency * curves.ns_per_unit};
  if (curves.unit == LatencyUnit::cycles) memory.latency_cycles = latency;
  return memory;
}

std::vector<HierarchyTlb> tlbs_of(std::span<const PointResult> results, const std::string& path, const GeometryReader& reader) {
  const auto& curves = reader.curves();
  const bool cycles = curves.unit == LatencyUnit::cycles;
  std::vector<HierarchyTlb> tlbs;
  const auto best = best_tlb_reading(results, path);
  for (const auto& found : best.levels()) {
    HierarchyTlb tlb;
    tlb.path = path;
    tlb.reach_bytes = found.reach ? *found.reach : whole(found.rough_reach);
    tlb.page_bytes = found.page;
    if (cycles) tlb.penalty_cycles = found.penalty;
    tlb.penalty_ns = found.penalty * curves.ns_per_unit;
    tlb.confidence = found.confidence;
    tlb.evidence = found.evidence;
    tlbs.push_back(std::move(tlb));
  }
  if (!tlbs.empty()) return tlbs;
  // Experiment tlb was not run: what the shape of the sweep shows.
  for (const auto& found : read_curve(curves.random).tlbs) {
    HierarchyTlb tlb{
        path,          whole(found.reach), std::nullopt, std::nullopt, found.penalty * curves.ns_per_unit, found.confidence,
        found.evidence};
    if (cycles) tlb.penalty_cycles = found.penalty;
    tlbs.push_back(std::move(tlb));
  }
  return tlbs;
}

}  // namespace

Hierarchy find_hierarchy(std::span<const PointResult> all) {
  const auto results = last_results(all);
  Hierarchy hierarchy;
  std::vector<std::vector<HierarchyLevel>> paths;
  for (const auto& path : measured_paths(results)) {
    const GeometryReader reader(results, path);
    if (reader.curves().best().empty()) continue;
    paths.push_back(path_levels(reader, path));
    hierarchy.memory.push_back(memory_of(reader, path));
    if (path == "global") hierarchy.tlbs = tlbs_of(results, path, reader);
  }
  name_levels(paths);
  share_granularity(paths);
  for (auto& path : paths) std::move(path.begin(), path.end(), std::back_inserter(hierarchy.levels));
  return hierarchy;
}

}  // namespace percycle
