#include "measure/measurer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <stdexcept>

#include "measure/calibration.hpp"
#include "measure/counter.hpp"
#include "measure/statistics.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr int kIdleRuns = 3;
constexpr double kCeilingNs = 400e6;  // predicted; leaves room below the 500 ms that no dispatch may exceed

// A control step is far cheaper than a load: enough of them that the launch weighs less than a percent.
constexpr std::uint64_t kShortestControlLoops = 16384;

// Device-wide clocks advance in steps of their own, far coarser than their unit: NVIDIA's by 32 ns, older ones by 1 us.
constexpr double kInKernelStepNs = 1000;

struct Interruption {};

/// A result that was not what it had to be, or a property that a bounded attempt did not find.
struct BadOutcome {
  Outcome outcome;
};

/// Runs one trial's dispatches: a sequence of small steps, each of which may be the last.
class TrialRun {
 public:
  TrialRun(Device& device, const std::atomic<bool>& stop, Trial& trial) : device_(device), stop_(stop), trial_(trial) {}

  void run(const Dispatch& dispatch) {
    if (stop_) throw Interruption{};
    device_.run(dispatch);
  }

  /// One verified run of `timed` or `control`.
  Sample sample(LoopedDispatch& looped, const std::optional<ClockReadings>& clocks, std::uint64_t loops) {
    if (&looped == &trial_.timed) {
      for (const auto& dispatch : trial_.before_sample) run(dispatch);
    }
    if (stop_) throw Interruption{};
    looped.dispatch.parameters[looped.loops_word] = static_cast<std::uint32_t>(loops);
    Sample sample;
    sample.ops = loops * looped.ops_per_loop;
    sample.timing = device_.run(looped.dispatch);
    if (clocks) sample.clock = read_clocks(*clocks);
    if (auto outcome = looped.verify(device_, loops); outcome.status != Status::ok) throw BadOutcome{std::move(outcome)};
    return sample;
  }

  Sample timed(std::uint64_t loops) { return sample(trial_.timed, trial_.clocks, loops); }
  std::vector<double> series(const SeriesReading& where) {
    std::vector<std::uint32_t> words(where.count);
    device_.read(*where.buffer, where.offset, std::as_writable_bytes(std::span(words)));
    return {words.begin(), words.end()};
  }
  Sample control(std::uint64_t loops) { return sample(*trial_.control, trial_.control_clocks, loops); }

 private:
  InKernelClock read_clocks(const ClockReadings& where) {
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

  Device& device_;
  const std::atomic<bool>& stop_;
  Trial& trial_;
};

double median_of(const std::vector<double>& values) { return summarise(values).median; }

/// What an idle dispatch takes. On a CPU whatever else runs there only adds to it, and what is taken off too much no sample gets back.
double idle_ns(const std::vector<Timing>& idle, DeviceType type, double (*ns)(const Timing&)) {
  std::vector<double> values;
  for (const auto& timing : idle) values.push_back(ns(timing));
  return type == DeviceType::cpu ? *std::min_element(values.begin(), values.end()) : median_of(values);
}

/// Repeats dispatches until five in a row agree within 1 %, or the time is up: GPUs start from an idle clock.
void settle(TrialRun& run, std::uint64_t loops, double limit_ns) {
  constexpr std::size_t kAgreeing = 5;
  std::vector<double> recent;
  for (double spent = 0; spent < limit_ns;) {
    const double ns = trusted_ns(run.timed(loops).timing);
    spent += ns;
    recent.push_back(ns);
    if (recent.size() > kAgreeing) recent.erase(recent.begin());
    const auto [low, high] = std::minmax_element(recent.begin(), recent.end());
    if (recent.size() == kAgreeing && spent > limit_ns / 4 && *high <= *low * 1.01) return;
  }
}

std::uint64_t calibrated_loops(TrialRun& run, const Trial& trial, const Calibration::Limits& limits) {
  Calibration calibration(limits);
  while (!calibration.done()) calibration.feed(trusted_ns(run.timed(calibration.loops()).timing));
  return std::min(calibration.loops(), trial.timed.max_loops);
}

}  // namespace

Measured Measurer::measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed) {
  Measured measured;
  measured.result.point = point;
  Outcome& outcome = measured.result.outcome;
  Measurement measurement;
  try {
    if (const auto reason = experiment.unsupported(device_.info(), point)) throw BadOutcome{{Status::unsupported, *reason}};
    Trial trial = experiment.prepare(device_, point, seed);
    TrialRun run(device_, stop_, trial);
    for (const auto& dispatch : trial.setup) run.run(dispatch);

    std::vector<Timing> idle;
    std::vector<double> launch;
    for (int i = 0; i < kIdleRuns; ++i) {
      idle.push_back(run.timed(0).timing);
      launch.push_back(trusted_ns(trial.control ? run.control(0).timing : idle.back()));
    }
    measurement.idle_ns = idle_ns(idle, device_.info().type, trusted_ns);
    // A launch is not part of what an in-kernel clock sees, only of what an event or a timestamp does.
    const bool in_kernel = trial.clocks && device_.info().device_clock && device_.info().device_clock->tick_ns;
    const double overhead = in_kernel ? 2 * kInKernelStepNs : 2 * device_.info().timer_period_ns.value_or(0) + median_of(launch);
    const Calibration::Limits limits{
        .target_ns = std::clamp(overhead / protocol.overhead_share, protocol.shortest_sample_ns, protocol.longest_target_ns),
        .ceiling_ns = kCeilingNs,
        .idle_ns = *measurement.idle_ns,
        .max_loops = trial.timed.max_loops};
    std::uint64_t loops = calibrated_loops(run, trial, limits);
    if (!settled_) {
      settle(run, loops, protocol.settle_ns);
      settled_ = true;
      loops = calibrated_loops(run, trial, limits);
    }

    std::vector<double> per_op;
    double spent_ns = 0;
    const auto used_up = [&] {
      return per_op.size() >= protocol.stopping.min_samples && spent_ns >= protocol.longest_sampling_ns;
    };
    const auto enough = [&] {
      return trial.samples ? per_op.size() >= *trial.samples : protocol.stopping.enough(per_op) || used_up();
    };
    while (!enough()) {
      measurement.samples.push_back(run.timed(loops));
      const Sample& sample = measurement.samples.back();
      if (trial.series) measurement.series[trial.series->name].push_back(run.series(*trial.series));
      spent_ns += trusted_ns(sample.timing);
      const double ns = sample.clock.realtime_ns.value_or(trusted_ns(sample.timing) - *measurement.idle_ns);
      per_op.push_back(ns / static_cast<double>(sample.ops));
    }
    if (device_.info().type == DeviceType::cpu) {  // what disturbed the idle runs may have gone since
      for (int i = 0; i < kIdleRuns; ++i) idle.push_back(run.timed(0).timing);
      measurement.idle_ns = idle_ns(idle, device_.info().type, trusted_ns);
    }
    if (trial.control) {
      const std::uint64_t control_loops = std::min(std::max(loops, kShortestControlLoops), trial.control->max_loops);
      for (std::uint64_t i = 0; i < protocol.control_samples; ++i)
        measurement.control_samples.push_back(run.control(control_loops));
    }
    // By the timer that all samples can be told by: a short dispatch may look right where a long one shows the timer to be wrong.
    if (!std::all_of(measurement.samples.begin(), measurement.samples.end(),
                     [](const Sample& s) { return device_timer_sane(s.timing); })) {
      measurement.idle_ns = idle_ns(idle, device_.info().type, [](const Timing& timing) { return timing.host_ns; });
    }
    measurement.verified_samples = measurement.samples.size();
    measurement.observed = trial.observed;
    if (trial.ops_per_lap > 0) {
      measurement.share_walked = static_cast<double>(measurement.samples.size() * loops * trial.timed.ops_per_loop) /
                                 static_cast<double>(trial.ops_per_lap);
    }
    derive_statistics(measurement, device_.info());
    outcome = {};
    measured.result.measurement = std::move(measurement);
  } catch (const Interruption&) {
    measured.interrupted = true;
  } catch (const BadOutcome& bad) {
    outcome = bad.outcome;
    if (bad.outcome.status == Status::invalid && !measurement.samples.empty()) {
      measurement.verified_samples = measurement.samples.size();
      measured.result.measurement = std::move(measurement);
    }
  } catch (const DeviceError& error) {
    measured.device_lost = error.kind == DeviceError::Kind::lost;
    const char* kind = error.kind == DeviceError::Kind::build           ? "the kernel did not build: "
                       : error.kind == DeviceError::Kind::out_of_memory ? "out of memory: "
                       : error.kind == DeviceError::Kind::lost          ? "device lost: "
                                                                        : "";
    outcome = {Status::failed, fmt::format("{}{}", kind, error.what())};
  } catch (const std::bad_alloc&) {
    outcome = {Status::failed, "out of memory: on the host"};
  } catch (const std::invalid_argument& broken_rule) {
    outcome = {Status::failed, broken_rule.what()};  // of the Device interface: a range or count the device does not have
  }
  return measured;
}

}  // namespace percycle
