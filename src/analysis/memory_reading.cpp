#include "analysis/memory_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/thresholds.hpp"
#include "analysis/walked_together.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "stats/least_squares.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

/// TLBs that the walk shows and that were not counted.
struct UncountedTlbs {
  double onset = INFINITY;  ///< the walk shows the memory up to here
  bool near_edge = false;   ///< one begins where too few places show the memory before it
};

UncountedTlbs uncounted_tlbs(std::span<const CurveSample> beyond, std::span<const CurveTlb> fitted,
                             std::span<const Translation> counted) {
  UncountedTlbs found;
  for (const auto& tlb : fitted) {
    const bool known = std::any_of(counted.begin(), counted.end(), [&](const Translation& one) {
      return close(one.reach, tlb.reach, tlb_thresholds.same_reach);
    });
    if (known) continue;
    const auto before =
        std::count_if(beyond.begin(), beyond.end(), [&](const CurveSample& sample) { return sample.bytes <= tlb.reach; });
    if (static_cast<double>(before) < hierarchy_thresholds.enough_untranslated) {
      found.near_edge = true;
    } else {
      found.onset = std::min(found.onset, tlb.reach);
    }
  }
  return found;
}

/// The latency behind the last level and `from` in random order without translation, by weighted
/// least squares. If enough places need no translation, only they count. Empty if no place lies
/// there.
std::optional<double> latency_behind_last(const PathCurves& curves, const CurveReading& reading,
                                          std::span<const Translation> translations, double from, double until) {
  struct Walks {
    std::vector<double> shares;  ///< of loads that miss the last level, divided by the errors
    std::vector<double> values;  ///< latencies above that of the last level, divided by the errors
  };
  Walks every_walk;
  Walks untranslated;
  const auto& last = reading.levels.back();
  const auto corrected = without_translation(curves.random, translations, static_cast<double>(curves.stride_bytes), nullptr);
  for (std::size_t i = 0; i < corrected.size(); ++i) {
    const auto& sample = corrected[i];
    if (sample.bytes < std::max(from, hierarchy_thresholds.behind * last.size) || sample.bytes > until) continue;
    const double error = std::hypot(sample.error, hierarchy_thresholds.least_error * sample.value);
    const bool asks = curves.random[i].value > sample.value;
    for (Walks* walks : {&every_walk, &untranslated}) {
      if (walks == &untranslated && asks) continue;
      walks->shares.push_back(last.edge.shape->share(sample.bytes / last.edge.onset) / error);
      walks->values.push_back((sample.value - last.latency) / error);
    }
  }
  const bool enough = static_cast<double>(untranslated.values.size()) >= hierarchy_thresholds.enough_untranslated;
  const Walks& best = enough ? untranslated : every_walk;
  const auto fit = fit_columns(as_column(best.shares), as_column(best.values));
  if (!fit) return std::nullopt;
  return last.latency + fit->coefficients(0);
}

/// The walk beyond the end of the last edge.
std::vector<CurveSample> beyond_last(std::span<const CurveSample> curve, const CurveReading& reading) {
  std::vector<CurveSample> beyond;
  const double end = std::max(reading.levels.back().edge_end, hierarchy_thresholds.behind * reading.levels.back().size);
  std::copy_if(curve.begin(), curve.end(), std::back_inserter(beyond),
               [&](const CurveSample& sample) { return sample.bytes > end; });
  return beyond;
}

/// The rise from the first third of some places to the last, as a share; 0 within twice the errors.
double rise_over(std::span<const CurveSample> places) {
  const std::size_t third = std::max<std::size_t>(1, places.size() / 3);
  const auto mean = [](std::span<const CurveSample> some) {
    double value = 0;
    double variance = 0;
    for (const auto& sample : some) {
      value += sample.value;
      variance += sample.error * sample.error;
    }
    const auto n = static_cast<double>(some.size());
    return std::pair(value / n, std::sqrt(variance) / n);
  };
  const auto [first, first_error] = mean(places.first(third));
  const auto [last, last_error] = mean(places.last(third));
  return std::max(0.0, std::abs(last - first) - level_thresholds.drift_errors * std::hypot(first_error, last_error)) / first;
}

std::vector<double> values_of(std::span<const CurveSample> places) {
  std::vector<double> values;
  for (const auto& sample : places) values.push_back(sample.value);
  return values;
}

double median_of(std::span<const CurveSample> places) { return median(values_of(places)); }

/// The standard error of the median of some places, as a share of it.
double error_over(std::span<const CurveSample> places) {
  const Summary summary = summarise(values_of(places));
  return median_error(summary) / summary.median;
}

/// The end of the walk of neighbours, if it is flat over octaves and ends beyond any cache: then
/// memory serves it, wherever the levels end. Empty if it is not.
std::vector<CurveSample> flat_end(std::span<const CurveSample> local) {
  if (local.empty() || local.back().bytes < hierarchy_thresholds.any_cache) return {};
  const double most = local.back().bytes / std::exp2(hierarchy_thresholds.flat_octaves);
  auto first = local.end();
  while (first != local.begin()) {
    const auto before = std::prev(first);
    if (before->together_bytes == 0) break;
    const std::span<const CurveSample> places(before, local.end());
    if (static_cast<double>(places.size()) >= hierarchy_thresholds.fewest_flat &&
        rise_over(places) > hierarchy_thresholds.latency_accuracy / 2)
      break;
    first = before;
  }
  std::vector<CurveSample> found(first, local.end());
  if (found.empty() || found.front().bytes > most * curve_thresholds.same_place) return {};
  return static_cast<double>(found.size()) < hierarchy_thresholds.fewest_flat ? std::vector<CurveSample>{} : found;
}

/// Whether TLBs were counted, and two walks agree on each penalty. Then no other one hides in a
/// level.
bool are_settled(std::span<const TlbLevel> tlbs) {
  return !tlbs.empty() && std::all_of(tlbs.begin(), tlbs.end(), [](const TlbLevel& tlb) {
    return tlb.reach && !is_vague_penalty(tlb) && close(tlb.penalty, tlb.walk_penalty, tlb_thresholds.agreement);
  });
}

HierarchyMemory not_reached(HierarchyMemory memory, std::string why) {
  memory.reached = false;
  memory.confidence = 0;
  memory.evidence.push_back(std::move(why));
  return memory;
}

/// The latencies that a path shows behind its last level.
struct Behind {
  bool together = false;         ///< neighbours were visited together
  std::optional<double> random;  ///< in random order
  double nearby = 0;             ///< of neighbours, if they were visited together
  bool uncounted = false;        ///< a TLB is not subtracted
  bool tlb_near_edge = false;    ///< the walk shows one that too few places separate from the level
  double risen = 0;              ///< over the points beyond the last edge, as a share
  double error = 0;              ///< standard error of the latency, as a share
  double translated = 0;         ///< share of the latency that translation may cost neighbours
};

void put(HierarchyMemory& memory, double latency, const PathCurves& curves) {
  memory.latency_ns = latency * curves.ns_per_unit;
  if (curves.unit == LatencyUnit::cycles) memory.latency_cycles = latency;
}

/// A path without an edge.
HierarchyMemory whole_path(HierarchyMemory memory, const PathCurves& curves) {
  double mean = 0;
  for (const auto& sample : curves.random) mean += sample.value / static_cast<double>(curves.random.size());
  put(memory, mean, curves);
  if (memory.path != kLocalPath) return not_reached(std::move(memory), "no edge of a cache was found");
  memory.confidence = hierarchy_thresholds.flat;
  return memory;
}

void doubt_memory(HierarchyMemory& memory, const Behind& found, const PathLevels& levels, double longest,
                  std::span<const TlbLevel> tlbs) {
  const double rise = found.risen / hierarchy_thresholds.half_rise;
  memory.confidence /= 1 + rise * rise;
  if (rise > 1)
    memory.evidence.push_back(fmt::format("beyond the last edge the latency still rises by {:.1f} %", 100 * found.risen));
  if (auto why = latency_uncertainty(found.error, memory.latency_cycles)) doubt(memory, std::move(*why));
  if (!found.together && found.uncounted)
    doubt(memory, "a TLB shows, but its penalty is not subtracted: the latency may include it");
  if (found.tlb_near_edge) doubt(memory, "a TLB begins near the last edge: the latency may include it");
  const bool vague = std::any_of(levels.begin(), levels.end(), [](const SeenLevel& level) { return is_vague(level); });
  if (!found.together && vague && !are_settled(tlbs))
    doubt(memory, "too few points show where the levels end, so a TLB may look like a part of them");
  if (memory.path != kConstantPath && longest < hierarchy_thresholds.any_cache)
    doubt(memory, fmt::format("the walk ends at {}: a larger cache would look like memory", format_bytes(whole(longest))));
  if (found.together && found.translated > hierarchy_thresholds.latency_accuracy) {
    doubt(memory, fmt::format("random order is slower for an unknown reason: small pages would add {:.1f} % to the latency",
                              100 * found.translated));
  }
  if (!found.together || !found.random || found.uncounted) return;
  const double apart = std::max(*found.random, found.nearby) / std::min(*found.random, found.nearby);
  const double excess = apart / hierarchy_thresholds.together_agrees;
  if (excess > 1) {
    doubt(memory,
          fmt::format("random order gives {:.4g} and neighbours together {:.4g}, which disagree", *found.random, found.nearby),
          hierarchy_thresholds.doubted / excess);
  }
}

}  // namespace

void adopt_memory(std::vector<HierarchyMemory>& memories, std::span<const PathLevels> paths) {
  const auto begins = [](const std::string& name) {
    return [name](const PathLevels& path) { return !path.empty() && path.front().path == name; };
  };
  const auto closest =
      std::find_if(memories.begin(), memories.end(), [](const HierarchyMemory& memory) { return memory.path == kClosestPath; });
  const auto walked = std::find_if(paths.begin(), paths.end(), begins(kClosestPath));
  if (closest == memories.end() || walked == paths.end() || !closest->reached) return;
  const SeenLevel& from = walked->front();
  for (auto& memory : memories) {
    const auto path = std::find_if(paths.begin(), paths.end(), begins(memory.path));
    if (!is_same_memory(memory.path) || path == paths.end()) continue;
    const SeenLevel& first = path->front();
    const double confidence = std::min({closest->confidence, first.latency_confidence, from.latency_confidence});
    // A first cache of its own says nothing of the memory.
    if (is_own_cache(first, from)) continue;
    if (!same_size(first, from) || !first.plateau || !from.plateau || confidence <= memory.confidence) continue;
    if (!closest->stated_cycles() || !first.latency_cycles || !from.latency_cycles) continue;
    memory.reached = true;
    memory.confidence = confidence;
    memory.together_cycles.reset();
    memory.together_ns.reset();
    memory.latency_cycles = *closest->stated_cycles() + *first.latency_cycles - *from.latency_cycles;
    memory.latency_ns = closest->stated_ns() + first.latency_ns - from.latency_ns;
    memory.evidence = {fmt::format("its latency is that of the {} path, which differs by {} in the first level", kClosestPath,
                                   in_unit(*first.latency_cycles - *from.latency_cycles, 1, unit_text::kCycles))};
  }
}

std::optional<HierarchyMemory> read_memory(const GeometryReader& reader, const CurveReading& reading, const PathLevels& levels,
                                           const std::string& path, std::span<const TlbLevel> tlbs) {
  const auto& curves = reader.curves();
  const double longest = curves.random.back().bytes;
  const bool outgrown = reading.levels.empty() || longest >= hierarchy_thresholds.behind * reading.levels.back().size;
  if (!outgrown && path == kConstantPath) return std::nullopt;
  HierarchyMemory memory;
  memory.path = path;
  put(memory, curves.random.back().value, curves);
  if (!outgrown) {
    return not_reached(std::move(memory), fmt::format("the walk ends at {}, before most of its loads miss the last level",
                                                      format_bytes(whole(longest))));
  }
  if (reading.levels.empty()) return whole_path(std::move(memory), curves);
  const auto translations = counted_translations(tlbs);
  // Behind a level that fetches several nodes at once, neighbours show a mean.
  const bool fetches_widely = !levels.empty() && levels.back().fetches_widely;
  const auto end =
      fetches_widely
          ? std::vector<CurveSample>{}
          : flat_end(without_translation(curves.local, translations, static_cast<double>(curves.stride_bytes), nullptr));
  auto beyond = end.empty() ? beyond_last(curves.best(), reading) : end;
  if (beyond.size() < 2) {
    return not_reached(std::move(memory), fmt::format("the walk ends at {}, inside the last edge", format_bytes(whole(longest))));
  }
  const auto uncounted = curves.local.empty() ? uncounted_tlbs(beyond, reading.tlbs, translations) : UncountedTlbs{};
  std::erase_if(beyond, [&](const CurveSample& sample) { return sample.bytes > uncounted.onset; });
  Behind found;
  found.tlb_near_edge = uncounted.near_edge;
  found.together = !curves.local.empty() && reading.memory_latency.has_value();
  found.nearby = end.empty() ? reading.memory_latency.value_or(0) : median_of(end);
  found.uncounted = translations.size() != tlbs.size();
  if (path != kConstantPath && !found.uncounted)
    found.random = latency_behind_last(curves, reading, translations, end.empty() ? 0 : end.front().bytes, uncounted.onset);
  if (!found.random) found.random = reader.random_reading().memory_latency;
  if (found.together) {
    memory.together_ns = found.nearby * curves.ns_per_unit;
    if (curves.unit == LatencyUnit::cycles) memory.together_cycles = found.nearby;
    found.translated = most_translation(curves, translations, longest) / found.nearby;
  }
  // Uncounted translation slows the walk in random order by an unknown amount.
  const bool by_neighbours = found.together && (found.uncounted || !found.random);
  put(memory, by_neighbours ? found.nearby : found.random.value_or(*reading.memory_latency), curves);

  memory.evidence.push_back(end.empty() ? fmt::format("{} points lie beyond the last edge", beyond.size())
                                        : fmt::format("neighbours take the same time at {} points from {} on", end.size(),
                                                      format_bytes(whole(end.front().bytes))));
  const auto untranslated =
      end.empty() ? without_translation(beyond, translations, static_cast<double>(curves.stride_bytes), nullptr) : end;
  found.risen = end.empty() ? rise_over(untranslated) : 0;
  found.error = error_over(untranslated);
  if (found.risen > hierarchy_thresholds.no_plateau) {
    return not_reached(std::move(memory),
                       fmt::format("beyond the last edge the latency still rises by {:.0f} %", 100 * found.risen));
  }
  memory.confidence = !end.empty() ? 1 : levels.empty() ? 0 : levels.back().exists;
  memory.confidence *= 1 - std::exp2(-static_cast<double>(beyond.size()));
  doubt_memory(memory, found, levels, longest, tlbs);
  return memory;
}

}  // namespace percycle
