#include "report/pair_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analysis/unit_groups.hpp"
#include "core/figures.hpp"
#include "core/parameters.hpp"
#include "presentation/presentation.hpp"
#include "report/clock_note.hpp"
#include "report/unit_ranges.hpp"

namespace percycle {
namespace {

/// The value nearest to that share of the way from the lowest to the highest.
double quantile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)));
  return sorted[rank];
}

std::string spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("min {:.1f}, p10 {:.1f}, median {:.1f}, p90 {:.1f}, max {:.1f}", values.front(), quantile(values, 0.1),
                     quantile(values, 0.5), quantile(values, 0.9), values.back());
}

}  // namespace

std::string pair_map(const std::string& experiment, const std::vector<const PointResult*>& results) {
  const Presentation& about = presentation_of(experiment);
  const PairChart& chart = about.pairs.front();
  const PairSplit& split = chart.split;
  std::vector<UnitPairTime> distances;
  std::vector<double> all;
  std::vector<double> below;
  std::vector<double> above;
  std::string others;
  std::size_t clocks_differ = 0;
  const Measurement* farthest = nullptr;
  for (const PointResult* result : results) {
    if (result->outcome.status != Status::ok || !result->measurement) {
      others +=
          fmt::format("  {}: {}: {}\n", to_string(result->point), to_string(result->outcome.status), result->outcome.reason);
      continue;
    }
    const double ns = statistic_median(*result->measurement, chart.figure).value_or(0);
    distances.push_back({static_cast<std::uint32_t>(integer(result->point.parameters, chart.first)),
                         static_cast<std::uint32_t>(integer(result->point.parameters, chart.second)), ns});
    all.push_back(ns);
    if (const auto error = telemetry_error(*result->measurement)) {
      ++clocks_differ;
      if (!farthest || std::abs(*error) > std::abs(*telemetry_error(*farthest))) farthest = &*result->measurement;
    }
    (statistic_median(*result->measurement, split.figure).value_or(0) > split.most ? above : below).push_back(ns);
  }
  std::string text = experiment + '\n';
  if (all.empty()) return text + others;
  text +=
      fmt::format("  {} pairs of units, {}: {}\n", all.size(), figure_title(chart.figure, {.op = about.operation}), spread(all));
  if (!above.empty() && !below.empty()) {
    text += fmt::format("  of them {} {}: {}\n", below.size(), split.below, spread(below));
    text += fmt::format("  and {} {} (more than {} {}): {}\n", above.size(), split.above, split.most,
                        figure_title(split.figure, {.op = about.operation}), spread(above));
  }
  const auto groups = unit_groups(distances);
  if (groups.size() == 1) {
    text += fmt::format("  no groups of units: their nearest partners are {:.1f} to {} away, without a gap that stands out\n",
                        groups[0].least_ns, in_unit(groups[0].most_ns, 1, unit_text::kNs));
  } else {
    for (const auto& group : groups) {
      text += fmt::format("  {} units whose nearest partner is {:.1f} to {} away: {}\n", group.units.size(), group.least_ns,
                          in_unit(group.most_ns, 1, unit_text::kNs), unit_ranges(group.units));
    }
  }
  if (farthest) text += fmt::format("  clocks of {} pairs differ, farthest: {}\n", clocks_differ, clock_note(*farthest));
  return text + others;
}

}  // namespace percycle
