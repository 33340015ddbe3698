#include "measure/timer_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/figures.hpp"

namespace percycle {
namespace {

constexpr double kMostError = 0.05;       // of the rate
constexpr double kMostDifference = 0.03;  // of the rates of two rounds, of the larger one or of 1
constexpr double kEarlyShare = 0.1;       // of the few loops' time
constexpr double kEarlyNs = 50e3;

double least(std::span<const Timing> timings, double (*value)(const Timing&)) {
  double low = std::numeric_limits<double>::infinity();
  for (const Timing& timing : timings) low = std::min(low, value(timing));
  return low;
}

/// Host time between the two quickest dispatches.
double spread_of(std::span<const Timing> timings) {
  std::vector<double> host;
  for (const Timing& timing : timings) host.push_back(timing.host_ns);
  if (host.size() < 2) return 0;
  std::ranges::partial_sort(host, host.begin() + 2);
  return host[1] - host[0];
}

double stated_ns(const Timing& timing) { return timing.device_ns.value_or(0); }
double waited_ns(const Timing& timing) { return timing.host_ns; }
/// The host's time around the dispatch, if the device timer is right.
double outside_ns(const Timing& timing) { return timing.host_ns - stated_ns(timing); }

/// The rate by the dispatches that took the host the least time.
double quickest(std::span<const Timing> many, std::span<const Timing> few) {
  const Timing& slow = *std::ranges::min_element(many, {}, waited_ns);
  const Timing& fast = *std::ranges::min_element(few, {}, waited_ns);
  return (stated_ns(slow) - stated_ns(fast)) / (slow.host_ns - fast.host_ns);
}

bool is_off(const TimerSlope& slope) { return std::abs(slope.rate - 1) > kMostError; }

/// Whether the device's line passes below zero.
bool looks_early(const TimerSlope& slope) { return slope.at_zero_ns < -std::max(kEarlyNs, kEarlyShare * slope.few_ns); }

/// Whether the host's line does not: a disturbance bends both.
bool is_early(const TimerSlope& slope) {
  constexpr double kBent = 0.2;
  return !is_off(slope) && looks_early(slope) && slope.host_at_zero_ns > kBent * slope.at_zero_ns;
}

bool are_alike(double first, double second, double share) {
  return std::abs(first - second) <= share * std::max(std::abs(first), std::abs(second));
}

}  // namespace

TimerSlope timer_slope(const TimerRound& round) {
  const double host = least(round.many, waited_ns) - least(round.few, waited_ns);
  const double device = least(round.many, stated_ns) - least(round.few, stated_ns);
  const double few_share = static_cast<double>(round.few_loops) / static_cast<double>(round.many_loops - round.few_loops);
  TimerSlope slope;
  if (host <= 0) return slope;  // disturbed: it proves nothing
  slope.host_ns = host;
  slope.spread_ns = std::max(spread_of(round.few), spread_of(round.many));
  // The work of other programs only adds to the time outside, and to that of the device if it is
  // slower: the least disturbed dispatches count.
  const bool exceeds_host = least(round.many, outside_ns) < 0;
  slope.rate =
      exceeds_host ? quickest(round.many, round.few) : 1 - (least(round.many, outside_ns) - least(round.few, outside_ns)) / host;
  slope.few_ns = device * few_share;
  slope.at_zero_ns = least(round.few, stated_ns) - slope.few_ns;
  slope.host_at_zero_ns = least(round.few, waited_ns) - host * few_share;
  return slope;
}

bool is_proof(const TimerSlope& slope) {
  constexpr double kClear = 8;
  return slope.host_ns > kClear * slope.spread_ns;
}

bool is_sound(const TimerSlope& slope) { return !is_off(slope) && !looks_early(slope); }

std::string slope_fault(const TimerSlope& first, const TimerSlope& second) {
  if (is_off(first) && is_off(second) &&
      std::abs(first.rate - second.rate) <= kMostDifference * std::max({1.0, first.rate, second.rate})) {
    return fmt::format("the device timer runs at {:.3g} times the host's rate (by two loop counts), so percycle did not use it",
                       (first.rate + second.rate) / 2);
  }
  constexpr double kEarlyDifference = 0.25;
  if (is_early(first) && is_early(second) && are_alike(first.at_zero_ns, second.at_zero_ns, kEarlyDifference)) {
    return fmt::format("the device timer ends {:.0f} {} too early (by two loop counts), so percycle did not use it",
                       -(first.at_zero_ns + second.at_zero_ns) / 2, unit_text::kNs);
  }
  return {};
}

std::string step_fault(std::span<const Timing> timings, double period_ns) {
  constexpr std::size_t kFewestTimings = 8;
  constexpr double kFinestStepNs = 20e3;
  constexpr double kCoarse = 10;
  if (timings.size() < kFewestTimings) return {};
  std::int64_t step = 0;  // divides all times
  for (const Timing& timing : timings) step = std::gcd(step, std::llround(stated_ns(timing)));
  if (static_cast<double>(step) < std::max(kFinestStepNs, kCoarse * period_ns)) return {};
  return fmt::format("the device timer advances in steps of {} {}, so percycle did not use it", step, unit_text::kNs);
}

}  // namespace percycle
