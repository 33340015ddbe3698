#include "analysis/walked_together.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "analysis/thresholds.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

/// The height of an edge: from the last two places before it to the last two within an octave
/// behind it. Places further before may lie on another edge, and an edge is broader in random
/// order.
std::optional<double> rise_at(std::span<const CurveSample> curve, const CurveLevel& level) {
  const double end = std::max(level.edge_end, level.size_high);
  std::vector<double> before;
  std::vector<double> behind;
  for (const auto& sample : curve) {
    if (sample.bytes >= level.size_low / level_thresholds.beside && sample.bytes <= level.size_low)
      before.push_back(sample.value);
    if (sample.bytes >= end && sample.bytes <= level_thresholds.beside * end) behind.push_back(sample.value);
  }
  if (before.empty() || behind.empty()) return std::nullopt;
  const auto last = [](std::span<const double> values) { return median(values.last(std::min<std::size_t>(2, values.size()))); };
  return last(behind) - last(before);
}

/// The curve between its places; empty outside of it.
std::optional<double> value_between(std::span<const CurveSample> curve, double bytes) {
  const auto above = std::find_if(curve.begin(), curve.end(), [&](const CurveSample& sample) { return sample.bytes >= bytes; });
  if (above == curve.end()) return std::nullopt;
  if (above == curve.begin() || above->bytes == bytes) return above->value;
  const auto& below = *std::prev(above);
  return below.value + std::log(bytes / below.bytes) / std::log(above->bytes / below.bytes) * (above->value - below.value);
}

}  // namespace

double most_translation(const PathCurves& curves, std::span<const Translation> counted, double until) {
  std::vector<Translation> large;
  std::copy_if(counted.begin(), counted.end(), std::back_inserter(large),
               [](const Translation& one) { return one.page > hierarchy_thresholds.small_page; });
  const auto stride = static_cast<double>(curves.stride_bytes);
  const auto random = without_translation(curves.random, large, stride, nullptr);
  const auto local = without_translation(curves.local, large, stride, nullptr);
  double most = 0;
  double slower = 0;
  for (const auto& sample : local) {
    if (sample.together_bytes == 0 || sample.bytes > until) continue;
    const auto value = value_between(random, sample.bytes);
    if (!value || *value - sample.value <= slower) continue;
    const double page = std::clamp(sample.bytes / tlb_thresholds.most_first_entries, tlb_thresholds.smallest_page,
                                   hierarchy_thresholds.common_page);
    most += (*value - sample.value - slower) * stride / page;
    slower = *value - sample.value;
  }
  return most;
}

bool rises_only_together(const PathCurves& curves, const CurveLevel& level) {
  const auto together = rise_at(curves.local, level);
  const auto random = rise_at(curves.random, level);
  return together && random && *random < level_thresholds.of_both * *together;
}

}  // namespace percycle
