#include "measure/measurer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <new>
#include <stdexcept>
#include <utility>

#include "core/configuration.hpp"
#include "core/timed_sample.hpp"
#include "measure/calibration.hpp"
#include "measure/counter.hpp"
#include "measure/group_clocks.hpp"
#include "measure/statistics.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr int kIdleRuns = 3;
// The error of what idles, to that of the samples it is taken off: more would show in the result, less not be worth its time.
constexpr double kIdleError = 0.5;

// While the host checks what a dispatch left behind the device has nothing to do, and NVIDIA's Vulkan driver then clocks an H200 down, to a sixth at
// times. A sample that much slower than the fastest so far is taken again after a while of load, as long as that helps: a clock that a load
// itself keeps down stays where it is.
constexpr double kAsleep = 0.8;
constexpr double kHelps = 1.02;
constexpr int kMostWakes = 5;
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
    Sample sample;
    sample.ops = loops * looped.ops_per_loop;
    sample.timing = looped.transfer ? transfers(*looped.transfer, loops) : dispatch(looped, loops);
    if (sample.timing.device_ns && *sample.timing.device_ns <= 0) {  // a timer that jumped back tells nothing
      sample.timing.device_ns.reset();
      ++timer_jumps_;
    }
    if (clocks) sample.clock = read_clocks(*clocks);
    if (&looped == &trial_.timed && trial_.group_stamps) sample.groups = read_stamps(*trial_.group_stamps);
    if (auto outcome = looped.verify(device_, loops); outcome.status != Status::ok) throw BadOutcome{std::move(outcome)};
    return sample;
  }

  Sample timed(std::uint64_t loops) { return sample(trial_.timed, trial_.clocks, loops); }

  /// Runs in which the device's timer said that no time went by, or less than none.
  std::uint64_t timer_jumps() const { return timer_jumps_; }

  bool can_repeat() const { return trial_.repeatable; }
  /// Runs the timed dispatch for that long, the device never waiting for the host to check; how long it took.
  double repeat(std::uint64_t loops, double ns) {
    double spent = 0;
    while (spent < ns) {
      if (stop_) throw Interruption{};
      spent += std::max(trusted_ns(dispatch(trial_.timed, loops)), 1.0);
    }
    return spent;
  }
  std::vector<double> series(const SeriesReading& where) {
    std::vector<std::uint32_t> words(where.count);
    device_.read(*where.buffer, where.offset, std::as_writable_bytes(std::span(words)));
    return {words.begin(), words.end()};
  }
  Sample control(std::uint64_t loops) { return sample(*trial_.control, trial_.control_clocks, loops); }

 private:
  Timing dispatch(LoopedDispatch& looped, std::uint64_t loops) {
    looped.dispatch.parameters[looped.loops_word] = static_cast<std::uint32_t>(loops);
    if (looped.groups_per_loop) {
      looped.dispatch.groups = static_cast<std::uint32_t>(std::max<std::uint64_t>(loops * *looped.groups_per_loop, 1));
    }
    return device_.run(looped.dispatch);
  }

  /// Pageable memory takes part in what the host does, which a device's timer does not see.
  Timing transfers(const Transfer& transfer, std::uint64_t loops) {
    Timing total;
    if (transfer.memory == HostMemory::pinned) total.device_ns = 0;
    for (std::uint64_t i = 0; i < loops; ++i) {
      const Timing each = transfer.to_device ? device_.write(*transfer.buffer, 0, *transfer.host, transfer.memory)
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

  GroupClocks read_stamps(const GroupStamps& where) {
    const auto& info = device_.info();
    GroupClocks none;
    none.groups = where.groups;
    if (!info.unit_clock && !info.device_clock && !info.unit_id) return none;
    std::vector<GroupStamp> stamps(where.groups);
    device_.read(*where.buffer, where.offset, std::as_writable_bytes(std::span(stamps)));
    return reduce(stamps, info);
  }

  Device& device_;
  const std::atomic<bool>& stop_;
  Trial& trial_;
  std::uint64_t timer_jumps_ = 0;
};

/// Telemetry of the samples of one point; ends with it, however that ends.
class Recording {
 public:
  /// Null: nothing is noted.
  explicit Recording(TelemetryRecorder* recorder) : recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->start();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { finish(); }

  std::vector<TelemetrySample> finish() {
    TelemetryRecorder* recorder = std::exchange(recorder_, nullptr);
    return recorder != nullptr ? recorder->stop() : std::vector<TelemetrySample>();
  }

 private:
  TelemetryRecorder* recorder_;
};

/// Nanoseconds.
double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

double median_of(const std::vector<double>& values) { return summarise(values).median; }

std::vector<double> all_ns(const std::vector<Timing>& timings) {
  std::vector<double> values;
  for (const auto& timing : timings) values.push_back(trusted_ns(timing));
  return values;
}

/// What an idle dispatch takes. On a CPU whatever else runs there only adds to it, and what is taken off too much no sample gets back.
double idle_ns(const std::vector<Timing>& idle, DeviceType type, double (*ns)(const Timing&)) {
  std::vector<double> values;
  for (const auto& timing : idle) values.push_back(ns(timing));
  return type == DeviceType::cpu ? *std::min_element(values.begin(), values.end()) : median_of(values);
}

/// Whether clocks that the kernel read leave what idles out.
bool clocked_within(const Sample& sample) { return in_kernel_ns(sample) || sample.clock.ticks || sample.groups; }

/// Ticks per nanosecond of the units' counter; 0 where they do not say.
double counter_rate(const Sample& sample) {
  if (sample.groups) return sample.groups->ticks_per_ns.value_or(0);
  const auto& clock = sample.clock;
  return clock.ticks && clock.realtime_ns && *clock.realtime_ns > 0 ? static_cast<double>(*clock.ticks) / *clock.realtime_ns : 0;
}

/// Loads the device until a few dispatches in a row agree within 1 %, or the time is up: GPUs start from an idle clock. `fastest`: the highest
/// rate of the counter seen so far, 0: not known; a counter that is there again has settled, one that is not has not, whatever agrees.
void settle(TrialRun& run, std::uint64_t loops, double limit_ns, double fastest) {
  constexpr double kFullSpeed = 0.99;
  const bool repeats = run.can_repeat();
  const std::size_t agreeing = repeats ? 2 : 5;
  std::vector<double> recent;
  for (double spent = 0; spent < limit_ns;) {
    const Sample sample = run.timed(loops);
    const double rate = fastest > 0 ? counter_rate(sample) : 0;
    if (rate >= kFullSpeed * fastest && rate > 0) return;
    const double ns = trusted_ns(sample.timing);
    spent += ns;
    recent.push_back(ns);
    if (recent.size() > agreeing) recent.erase(recent.begin());
    const auto [low, high] = std::minmax_element(recent.begin(), recent.end());
    if (rate == 0 && recent.size() == agreeing && spent > limit_ns / 8 && *high <= *low * 1.01) return;
    if (repeats) spent += run.repeat(loops, limit_ns / 16);
  }
}

struct Calibrated {
  std::uint64_t loops = 1;
  Sample last;  ///< of the runs that told
};

Calibrated calibrate(TrialRun& run, const Trial& trial, const Calibration::Limits& limits) {
  Calibration calibration(limits);
  Calibrated result;
  while (!calibration.done()) {
    result.last = run.timed(calibration.loops());
    calibration.feed(trusted_ns(result.last.timing));
  }
  result.loops = std::min(calibration.loops(), trial.timed.max_loops);
  return result;
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
    if (!trial.timed.transfer)
      measured.timed = TimedKernel{trial.timed.dispatch.kernel, trial.timed.turn, !trial.timed.groups_per_loop};
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
    const bool in_kernel =
        (trial.clocks || trial.group_stamps) && device_.info().device_clock && device_.info().device_clock->tick_ns;
    const double overhead = in_kernel ? 2 * kInKernelStepNs : 2 * device_.info().timer_period_ns.value_or(0) + median_of(launch);
    const Calibration::Limits limits{
        .target_ns = trial.sample_ns.value_or(
            std::clamp(overhead / protocol.overhead_share, protocol.shortest_sample_ns, protocol.longest_target_ns)),
        .ceiling_ns = kCeilingNs,
        .idle_ns = *measurement.idle_ns,
        .max_loops = trial.timed.max_loops};
    Calibrated calibrated = calibrate(run, trial, limits);
    if (!trial.timed.transfer && (!settled_ || has_rested())) {
      settle(run, calibrated.loops, protocol.settle_ns, fastest_);
      settled_ = true;
      calibrated = calibrate(run, trial, limits);
    }
    const std::uint64_t loops = calibrated.loops;
    resting_since_.reset();

    std::vector<double> per_op;
    double spent_ns = 0;
    // A search's one short sample leaves no time for it, and there are many.
    const bool with_telemetry = telemetry_ != nullptr && !is_search(point);
    // The same goes for the chain; and no core's clock says how fast a copy is.
    const bool may_chain = !is_search(point) && !trial.timed.transfer;
    if (may_chain && (telemetry_ == nullptr || telemetry_->recorder == nullptr || device_.info().api == Api::sim)) {
      Measurement first;
      first.samples = {calibrated.last};
      first.idle_ns = measurement.idle_ns;
      if (needs_alu_chain(first)) run_alu_chain(measurement);
    }
    Recording recording(with_telemetry ? telemetry_->recorder.get() : nullptr);
    const auto begin = std::chrono::steady_clock::now();
    // Where all points scatter no neighbour makes good what one lacks. Of a CPU, which others use, only the fastest samples count.
    const StoppingRule rule =
        device_.info().type == DeviceType::cpu ? protocol.stopping : protocol.stopping.where_typical(scatter_.relative_mad());
    const double longest_ns =
        protocol.longest_sampling_ns * static_cast<double>(rule.max_samples) / static_cast<double>(protocol.stopping.max_samples);
    const auto used_up = [&] {
      // What the host does around copies, untimed, takes many times as long as they do.
      const double spent = trial.timed.transfer ? since(begin) : spent_ns;
      return per_op.size() >= rule.min_samples && spent >= longest_ns;
    };
    const auto enough = [&] { return trial.samples ? per_op.size() >= *trial.samples : rule.enough(per_op) || used_up(); };
    int wakes = 0;
    double slow = 0;  // rate of the last sample that was taken again
    while (!enough()) {
      measurement.samples.push_back(run.timed(loops));
      const Sample& sample = measurement.samples.back();
      const double rate = counter_rate(sample);
      if (rate > kHelps * slow && rate < kAsleep * fastest_ && wakes < kMostWakes) {
        slow = rate;
        measurement.samples.pop_back();
        settle(run, loops, protocol.settle_ns, fastest_);
        ++wakes;
        continue;
      }
      if (rate > fastest_ && classify_counter(rate, device_.info()) == CounterKind::cycles) fastest_ = rate;
      if (trial.series) measurement.series[trial.series->name].push_back(run.series(*trial.series));
      spent_ns += trusted_ns(sample.timing);
      const double ns = in_kernel_ns(sample).value_or(trusted_ns(sample.timing) - *measurement.idle_ns);
      per_op.push_back(ns / static_cast<double>(sample.ops));
    }
    scatter_.add(per_op);
    measurement.telemetry = recording.finish();
    if (may_chain && needs_alu_chain(measurement)) run_alu_chain(measurement);
    if (!clocked_within(measurement.samples.front()) && !trial.timed.transfer && device_.info().type != DeviceType::cpu) {
      std::vector<double> samples;
      for (const auto& sample : measurement.samples) samples.push_back(trusted_ns(sample.timing));
      const double least = kIdleError * median_error(summarise(samples));
      const StoppingRule idle_rule{kIdleRuns, samples.size(), least / std::max(*measurement.idle_ns, 1.0)};
      while (!idle_rule.enough(all_ns(idle))) idle.push_back(run.timed(0).timing);
      measurement.idle_ns = idle_ns(idle, device_.info().type, trusted_ns);
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
    if (wakes > 0) measurement.observed["samples_asleep"] = std::to_string(wakes);
    if (with_telemetry) measurement.observed["telemetry"] = telemetry_->source;
    measurement.work = trial.work;
    measurement.participants = trial.participants;
    if (trial.ops_per_lap > 0) {
      measurement.share_walked = static_cast<double>(measurement.samples.size() * loops * trial.timed.ops_per_loop) /
                                 static_cast<double>(trial.ops_per_lap);
    }
    if (run.timer_jumps() > 0) {
      measurement.warnings.push_back(fmt::format("the device timer jumped back, or stood still, in {} run{}: not used there",
                                                 run.timer_jumps(), run.timer_jumps() == 1 ? "" : "s"));
    }
    derive_statistics(measurement, device_.info(), counter_rates_);
    if (trial.series && trial.series->sum_per_op) derive_series_sum(measurement, trial.series->name);
    if (const auto rate = counter_rate(measurement)) counter_rates_.push_back(*rate);
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
    const bool unsupported = error.kind == DeviceError::Kind::unsupported;
    outcome = {unsupported ? Status::unsupported : Status::failed, fmt::format("{}{}", kind, error.what())};
  } catch (const std::bad_alloc&) {
    outcome = {Status::failed, "out of memory: on the host"};
  } catch (const std::invalid_argument& broken_rule) {
    outcome = {Status::failed, broken_rule.what()};  // of the Device interface: a range or count the device does not have
  }
  resting_since_ = std::chrono::steady_clock::now();
  return measured;
}

bool Measurer::needs_alu_chain(Measurement measurement) const {
  if (!alu_latency_cycles_) return false;
  if (device_.info().api == Api::sim) return true;
  derive_statistics(measurement, device_.info(), counter_rates_);
  return !measurement.clock_mhz || measurement.clock_mhz->provenance >= Provenance::calibrated_chain;
}

void Measurer::run_alu_chain(Measurement& measurement) {
  try {
    if (!alu_chain_) alu_chain_.emplace(device_);
    if (const auto run = alu_chain_->run()) {
      if (!measurement.alu_chain) measurement.alu_chain = AluChainRuns{.cycles_per_op = *alu_latency_cycles_, .runs = {}};
      measurement.alu_chain->runs.push_back(*run);
      return;
    }
    measurement.warnings.push_back("the dependent-ALU chain ended in a wrong value, or no time went by: it tells no clock");
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
    measurement.warnings.push_back(fmt::format("the dependent-ALU chain did not run: {}", error.what()));
  }
  measurement.alu_chain.reset();
  alu_latency_cycles_.reset();
}

bool Measurer::has_rested() const {
  // NVIDIA's driver clocks an H200 down to a third within some ten milliseconds of a Vulkan program's reckoning what to expect; the time of a
  // simulated device does not pass on the host, and a CPU's clock rests for nobody.
  constexpr auto kRest = std::chrono::milliseconds(20);
  const auto& info = device_.info();
  return info.type == DeviceType::gpu && info.api != Api::sim && resting_since_ &&
         std::chrono::steady_clock::now() - *resting_since_ > kRest;
}

}  // namespace percycle
