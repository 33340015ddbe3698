#include "measure/timer_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/sample.hpp"
#include "measure/alu_chain.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kPairs = 256;
// Above every known limit of loops (65 535 turns); such a dispatch takes a GPU 0.1 s.
constexpr std::uint64_t kManyTurns = 70000;
constexpr double kLongestNs = 400e6;
constexpr double kFewNs = 1e6;
constexpr std::uint64_t kManyTimes = 16;
constexpr int kDispatches = 4;  // of each loop count in a round
constexpr int kMostRounds = 8;
constexpr int kAlikeRounds = 3;  // two can be alike by chance on a busy host
constexpr double kDoubtNs = 50e3;
constexpr std::chrono::seconds kRecheckAfter{5};
/// Host time of one check: a busy host may disturb every round.
constexpr double kMostCheckNs = 2e9;
/// The same of all checks since the last one that compared the timer. Then one is made at times.
constexpr double kMostVainNs = 10e9;
constexpr std::chrono::seconds kRetryAfter{30};

bool has_device_time(const Timing& timing) {
  constexpr double kAbsurdNs = 1e15;
  return timing.device_ns && *timing.device_ns > 0 && *timing.device_ns < kAbsurdNs;
}

double median_of(const std::vector<double>& values) { return values.empty() ? 0 : median(values); }

}  // namespace

void TimerCheck::start() {
  if (std::exchange(started_, true) || device_.info().api == Api::sim) return;
  try {
    prepare();
    find_loop_limit();
    check_timer();
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
    give_up();
  } catch (const std::invalid_argument&) {
    give_up();
  }
}

void TimerCheck::give_up() {
  kernel_.reset();
  compared_ = false;
}

void TimerCheck::prepare() {
  const std::uint32_t lanes = alu_chain_lanes(device_.info());
  ends_ = device_.create(BufferDesc{std::uint64_t{lanes} * sizeof(std::uint32_t)});
  kernel_ = device_.create(alu_chain_kernel(device_.info(), lanes, kPairs));
}

std::optional<Timing> TimerCheck::timed(std::uint64_t loops) {
  const auto timing = run_alu_chain(device_, kernel_, ends_, kPairs, loops);
  if (timing) {
    timings_.push_back(*timing);
    spent_ns_ += timing->host_ns;
  }
  return timing;
}

/// The shortest host time of three dispatches, because another program can hold up one; the first
/// that takes less than `enough_ns` suffices. Nothing if a result is wrong.
std::optional<double> TimerCheck::quickest_ns(std::uint64_t loops, double enough_ns) {
  constexpr int kTries = 3;
  std::optional<double> least;
  for (int i = 0; i < kTries && (!least || *least >= enough_ns); ++i) {
    const auto timing = timed(loops);
    if (!timing) return std::nullopt;
    least = std::min(least.value_or(timing->host_ns), timing->host_ns);
  }
  return least;
}

/// Loops that take the host about `ns`; 0 if a result is wrong.
std::uint64_t TimerCheck::loops_of(double ns, std::uint64_t most) {
  for (std::uint64_t loops = 1;; loops = std::min(2 * loops, most)) {
    const auto taken_ns = quickest_ns(loops, ns);
    if (!taken_ns) return 0;
    if (*taken_ns >= ns || loops == most) return loops;
  }
}

void TimerCheck::find_loop_limit() {
  if (device_.info().max_loop_iterations) return;
  const std::uint64_t few = loops_of(kFewNs, kManyTurns);
  if (few == 0) return;
  const auto once_ns = quickest_ns(few, 0);
  const double all_ns = once_ns ? *once_ns / static_cast<double>(few) * static_cast<double>(kManyTurns) : kLongestNs;
  if (all_ns >= kLongestNs || timed(kManyTurns)) return;
  std::uint64_t right = few;
  std::uint64_t wrong = kManyTurns;
  while (wrong - right > 1) {
    const std::uint64_t middle = (right + wrong) / 2;
    (timed(middle) ? right : wrong) = middle;
  }
  corrected_.limit_loops(right - right / 128);  // the end of each loop may also use some
}

std::optional<TimerSlope> TimerCheck::slope(std::uint64_t few, std::uint64_t many) {
  std::vector<Timing> short_runs;
  std::vector<Timing> long_runs;
  for (int i = 0; i < kDispatches; ++i) {
    const auto before = timed(few);
    const auto after = timed(many);
    if (!before || !after) return std::nullopt;
    if (!has_device_time(*after)) ++gaps_;
    short_runs.push_back(*before);
    long_runs.push_back(*after);
  }
  return timer_slope({.few_loops = few, .many_loops = many, .few = short_runs, .many = long_runs});
}

void TimerCheck::check_timer() {
  compared_ = false;
  spent_ns_ = 0;
  compare();
  checked_at_ = std::chrono::steady_clock::now();
  vain_ns_ = compared_ || !fault_.empty() ? 0 : vain_ns_ + spent_ns_;
}

void TimerCheck::compare() {
  const std::uint64_t most = device_.info().max_loop_iterations.value_or(UINT32_MAX);
  const std::uint64_t few = loops_of(kFewNs, most / kManyTimes);
  if (few == 0) return;
  timings_.clear();
  gaps_ = 0;
  std::optional<TimerSlope> before;
  int alike = 1;
  for (int round = 0; round < kMostRounds && spent_ns_ < kMostCheckNs; ++round) {
    const auto now = slope(few, few * kManyTimes);
    if (!now) return;
    if (!device_.info().timer_period_ns && gaps_ == kDispatches) {
      compared_ = true;  // there is no timer
      return;
    }
    if (gaps_ > 0) {
      if (round == 0) continue;  // it may have been a jump
      return distrust(fmt::format("the device timer gives no time of {} of {} dispatches, so percycle did not use it", gaps_,
                                  (round + 1) * kDispatches));
    }
    if (std::string steps = step_fault(timings_, device_.info().timer_period_ns.value_or(1)); !steps.empty())
      return distrust(std::move(steps));
    if (!is_proof(*now)) continue;
    compared_ = is_sound(*now);
    if (compared_) return;
    std::string found = before ? slope_fault(*before, *now) : std::string();
    alike = found.empty() ? 1 : alike + 1;
    if (alike == kAlikeRounds) return distrust(std::move(found));
    before = now;
  }
}

bool TimerCheck::finds_wrong(std::span<const Sample> samples, std::span<const Timing> idle, TimedWork work) {
  if (!kernel_ || !fault_.empty()) return false;
  std::vector<double> host, device, idle_host, idle_device;
  std::vector<Timing> all(idle.begin(), idle.end());
  for (const Sample& sample : samples) {
    if (!sample.timing.device_ns) continue;
    all.push_back(sample.timing);
    host.push_back(sample.timing.host_ns);
    device.push_back(*sample.timing.device_ns);
  }
  for (const Timing& timing : idle) {
    idle_host.push_back(timing.host_ns);
    idle_device.push_back(timing.device_ns.value_or(0));
  }
  const auto since_check = std::chrono::steady_clock::now() - checked_at_;
  const bool is_unknown = !compared_ && (vain_ns_ < kMostVainNs || since_check > kRetryAfter);
  if (is_unknown || !step_fault(all, device_.info().timer_period_ns.value_or(1)).empty()) {
    check_timer();
    if (!fault_.empty()) return true;
  }
  const double by_host = median_of(host) - median_of(idle_host);
  const double by_device = median_of(device) - median_of(idle_device);
  if (device.empty() || by_host <= 0 || std::abs(by_host - by_device) < kDoubtNs) return false;
  const double ratio = by_device > 0 ? std::max(by_host / by_device, by_device / by_host) : kManyTimes;
  double& allowed = allowed_.at(static_cast<std::size_t>(work));
  // A busy host raises what is allowed, but not for ever.
  const bool is_long_ago = since_check > kRecheckAfter;
  if (ratio <= (is_long_ago ? kSoundRatio : allowed)) return false;
  check_timer();
  // Launches may cost the host that much here. A check that compared nothing does not say so, but
  // the host's time for such checks is bounded.
  if (compared_ || vain_ns_ >= kMostVainNs) allowed = std::max(allowed, 1.2 * ratio);
  return !fault_.empty();
}

std::string TimerCheck::doubt() const {
  if (compared_ || !fault_.empty() || !device_.info().timer_period_ns) return {};
  return kernel_ ? "the device timer could not be compared with the host's clock: no two comparisons agreed"
                 : "the device timer could not be compared with the host's clock: the kernel for it did not run";
}

void TimerCheck::distrust(std::string fault) {
  fault_ = std::move(fault);
  corrected_.drop_timer();
}

}  // namespace percycle
