#include "measure/trial_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>
#include <thread>
#include <utility>

#include "device/peer_link.hpp"
#include "device/values.hpp"
#include "measure/counter.hpp"
#include "measure/group_clocks.hpp"
#include "measure/time_source.hpp"

namespace percycle {

void TrialRun::set_up() {
  for (const auto& dispatch : trial_.setup) run(dispatch);
}

double TrialRun::loop_ns_by_part() {
  constexpr std::uint32_t kParts = 32;
  constexpr int kRuns = 2;  // the first one may include the driver's preparations
  LoopedDispatch& looped = trial_.timed;
  const std::uint32_t all = looped.groups_per_loop.value_or(looped.dispatch.groups);
  Dispatch part = looped.dispatch;
  if (!looped.loops_parameter.empty()) part.parameters.insert_or_assign(looped.loops_parameter, 1u);
  part.groups = std::max(all / kParts, 1u);
  double ns = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRuns; ++i) {
    if (stop_) throw Interruption{};
    ns = std::min(ns, trusted_ns(device_.run(part)));
    (void)looped.verify(device_, 0);
  }
  return ns * all / part.groups;
}

Sample TrialRun::timed(std::uint64_t loops) {
  for (const auto& dispatch : trial_.before_sample) run(dispatch);
  return sample(trial_.timed, trial_.clocks, loops);
}

Timing TrialRun::again(std::uint64_t loops) {
  if (stop_) throw Interruption{};
  unchecked_loops_ += loops;
  return dispatch(trial_.timed, loops);
}

double TrialRun::repeat(std::uint64_t loops, double ns) {
  double spent = 0;
  for (double host_ns = 0; spent < ns && host_ns < kMostHostTime * ns;) {
    const Timing timing = again(loops);
    spent += trusted_ns(timing);
    host_ns += std::max(timing.host_ns, 1.0);
  }
  return spent;
}

void TrialRun::rest(double ns) const {
  constexpr std::chrono::milliseconds kStep{10};
  if (device_.info().api == Api::sim) return;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::nano>(ns);
  while (std::chrono::steady_clock::now() < end) {
    if (stop_) throw Interruption{};
    std::this_thread::sleep_for(kStep);
  }
}

std::vector<double> TrialRun::series(const SeriesReading& where) {
  const auto words = read_values<std::uint32_t>(device_, *where.buffer, where.count, where.offset);
  return {words.begin(), words.end()};
}

void TrialRun::run(const Dispatch& dispatch) {
  if (stop_) throw Interruption{};
  device_.run(dispatch);
}

Sample TrialRun::sample(LoopedDispatch& looped, const std::optional<ClockReadings>& clocks, std::uint64_t loops) {
  if (stop_) throw Interruption{};
  Sample sample;
  sample.ops = loops * looped.ops_per_loop;
  sample.timing = looped.transfer ? transfers(*looped.transfer, loops) : dispatch(looped, loops);
  constexpr double kAbsurdNs = 1e15;  // eleven days
  // A timer that jumped back gives no time.
  if (sample.timing.device_ns && (*sample.timing.device_ns <= 0 || *sample.timing.device_ns > kAbsurdNs)) {
    sample.timing.device_ns.reset();
    if (loops > 0 || !looped.transfer) ++timer_jumps_;  // no copies take no time
  }
  sample.pair = std::exchange(pair_, std::nullopt);
  if (clocks) sample.clock = read_clocks(*clocks);
  if (&looped == &trial_.timed && trial_.group_stamps) sample.groups = read_stamps(*trial_.group_stamps);
  if (&looped == &trial_.timed && trial_.traffic) {
    const TrafficReading& where = *trial_.traffic;
    const std::uint64_t count = read_values<std::uint32_t>(device_, *where.buffer, 1, where.offset).front();
    sample.traffic = Traffic{count * where.bytes_each, where.groups};
  }
  const std::uint64_t unchecked = std::exchange(unchecked_loops_, 0);
  const std::uint64_t checked = trial_.accumulates ? loops + unchecked : loops;
  if (auto outcome = looped.verify(device_, checked); outcome.status != Status::ok) throw BadOutcome{std::move(outcome)};
  return sample;
}

Timing TrialRun::dispatch(LoopedDispatch& looped, std::uint64_t loops) {
  if (!looped.loops_parameter.empty())
    looped.dispatch.parameters.insert_or_assign(looped.loops_parameter, static_cast<std::uint32_t>(loops));
  if (looped.groups_per_loop) {
    looped.dispatch.groups = static_cast<std::uint32_t>(std::max<std::uint64_t>(loops * *looped.groups_per_loop, 1));
  }
  if (looped.round_trips) return round_trips(looped, loops);
  if (looped.queued) return queued(looped, loops);
  if (looped.launches) {
    Launches launches = *looped.launches;
    launches.count = static_cast<std::uint32_t>(loops + 1);
    return device_.launch(looped.dispatch, launches);
  }
  return device_.run(looped.dispatch);
}

Timing TrialRun::queued(const LoopedDispatch& looped, std::uint64_t loops) {
  QueuedLaunches launches = *looped.queued;
  if (launches.waits) {
    // No idle time is taken off the control.
    const bool is_control = trial_.control && &looped == &*trial_.control;
    launches.count = static_cast<std::uint32_t>(is_control ? std::max<std::uint64_t>(loops, 1) : loops + 1);
    return device_.launch_queued(looped.dispatch, launches).all;
  }
  const Timing alone = device_.run(looped.dispatch);
  const QueuedTiming both = device_.launch_queued(looped.dispatch, launches);
  pair_ = PairTimes{.alone_ns = trusted_ns(alone), .both_ns = trusted_ns(both.all), .first_ns = {}, .second_ns = {}};
  // Times by two clocks do not compare.
  if (!device_timer_sane(alone) || !device_timer_sane(both.all)) {
    pair_->alone_ns = alone.host_ns;
    pair_->both_ns = both.all.host_ns;
  }
  if (device_timer_sane(both.all) && both.each_ns.size() == 2) {
    pair_->first_ns = both.each_ns[0];
    pair_->second_ns = both.each_ns[1];
  }
  return both.all;
}

Timing TrialRun::round_trips(const LoopedDispatch& looped, std::uint64_t trips) {
  Timing total;
  trips_ns_ = 0;
  for (std::uint64_t i = 0; i < trips; ++i) {
    const Timing trip = device_.launch(looped.dispatch, {.timed = false});
    trips_ns_ += trip.host_ns;
    total.host_ns += looped.trip_part ? part_ns(*looped.trip_part, trip) : trip.host_ns;
  }
  return total;
}

/// Compares the clocks after each trip, since they drift apart. A kernel that seems to run outside
/// its own round trip reads another clock than the driver compares with the host's.
double TrialRun::part_ns(const TripPart& part, const Timing& trip) {
  constexpr double kStepNs = 1000;  // device-wide clocks advance in coarse steps
  constexpr int kLooks = 4;         // the host may be disturbed between the two clocks
  std::array<std::uint64_t, 4> counts{};
  device_.read(*part.clocks.buffer, part.clocks.offset, std::as_writable_bytes(std::span(counts)));
  std::optional<ClockMoment> moment;
  for (int i = 0; i < kLooks; ++i) {
    const auto look = device_.moment();
    if (look && (!moment || look->error_ns < moment->error_ns)) moment = look;
  }
  if (!moment) throw BadOutcome{{Status::unsupported, "the driver does not relate the device's clock to the host's"}};
  clock_error_ns_ = std::max(clock_error_ns_.value_or(0), moment->error_ns);
  const double tick_ns = *device_.info().device_clock->tick_ns;
  const auto since_call = [&](std::uint64_t count) {
    return static_cast<double>(moment->host_ns - trip.begin_ns) +
           tick_ns * static_cast<double>(ticks_between(moment->device_ticks, count));
  };
  const double begin = since_call(counts[2]);
  const double end = since_call(counts[3]);
  const double slack = moment->error_ns + kStepNs;
  if (begin < -slack || end > trip.host_ns + slack || end < begin) {
    throw BadOutcome{
        {Status::unsupported,
         fmt::format("by the driver's clocks the kernel ran from {:.0f} to {:.0f} ns after its call, which took {:.0f} ns", begin,
                     end, trip.host_ns)}};
  }
  return part.is_before_kernel ? begin : trip.host_ns - end;
}

/// The device's timer does not see the host's work for pageable memory: only the host's time
/// counts.
Timing TrialRun::transfers(const Transfer& transfer, std::uint64_t loops) {
  Timing total;
  if (transfer.memory == HostMemory::pinned && !transfer.by_host) total.device_ns = 0;
  for (std::uint64_t i = 0; i < loops; ++i) {
    const Timing each = transfer.link   ? transfer.link->copy()
                        : transfer.back ? device_.exchange(*transfer.buffer, *transfer.host, *transfer.back, *transfer.host_back)
                        : transfer.to_device ? device_.write(*transfer.buffer, 0, *transfer.host, transfer.memory)
                                             : device_.read(*transfer.buffer, 0, *transfer.host, transfer.memory);
    total.host_ns += each.host_ns;
    if (total.device_ns && each.device_ns) {
      *total.device_ns += *each.device_ns;
    } else {
      total.device_ns.reset();
    }
  }
  return total;
}

InKernelClock TrialRun::read_clocks(const ClockReadings& where) {
  InKernelClock clock;
  const auto& info = device_.info();
  if (!info.unit_clock && !info.device_clock) return clock;
  std::array<std::uint64_t, 4> counts{};
  device_.read(*where.buffer, where.offset, std::as_writable_bytes(std::span(counts)));
  if (info.unit_clock) clock.ticks = elapsed_ticks(counts[0], counts[1]);
  if (info.device_clock && info.device_clock->tick_ns) {
    if (const auto ticks = elapsed_ticks(counts[2], counts[3])) {
      clock.realtime_ns = static_cast<double>(*ticks) * *info.device_clock->tick_ns;
    }
  }
  return clock;
}

GroupClocks TrialRun::read_stamps(const GroupStamps& where) {
  const auto& info = device_.info();
  GroupClocks none;
  none.groups = where.groups;
  if (!info.unit_clock && !info.device_clock && !info.unit_id) return none;
  const auto stamps = read_values<GroupStamp>(device_, *where.buffer, where.groups, where.offset);
  GroupClocks clocks = where.ends_only ? reduce_ends(stamps, info) : reduce(stamps, info);
  if (where.posted) {
    clocks.ticks.reset();
    clocks.span_ns.reset();
    clocks.groups_per_tick.reset();
  }
  return clocks;
}

}  // namespace percycle
