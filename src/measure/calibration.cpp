#include "measure/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/error.hpp"
#include "measure/time_source.hpp"

namespace percycle {
namespace {

// 8-fold growth passes 2^32 in eleven rounds. The other rounds reduce the loops again.
constexpr unsigned kMaxRounds = 24;
// The largest growth of a round: a first dispatch is slow (JIT, cold caches) and misleads.
constexpr double kGrowth = 8;
// Aims above the target, so that a slightly faster run still reaches it.
constexpr double kSlack = 1.25;
// A dispatch this many times longer than the target follows a cold one: measure again.
constexpr double kTooLong = 2.5;
// A dispatch this many times longer than predicted was cold or disturbed.
constexpr double kUnexpected = 1.5;
// The loops of a dispatch that takes the host this long do not grow, even below the target.
constexpr double kHostCeilingNs = 400e6;

}  // namespace

Calibration::Calibration(const Limits& limits) : limits_(limits) {}

void Calibration::feed(double ns, double host_ns) {
  if (done_) return;
  const double host_growth = kHostCeilingNs / host_ns;
  if (ns < limits_.target_ns && host_growth <= 1) {
    ++denials_;
    done_ = denied();
    return;
  }
  const double per_loop = std::max(ns - limits_.idle_ns, 0.0) / static_cast<double>(loops_);
  const double net = per_loop * static_cast<double>(loops_);
  const bool long_enough = net >= limits_.target_ns;
  const bool too_long = net > kTooLong * limits_.target_ns && loops_ > 1;
  const bool over_ceiling = ns > limits_.ceiling_ns && loops_ > 1;
  const bool unexpected = per_loop > kUnexpected * std::exchange(known_per_loop_, per_loop);
  ++rounds_;
  // A disturbed dispatch seems long enough with any number of loops: repeat it.
  if (long_enough && unexpected && !too_long && !over_ceiling && rounds_ < kMaxRounds) return;
  if (rounds_ >= kMaxRounds || (long_enough && !too_long && !over_ceiling) ||
      (loops_ >= limits_.max_loops && !too_long && !over_ceiling)) {
    done_ = true;
    return;
  }
  double wanted = std::ceil(static_cast<double>(loops_) * std::min(kGrowth, std::max(host_growth, 1.0)));
  if (per_loop > 0) {
    // Rounded up, so that a dispatch short of the target always gets more loops; the ceiling is
    // rounded down.
    const double room = std::max(limits_.ceiling_ns - limits_.idle_ns, 0.0);
    wanted = std::min(std::ceil(std::min(wanted, limits_.target_ns * kSlack / per_loop)), std::floor(room / per_loop));
  }
  const auto next = static_cast<std::uint64_t>(std::clamp(wanted, 1.0, static_cast<double>(limits_.max_loops)));
  done_ = next == loops_;
  loops_ = next;
}

std::optional<std::uint64_t> calibrated_loops(const Calibration::Limits& limits, Api api,
                                              const std::function<std::optional<Timing>(std::uint64_t loops)>& run) {
  Calibration calibration(limits);
  while (!calibration.done()) {
    const auto timing = run(calibration.loops());
    if (!timing) return std::nullopt;
    calibration.feed(trusted_ns(*timing), timing->host_ns);
    if (calibration.denied()) {
      throw DeviceError(api, DeviceError::Kind::other, "the device timer",
                        fmt::format("{:.0f} ns for a dispatch that took {:.1f} s", trusted_ns(*timing), timing->host_ns * 1e-9));
    }
  }
  return calibration.loops();
}

}  // namespace percycle
