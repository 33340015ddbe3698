#include "analysis/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/fine_chase_reading.hpp"
#include "analysis/geometry.hpp"
#include "analysis/known_readings.hpp"
#include "analysis/least_squares.hpp"
#include "analysis/thresholds.hpp"
#include "analysis/tlb.hpp"
#include "analysis/translation.hpp"
#include "core/units.hpp"
#include "vocabulary/geometry.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/private_caches.hpp"
#include "vocabulary/sharing.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

// The path that is looked at most closely, and those that go through the same caches but are only walked.
constexpr const char* kClosest = "global";
bool same_memory(const std::string& path) { return path == "global-index" || path == "scalar"; }

bool close(double a, double b, double ratio) { return a > 0 && b > 0 && std::max(a, b) / std::min(a, b) <= ratio; }

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::llround(bytes)); }

/// Independent pieces of evidence that agree: what is left of the doubt is the product of theirs.
double agreeing(double confidence, double other) { return 1 - (1 - confidence) * (1 - other); }

/// A level and how far its sector can be trusted.
struct SeenLevel : HierarchyLevel {
  bool sector_at_most = false;  ///< an inner level of the path fetches as much at once
  bool close_steps = false;     ///< its path was walked in close steps, neighbours together
  bool plateau = false;         ///< its latency was seen, and not only reckoned from the edges around it
  std::uint64_t gaps = 1;       ///< how many times smaller it is than the walk made it seem
};

using PathLevels = std::vector<SeenLevel>;

/// Adds what the geometry tests of this level say.
void add_geometry(SeenLevel& level, const GeometryReader& reader, std::size_t index) {
  if (const auto fetch = reader.fetch(index)) {
    level.sector_bytes = fetch->bytes;
    level.sector_at_most = fetch->at_most;
    level.evidence.push_back(
        fetch->at_most ? fmt::format("a miss fetches {} or less: the level before fetches as much", format_bytes(fetch->bytes))
                       : fmt::format("a miss fetches {}: from that stride on every load misses", format_bytes(fetch->bytes)));
  }
  level.gaps = reader.gaps(index).value_or(1);
  const std::uint64_t longest = reader.curves().stride_bytes / level.gaps;
  if (level.gaps > 1 && reader.line(index) == longest) {
    level.line_bytes = longest;
    level.evidence.push_back(fmt::format(
        "data without gaps fill it {} times sooner than one node to {}: {} lines, hashed sets, whose ways do not show",
        level.gaps, format_bytes(reader.curves().stride_bytes), format_bytes(*level.line_bytes)));
    return;
  }
  if (const auto line = reader.line(index)) {
    level.line_bytes = *line;
    level.evidence.push_back(
        fmt::format("one tag covers {}: nodes that far apart still fill the level, closer ones waste it", format_bytes(*line)));
  } else if (level.sector_bytes && index == 0) {
    level.line_bytes = level.sector_bytes;
    level.evidence.push_back("line taken from what a miss fetches: the test of tags has no room on this path");
  } else if (level.sector_bytes) {
    level.evidence.push_back(
        "what one tag covers does not show: the level before holds as many lines as the test of tags would need");
  }
  const auto alias = reader.alias_with_factors(index);
  if (!alias || !level.line_bytes) return;
  const auto ways = reader.ways(index, *alias);
  if (!alias->any && (alias->block != *level.line_bytes || !ways || !ways->sharp)) {
    level.evidence.push_back("no power-of-two distance brings lines into one set: hashed sets, whose ways do not show");
    return;
  }
  if (!ways) return;
  const std::uint64_t exact = ways->ways * alias->apart;
  const std::uint64_t without_gaps = level.size_bytes / level.gaps;
  if (!close(static_cast<double>(exact), static_cast<double>(without_gaps), hierarchy_thresholds.agreement)) {
    level.confidence *= hierarchy_thresholds.disputed;
    level.evidence.push_back(fmt::format("{} blocks {} apart fit, which would make {}: disagrees with the curve", ways->ways,
                                         format_bytes(alias->apart), format_bytes(exact)));
    return;
  }
  level.ways = ways->ways;
  level.sets = alias->apart / *level.line_bytes;
  level.size_bytes = exact * level.gaps;  // taken off again with all others' (adopt_closer_looks)
  level.size_low = std::min(level.size_low, level.size_bytes);
  level.size_high = std::max(level.size_high, level.size_bytes);
  level.confidence = agreeing(level.confidence, hierarchy_thresholds.counted);
  level.evidence.push_back(fmt::format("{} lines {} apart fit into a set, {} do not: {} in all, as the curve says", ways->ways,
                                       format_bytes(alias->apart), ways->ways + 1, format_bytes(exact)));
  level.replacement = replacement_of(reader, index, *ways, level.evidence);
}

std::vector<Translation> counted_translations(std::span<const TlbLevel> tlbs) {
  std::vector<Translation> translations;
  for (const auto& tlb : tlbs) {
    if (tlb.reach && tlb.page)
      translations.push_back({static_cast<double>(*tlb.reach), static_cast<double>(*tlb.page), tlb.penalty});
  }
  return translations;
}

/// The reading of the reader's best curve without what the TLBs add that were counted. Neighbours visited together ask for few translations, but
/// of small pages enough to show.
CurveReading untranslated_reading(const GeometryReader& reader, std::span<const TlbLevel> tlbs) {
  const auto translations = counted_translations(tlbs);
  const auto& curves = reader.curves();
  if (translations.empty() || curves.local.empty()) return reader.reading();
  const bool first_is_free = !tlbs.front().of_every_load && reader.levels() > 0;
  const auto corrected = without_translation(curves.local, translations, static_cast<double>(curves.stride_bytes),
                                             first_is_free ? &reader.reading().levels.front().edge : nullptr);
  const bool alike = std::equal(
      corrected.begin(), corrected.end(), curves.local.begin(),
      [](const CurveSample& a, const CurveSample& b) { return a.value > (1 - hierarchy_thresholds.slight) * b.value; });
  return alike ? reader.reading() : known_reading(corrected);
}

bool same_levels(const CurveReading& one, const CurveReading& other) {
  return std::equal(
      one.levels.begin(), one.levels.end(), other.levels.begin(), other.levels.end(),
      [](const CurveLevel& a, const CurveLevel& b) { return close(a.size, b.size, hierarchy_thresholds.same_size); });
}

/// The levels of one path, not yet named. `reading`: of the best curve.
PathLevels path_levels(const GeometryReader& reader, const CurveReading& reading, const std::string& path) {
  const auto& curves = reader.curves();
  const bool tests_apply = same_levels(reader.reading(), reading);
  PathLevels levels;
  for (const auto& found : reading.levels) {
    SeenLevel level;
    level.path = path;
    level.size_bytes = whole(found.size);
    level.size_low = whole(found.size_low);
    level.size_high = whole(found.size_high);
    if (curves.unit == LatencyUnit::cycles) level.latency_cycles = found.latency;
    level.latency_ns = found.latency * curves.ns_per_unit;
    level.confidence = found.confidence;
    level.evidence = found.evidence;
    level.close_steps = !curves.local.empty();
    level.plateau = found.plateau;
    for (const auto& other : reader.random_reading().levels) {
      if (curves.local.empty() || !close(other.size, found.size, hierarchy_thresholds.agreement)) continue;
      level.confidence = agreeing(level.confidence, hierarchy_thresholds.random_worth * other.confidence);
      level.evidence.push_back(fmt::format("a walk in random order has its edge at {}, too", format_bytes(whole(other.size))));
    }
    // The questions were asked of the levels that show before translation is taken off.
    for (std::size_t i = 0; i < reader.levels(); ++i) {
      if (tests_apply && close(reader.reading().levels[i].size, found.size, hierarchy_thresholds.same_size))
        add_geometry(level, reader, i);
    }
    if (!tests_apply)
      level.evidence.push_back("shows only with translation taken off, after its lines and ways could be asked for");
    levels.push_back(std::move(level));
  }
  return levels;
}

bool same_size(const HierarchyLevel& a, const HierarchyLevel& b) {
  return close(static_cast<double>(a.size_bytes), static_cast<double>(b.size_bytes), hierarchy_thresholds.same_size);
}

/// Gives the same cache the same name on all paths. The numbers come from the path that shows the most levels; another path's level takes
/// the name of the level of its size, else its own path's and the number of its place.
void name_levels(std::vector<PathLevels>& paths) {
  std::vector<PathLevels*> order;
  for (auto& path : paths) order.push_back(&path);
  const auto rank = [](const PathLevels& path) {
    const std::string name = path.empty() ? "" : path.front().path;
    return std::tuple(name == "constant", -static_cast<int>(path.size()), name != "global");
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  std::vector<const HierarchyLevel*> named;
  for (auto* path : order) {
    for (std::size_t i = 0; i < path->size(); ++i) {
      auto& level = (*path)[i];
      const auto same = std::find_if(named.begin(), named.end(), [&](const auto* other) { return same_size(*other, level); });
      if (path != order.front() && same != named.end() && !(level.path == "constant" && i == 0)) {
        level.name = (*same)->name;
        continue;
      }
      level.name = fmt::format("{}L{}", path == order.front() && level.path != "constant" ? "" : level.path + " ", i + 1);
      if (level.path != "constant") named.push_back(&level);
    }
  }
}

/// Gives the level at `place` of a path that shows no plateau of it the latency that the same level has on a closer path, and by how much the two paths
/// differ in the level before.
void adopt_latency(PathLevels& path, std::size_t place, std::span<const SeenLevel> close_looks, const SeenLevel& closer) {
  auto& level = path[place];
  if (level.plateau || place == 0 || !path[place - 1].plateau || !level.latency_cycles || !closer.latency_cycles) return;
  const auto& before = path[place - 1];
  const auto same = std::find_if(close_looks.begin(), close_looks.end(), [&](const SeenLevel& other) {
    return other.path == closer.path && other.plateau && same_size(other, before);
  });
  if (same == close_looks.end() || !before.latency_cycles || !same->latency_cycles) return;
  const double cycles = *closer.latency_cycles + *before.latency_cycles - *same->latency_cycles;
  level.latency_ns *= cycles / *level.latency_cycles;
  level.latency_cycles = cycles;
  level.evidence.push_back(
      fmt::format("latency from the closer look through the {} path, which differs by {:.1f} cycles in the level before",
                  closer.path, *before.latency_cycles - *same->latency_cycles));
}

/// A path that was only walked has seen its caches less closely than one that was also asked about them: where both show the same level, the
/// closer look counts. Then corrects the sizes that the walk's gaps made seem larger.
void adopt_closer_looks(std::vector<PathLevels>& paths) {
  std::vector<SeenLevel> close_looks;
  for (const auto& path : paths) {
    std::copy_if(path.begin(), path.end(), std::back_inserter(close_looks),
                 [](const SeenLevel& level) { return (level.line_bytes || level.close_steps) && level.path != "constant"; });
  }
  // What was looked at most closely counts first.
  std::stable_partition(close_looks.begin(), close_looks.end(), [](const SeenLevel& level) { return level.path == kClosest; });
  for (auto& path : paths) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      auto& level = path[i];
      const auto same =
          std::find_if(close_looks.begin(), close_looks.end(), [&](const SeenLevel& other) { return same_size(level, other); });
      if (level.line_bytes || level.close_steps || level.path == "constant" || same == close_looks.end()) continue;
      level.evidence.push_back(fmt::format("size from the closer look through the {} path", same->path));
      level.size_bytes = same->size_bytes;
      level.size_low = std::min(level.size_low, same->size_low);
      level.size_high = std::max(level.size_high, same->size_high);
      level.gaps = same->gaps;
      adopt_latency(path, i, close_looks, *same);
    }
  }
  for (auto& path : paths) {
    for (auto& level : path) {
      for (auto* bytes : {&level.size_bytes, &level.size_low, &level.size_high}) *bytes /= level.gaps;
    }
  }
}

/// Paths through the same caches are walked independently of each other. A level that one shows, and at least two others do not that were walked as
/// far, is more likely something that went on meanwhile.
void doubt_lone_levels(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    if (path.empty() || !same_memory(path.front().path)) continue;
    std::vector<const PathLevels*> others;
    for (const auto& other : paths) {
      if (&other == &path || other.empty()) continue;
      if (other.front().path == kClosest || same_memory(other.front().path)) others.push_back(&other);
    }
    for (auto& level : path) {
      const bool alone = std::none_of(others.begin(), others.end(), [&](const PathLevels* other) {
        return std::any_of(other->begin(), other->end(), [&](const SeenLevel& one) { return same_size(one, level); });
      });
      if (!alone || static_cast<double>(others.size()) < hierarchy_thresholds.fewest_others) continue;
      level.confidence *= hierarchy_thresholds.lone_doubt;
      level.evidence.push_back(fmt::format("{} other paths through the same caches do not show it", others.size()));
    }
  }
}

/// Marks two successive levels behind the first that are nearly one: the near and the far part of a cache in two partitions.
void name_partitions(PathLevels& path) {
  for (std::size_t i = 2; i < path.size(); ++i) {
    auto& near = path[i - 1];
    auto& far = path[i];
    const double size_ratio = static_cast<double>(far.size_bytes) / static_cast<double>(near.size_bytes);
    if (size_ratio > hierarchy_thresholds.far_size || far.latency_ns / near.latency_ns > hierarchy_thresholds.far_latency)
      continue;
    if (near.gaps != far.gaps) continue;  // lines of one size in both
    near.evidence.push_back(
        "little smaller and faster than the next level: perhaps the near part of one cache in two partitions");
    far.evidence.push_back("little larger and slower than the level before: perhaps the far part of one cache in two partitions");
    far.name = near.name + " far";
    near.name += " near";
    if (far.line_bytes && near.line_bytes && *far.line_bytes != *near.line_bytes) {
      far.evidence.push_back(fmt::format("the test of tags says {} here and {} there, which cannot both be: left out",
                                         format_bytes(*far.line_bytes), format_bytes(*near.line_bytes)));
      far.line_bytes.reset();
    }
  }
}

/// What one path cannot show of a cache, because an inner level fetches more at once, another path may.
void share_granularity(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    for (auto& level : path) {
      if (!level.sector_at_most) continue;
      for (const auto& other_path : paths) {
        for (const auto& other : other_path) {
          if (&other == &level || !same_size(other, level) || !other.sector_bytes || !level.sector_bytes ||
              *other.sector_bytes >= *level.sector_bytes)
            continue;
          level.sector_bytes = other.sector_bytes;
          if (other.line_bytes && level.line_bytes && *other.line_bytes < *level.line_bytes) level.line_bytes = other.line_bytes;
          if (level.ways) level.sets = level.size_bytes / (*level.ways * *level.line_bytes);
          level.evidence.push_back(
              fmt::format("the {} path shows that a miss fetches {} only", other.path, format_bytes(*other.sector_bytes)));
        }
      }
    }
  }
}

/// What the walk in random order comes to behind the last level of `reading`, translation taken off: weighted least squares of latency + share of
/// misses * what a miss adds. Of places that hardly ask for translation where there are enough. Empty where a TLB was not counted, or too few places lie there.
std::optional<double> latency_behind_last(const PathCurves& curves, const CurveReading& reading, std::span<const TlbLevel> tlbs) {
  struct Walks {
    std::vector<double> shares;  ///< of loads that miss the last level, over the errors
    std::vector<double> values;  ///< latencies above that of the last level, over the errors
  };
  const auto translations = counted_translations(tlbs);
  if (reading.levels.empty() || translations.size() != tlbs.size()) return std::nullopt;
  const auto& last = reading.levels.back();
  const auto corrected = without_translation(curves.random, translations, static_cast<double>(curves.stride_bytes), nullptr);
  Walks every_walk;
  Walks untranslated;
  for (std::size_t i = 0; i < corrected.size(); ++i) {
    const auto& sample = corrected[i];
    if (sample.bytes < hierarchy_thresholds.behind * last.size) continue;
    const double error = std::hypot(sample.error, hierarchy_thresholds.least_error * sample.value);
    const bool asks = curves.random[i].value - sample.value > hierarchy_thresholds.hardly_translated * sample.value;
    for (Walks* walks : {&every_walk, &untranslated}) {
      if (walks == &untranslated && asks) continue;
      walks->shares.push_back(last.edge.shape->share(sample.bytes / last.edge.onset) / error);
      walks->values.push_back((sample.value - last.latency) / error);
    }
  }
  const bool enough = static_cast<double>(untranslated.values.size()) >= hierarchy_thresholds.enough_untranslated;
  const Walks& best = enough ? untranslated : every_walk;
  if (static_cast<double>(best.values.size()) < hierarchy_thresholds.fewest_behind) return std::nullopt;
  const auto fit = fit_columns(as_column(best.shares), as_column(best.values));
  return fit ? std::optional(last.latency + fit->coefficients(0)) : std::nullopt;
}

/// Absent where the walks of a small memory (constants) end before most of them miss the last level.
std::optional<HierarchyMemory> memory_of(const GeometryReader& reader, const CurveReading& reading, const std::string& path,
                                         std::span<const TlbLevel> tlbs) {
  const auto& curves = reader.curves();
  const auto& levels = reading.levels;
  if (!levels.empty() && curves.random.back().bytes < hierarchy_thresholds.behind * levels.back().size) return std::nullopt;
  const bool cycles = curves.unit == LatencyUnit::cycles;
  double latency = 0;
  if (const auto behind = latency_behind_last(curves, reading, tlbs); behind && path != "constant") {
    latency = *behind;
  } else if (reader.random_reading().memory_latency) {
    latency = *reader.random_reading().memory_latency;
  } else {
    for (const auto& sample : curves.random) latency += sample.value / static_cast<double>(curves.random.size());
  }
  HierarchyMemory memory{path, std::nullopt, latency * curves.ns_per_unit, std::nullopt, std::nullopt};
  if (cycles) memory.latency_cycles = latency;
  if (!curves.local.empty() && reading.memory_latency) {
    memory.together_ns = *reading.memory_latency * curves.ns_per_unit;
    if (cycles) memory.together_cycles = reading.memory_latency;
  }
  return memory;
}

std::vector<HierarchyTlb> tlbs_of(std::span<const PointResult> results, const std::string& path,
                                  std::span<const TlbLevel> levels) {
  const auto curves = path_curves(results, path);
  const bool cycles = curves.unit == LatencyUnit::cycles;
  std::vector<HierarchyTlb> tlbs;
  for (const auto& found : levels) {
    HierarchyTlb tlb;
    tlb.path = path;
    tlb.reach_bytes = found.reach ? *found.reach : whole(found.rough_reach);
    if (found.reach) tlb.page_bytes = found.page;  // a page counts once its number is known
    if (cycles) tlb.penalty_cycles = found.penalty;
    tlb.penalty_ns = found.penalty * curves.ns_per_unit;
    tlb.confidence = found.confidence;
    tlb.evidence = found.evidence;
    tlbs.push_back(std::move(tlb));
  }
  if (!tlbs.empty()) return tlbs;
  // Experiment tlb was not run: what the shape of the sweep shows.
  for (const auto& found : known_reading(curves.random).tlbs) {
    HierarchyTlb tlb{
        path,          whole(found.reach), std::nullopt, std::nullopt, found.penalty * curves.ns_per_unit, found.confidence,
        found.evidence};
    if (cycles) tlb.penalty_cycles = found.penalty;
    tlbs.push_back(std::move(tlb));
  }
  return tlbs;
}

}  // namespace

bool shows_hierarchy(std::string_view experiment) {
  static constexpr std::array kExperiments{experiment::kLatency, experiment::kGeometry, experiment::kTlb,
                                           experiment::kPrivateCaches, experiment::kSharing};
  return std::any_of(kExperiments.begin(), kExperiments.end(), [&](const char* name) { return experiment == name; });
}

Hierarchy find_hierarchy(std::span<const PointResult> results) {
  Hierarchy hierarchy;
  std::vector<TlbLevel> tlbs;
  std::map<std::string, CurveReading> planned_readings;
  std::vector<Rise> translation;
  std::vector<Rise> edges;
  const auto measured = measured_paths(results);
  if (std::find(measured.begin(), measured.end(), kClosest) != measured.end()) {
    tlbs = best_tlb_levels(results, kClosest);
    hierarchy.tlbs = tlbs_of(results, kClosest, tlbs);
    const auto curves = path_curves(results, kClosest);
    for (const auto& tlb : hierarchy.tlbs) {
      const std::uint64_t nodes = tlb.page_bytes.value_or(UINT64_MAX) / std::max<std::uint64_t>(1, curves.stride_bytes);
      const auto& shape = tlb_shape(static_cast<double>(nodes));
      translation.push_back({.shape = &shape, .onset = static_cast<double>(tlb.reach_bytes)});
    }
    for (const auto& level : known_reading(curves.best()).levels) edges.push_back(level.edge);
  }
  std::vector<PathLevels> paths;
  for (const auto& path : measured) {
    auto known = translation;
    if (same_memory(path)) known.insert(known.end(), edges.begin(), edges.end());
    const GeometryReader reader(results, path, std::move(known));
    if (reader.curves().best().empty()) continue;
    const auto reading = untranslated_reading(reader, tlbs);
    paths.push_back(path_levels(reader, reading, path));
    // Else its first level was not the one whose copies were looked for.
    if (same_levels(reader.reading(), reading)) planned_readings[path] = reading;
    if (auto memory = memory_of(reader, reading, path, tlbs)) hierarchy.memory.push_back(std::move(*memory));
  }
  // The order matters: levels are matched by the sizes that walks show, and adopt_closer_looks() takes gaps off at its end. Partitions add to
  // the names, and granularity is shared between levels of their final sizes.
  adopt_closer_looks(paths);
  doubt_lone_levels(paths);
  name_levels(paths);
  for (auto& path : paths) name_partitions(path);
  share_granularity(paths);
  for (auto& path : paths) std::move(path.begin(), path.end(), std::back_inserter(hierarchy.levels));
  for (const auto& path : measured) {
    const auto reading = planned_readings.find(path);
    if (reading == planned_readings.end()) continue;
    if (auto copies = read_private_copies(results, path, reading->second)) hierarchy.private_copies.push_back(std::move(*copies));
  }
  hierarchy.sharing = read_sharing(results);
  return hierarchy;
}

}  // namespace percycle
