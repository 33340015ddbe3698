#include "measure/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace percycle {
namespace {

constexpr unsigned kMaxRounds = 24;  // 8-fold growth passes 2^32 in eleven; the rest is for coming down again
constexpr double kGrowth = 8;        // per round at most: a first dispatch is slow (JIT, cold caches) and then tells little
constexpr double kSlack = 1.25;      // aimed above the target, so that a slightly faster run still reaches it
constexpr double kTooLong = 2.5;     // times the target: the dispatch that said so was cold, look again
constexpr double kUnexpected = 1.5;  // times what the round before said of a loop: cold, or disturbed

}  // namespace

Calibration::Calibration(const Limits& limits) : limits_(limits) {}

void Calibration::feed(double ns) {
  if (done_) return;
  const double per_loop = std::max(ns - limits_.idle_ns, 0.0) / static_cast<double>(loops_);
  const double net = per_loop * static_cast<double>(loops_);
  const bool long_enough = net >= limits_.target_ns;
  const bool too_long = net > kTooLong * limits_.target_ns && loops_ > 1;
  const bool over_ceiling = ns > limits_.ceiling_ns && loops_ > 1;
  const bool unexpected = per_loop > kUnexpected * std::exchange(known_per_loop_, per_loop);
  ++rounds_;
  // A dispatch that was disturbed seems long enough with any number of loops: again.
  if (long_enough && unexpected && !too_long && !over_ceiling && rounds_ < kMaxRounds) return;
  if (rounds_ >= kMaxRounds || (long_enough && !too_long && !over_ceiling) ||
      (loops_ >= limits_.max_loops && !too_long && !over_ceiling)) {
    done_ = true;
    return;
  }
  double wanted = static_cast<double>(loops_) * kGrowth;
  if (per_loop > 0) {
    // Rounded up, so that a dispatch short of the target always asks for more; the ceiling is rounded down.
    const double room = std::max(limits_.ceiling_ns - limits_.idle_ns, 0.0);
    wanted = std::min(std::ceil(std::min(wanted, limits_.target_ns * kSlack / per_loop)), std::floor(room / per_loop));
  }
  const auto next = static_cast<std::uint64_t>(std::clamp(wanted, 1.0, static_cast<double>(limits_.max_loops)));
  done_ = next == loops_;
  loops_ = next;
}

}  // namespace percycle
