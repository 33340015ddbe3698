#include "analysis/wide_fetches.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

/// The latency behind the first `place` levels, and the factor between its error and that of the
/// measured mean.
struct Corrected {
  double latency = 0;
  double factor = 1;
};

Corrected corrected(std::span<const CurveLevel> before, std::span<const double> nodes_fetched, double measured) {
  double largest = 1;
  for (std::size_t k = 0; k < before.size(); ++k) largest = std::max(largest, nodes_fetched[k]);
  double latency = largest * measured;
  double reaching = largest;  // loads per largest fetch that reach level k
  double widest = 1;
  for (std::size_t k = 0; k < before.size(); ++k) {
    widest = std::max(widest, nodes_fetched[k]);
    const double missing = largest / widest;
    latency -= (reaching - missing) * before[k].latency;
    reaching = missing;
  }
  return {latency, largest};
}

}  // namespace

FetchedReading count_fetches_once(CurveReading reading, std::span<const double> nodes_fetched, double together_from,
                                  double most_together) {
  FetchedReading result{std::move(reading), {}, false};
  auto& levels = result.reading.levels;
  bool wide = false;
  bool lost = false;  // fetched nodes are evicted before the walk visits them
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const bool reached_together =
        i > 0 && std::sqrt(levels[i - 1].size * levels[i].size) >= wide_fetch_thresholds.mostly_together * together_from;
    const bool partly_together = levels[i].size > together_from;
    result.doubtful.push_back(wide && partly_together && (lost || !reached_together));
    if (wide && reached_together && !lost) {
      const auto [latency, factor] = corrected(std::span(levels).first(i), nodes_fetched, levels[i].latency);
      levels[i].latency = latency;
      levels[i].latency_error *= factor;
    }
    if (nodes_fetched[i] <= 1) continue;
    wide = true;
    lost = lost || levels[i].size < 2 * most_together;
  }
  if (!wide || !result.reading.memory_latency) return result;
  result.memory_doubtful = lost;
  if (lost) return result;
  const auto [latency, factor] = corrected(levels, nodes_fetched, *result.reading.memory_latency);
  result.reading.memory_latency = latency;
  if (result.reading.memory_latency_error) *result.reading.memory_latency_error *= factor;
  return result;
}

}  // namespace percycle
