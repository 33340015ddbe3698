#include "analysis/set_ramp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/thresholds.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr std::array<std::uint32_t, 4> kWays{2, 4, 8, 16};

/// The share of the sets that overflow.
double overflow(const SetRamp& ramp, std::uint64_t pages) {
  const double sets = static_cast<double>(ramp.entries) / ramp.ways;
  return std::clamp((static_cast<double>(pages) - static_cast<double>(ramp.entries)) / sets, 0.0, 1.0);
}

/// The typical distance of the latencies from the ramp, as a share of its height. The median,
/// because caches disturb a few walks.
double misfit(const SetRamp& ramp, const std::map<std::uint64_t, double>& latencies) {
  std::vector<double> off;
  for (const auto& [pages, latency] : latencies) {
    const double share = overflow(ramp, pages);
    if (share > 0 && share < 1) off.push_back(std::abs(latency - ramp.hit - ramp.penalty * share) / ramp.penalty);
  }
  return static_cast<double>(off.size()) < ramp_thresholds.fewest_on_ramp ? INFINITY : median(off);
}

/// Whether three quarters of the latencies lie near their plateau. Caches disturb some walks, but a
/// curve that rises further has no plateau.
bool is_flat(const std::vector<double>& latencies, double plateau, double penalty) {
  std::vector<double> off;
  for (const double latency : latencies) off.push_back(std::abs(latency - plateau) / penalty);
  std::sort(off.begin(), off.end());
  return off[off.size() - 1 - off.size() / 4] < ramp_thresholds.largest_misfit;
}

}  // namespace

std::optional<SetRamp> find_set_ramp(const std::map<std::uint64_t, double>& latencies) {
  if (latencies.size() < 3) return std::nullopt;
  double least = INFINITY;
  std::optional<SetRamp> best;
  const std::uint64_t first = latencies.begin()->first;
  const std::uint64_t last = latencies.rbegin()->first;
  for (const std::uint32_t ways : kWays) {
    for (std::uint64_t entries = (first + ways - 1) / ways * ways; entries < last; entries += ways) {
      // Both plateaus must show.
      std::vector<double> below;
      std::vector<double> above;
      for (const auto& [pages, latency] : latencies) {
        if (pages <= entries) below.push_back(latency);
        if (pages >= entries + entries / ways) above.push_back(latency);
      }
      if (static_cast<double>(std::min(below.size(), above.size())) < ramp_thresholds.fewest_on_plateau) continue;
      SetRamp ramp{entries, ways, median(below), 0};
      ramp.penalty = median(above) - ramp.hit;
      if (ramp.penalty <= 0) continue;
      if (!is_flat(below, ramp.hit, ramp.penalty) || !is_flat(above, ramp.hit + ramp.penalty, ramp.penalty)) continue;
      const double off = misfit(ramp, latencies);
      if (off >= least) continue;
      least = off;
      best = ramp;
    }
  }
  return least < ramp_thresholds.largest_misfit ? best : std::nullopt;
}

}  // namespace percycle
