#include "measure/point_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/configuration.hpp"
#include "core/figures.hpp"
#include "core/timed_sample.hpp"
#include "measure/statistics.hpp"
#include "measure/time_source.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Or as many as there are samples.
constexpr std::uint64_t kMostIdleRuns = 9;
// Repeat idle runs until their error is half the error of the samples: a larger error would show, a
// smaller one costs too much time.
constexpr double kIdleError = 0.5;

// Predicted; leaves room below the 500 ms limit for a dispatch.
constexpr double kCeilingNs = 400e6;

// A control step is far cheaper than a load: this many keep the launch below a percent.
constexpr std::uint64_t kShortestControlLoops = 16384;

constexpr double kMostSustainedSamples = 1000;  // of a record
constexpr int kUncheckedRuns = 3;               // before a sample: the device rests during a check
constexpr std::uint64_t kLongerLoops = 4;       // after a sample as short as an idle dispatch

// The whole round trips, of which a point times one part.
constexpr const char* kTrips = "trip_ns";

// Device-wide clocks advance in coarse steps: NVIDIA's by 32 ns, older ones by 1 us.
constexpr double kInKernelStepNs = 1000;

/// Telemetry during the samples of one point; ends with it, also by an exception.
class Recording {
 public:
  /// Null: records nothing.
  Recording(TelemetryRecorder* recorder, bool counts_energy) : recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->start(counts_energy);
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

double ns_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::nano>(SteadyClock::now() - begin).count();
}

double host_ns(const Timing& timing) { return timing.host_ns; }

std::vector<double> all_ns(const std::vector<Timing>& timings, double (*ns)(const Timing&)) {
  std::vector<double> values;
  for (const auto& timing : timings) values.push_back(ns(timing));
  return values;
}

/// The duration of an idle dispatch: the median. On a CPU it is the minimum, because other programs
/// only add to it and samples would become too short.
double idle_time(const std::vector<Timing>& idle, DeviceType type, double (*ns)(const Timing&)) {
  const auto values = all_ns(idle, ns);
  return type == DeviceType::cpu ? *std::min_element(values.begin(), values.end()) : median(values);
}

/// Whether the kernel read a clock around its work, which leaves idle time out.
bool clocked_within(const Sample& sample) {
  return in_kernel_ns(sample) || sample.clock.ticks || (sample.groups && sample.groups->ticks);
}

}  // namespace

void PointRun::prepare(std::uint64_t seed) {
  if (const auto reason = experiment_.unsupported(info(), point_)) throw BadOutcome{{Status::unsupported, *reason}};
  trial_ = experiment_.prepare(device_.device, point_, seed);
  run_.emplace(device_.device, device_.stop, trial_);
  run_->set_up();
  if (trial_.timed.tries_part_first && info().type != DeviceType::cpu) refuse_long_loop();
}

void PointRun::refuse_long_loop() {
  // Watchdogs end a dispatch after 2 s (Windows) or 10 s (Linux).
  constexpr double kMostNs = 1e9;
  const double ns = run_->loop_ns_by_part();
  if (ns * (trial_.timed.launches ? 2 : 1) > kMostNs)
    throw BadOutcome{
        {Status::unsupported, fmt::format("{} {:.1f} s, and drivers may end a dispatch after 2 s", kLongDispatch, ns * 1e-9)}};
}

void PointRun::idle() {
  rested_ = has_rested();
  std::vector<double> launch;
  int runs = kIdleRuns;
  for (int i = 0; i < runs; ++i) {
    const Sample empty = run_->timed(0);
    if (in_kernel_ns(empty)) runs = std::min(runs, protocol_.clocked_idle_runs);
    idle_.push_back(empty.timing);
    launch.push_back(trusted_ns(trial_.control ? run_->control(0).timing : idle_.back()));
  }
  launch_ns_ = median(launch);
  measurement_.idle_ns = idle_time(idle_, info().type, trusted_ns);
}

void PointRun::calibrate() {
  const auto& device_clock = info().device_clock;
  // An in-kernel clock does not see the launch; an event or a timestamp does. Short groups that
  // follow each other need long samples by any clock: not all units are busy at the ends.
  const auto& stamps = trial_.group_stamps;
  const bool stamped = stamps && !stamps->ends_only && !stamps->posted;
  const bool in_kernel = (trial_.clocks || stamped) && device_clock && device_clock->tick_ns;
  const double overhead = in_kernel ? 2 * kInKernelStepNs : 2 * info().timer_period_ns.value_or(0) + launch_ns_;
  const double wanted =
      std::clamp(overhead / protocol_.overhead_share, protocol_.shortest_sample_ns, protocol_.longest_target_ns);
  target_ns_ = trial_.sample_ns.value_or(wanted);
  find_loops(target_ns_);
}

void PointRun::find_loops(double target_ns) {
  const Calibration::Limits limits{
      .target_ns = target_ns, .ceiling_ns = kCeilingNs, .idle_ns = *measurement_.idle_ns, .max_loops = trial_.timed.max_loops};
  const auto found = calibrated_loops(limits, info().api, [&](std::uint64_t loops) {
    calibrated_ = run_->timed(loops);
    return std::optional(calibrated_.timing);
  });
  loops_ = std::min(found.value(), trial_.timed.max_loops);
}

void PointRun::warm_up() {
  if (trial_.sustained) {
    run_->rest(trial_.sustained->rest_ns);
  } else if (!copies() && (!device_.settled || (rested_ && !trial_.timed.round_trips && !is_at_full_speed()))) {
    // A GPU that has settled and then makes round trips is mostly idle: its clock falls meanwhile.
    load_until_settled();
    device_.settled = true;
    calibrate();
  }
  device_.resting_since.reset();
}

bool PointRun::has_rested() const {
  // NVIDIA's Vulkan driver clocks an H200 down to a third within about ten milliseconds of idle
  // time. Simulated time does not pass on the host, and a CPU's clock does not fall.
  constexpr auto kRest = std::chrono::milliseconds(10);
  return is_real_gpu() && device_.resting_since && SteadyClock::now() - *device_.resting_since > kRest;
}

/// By the counter of the last run of the calibration, else by the dependent-ALU chain.
bool PointRun::is_at_full_speed() {
  if (protocol_.settle_ns <= 0) return true;
  const double fastest = device_.clock.fastest();
  const double rate = fastest > 0 ? DeviceClock::counter_rate(calibrated_) : 0;
  return rate > 0 ? rate >= kFullSpeed * fastest : device_.chain.runs_at_full_speed().value_or(false);
}

/// Loads the device until its clock has settled or the time is up: GPUs start from an idle clock. A
/// counter has settled if it runs as fast as ever before. Without one, agreeing dispatches end the
/// load early, but not on a GPU: an H100 stays at 345 MHz for 370 ms before its clock rises. There
/// the dependent-ALU chain tells, if it ran when the device had settled.
void PointRun::load_until_settled() {
  const double limit_ns = protocol_.settle_ns;
  const double fastest = device_.clock.fastest();
  const std::size_t agreeing = trial_.repeatable ? 2 : 5;
  const bool compiles_chain = limit_ns > 0 && is_real_gpu() && !device_.settled;
  // Before the load, because the device rests while the chain is compiled.
  if (compiles_chain) (void)device_.chain.runs_at_full_speed();
  std::vector<double> recent;
  double host_ns = 0;  // bounds the load if the device timer stands still
  for (double spent = 0; spent < limit_ns && host_ns < TrialRun::kMostHostTime * limit_ns;) {
    const Sample sample = run_->timed(loops_);
    host_ns += sample.timing.host_ns;
    const double rate = fastest > 0 ? DeviceClock::counter_rate(sample) : 0;
    if (rate >= kFullSpeed * fastest && rate > 0) return;
    const double ns = trusted_ns(sample.timing);
    spent += ns;
    recent.push_back(ns);
    if (recent.size() > agreeing) recent.erase(recent.begin());
    const auto [low, high] = std::minmax_element(recent.begin(), recent.end());
    const bool agree = recent.size() == agreeing && *high <= *low * 1.01;
    if (rate == 0 && !is_real_gpu() && agree && spent > limit_ns / 8) return;
    if (run_->can_repeat()) spent += run_->repeat(loops_, limit_ns / 16);
    if (rate > 0 || !is_real_gpu() || !device_.settled) continue;
    const auto begin = SteadyClock::now();
    if (device_.chain.runs_at_full_speed().value_or(false)) return;
    spent += ns_since(begin);
  }
  if (compiles_chain) (void)device_.chain.runs_at_full_speed();  // to compare with
}

void PointRun::sample() {
  const bool has_recorder = device_.telemetry != nullptr && device_.telemetry->recorder != nullptr;
  if (!has_recorder || info().api == Api::sim) {  // else telemetry may give the clock
    Measurement first;
    first.samples = {calibrated_};
    first.idle_ns = measurement_.idle_ns;
    run_chain_for(first);
  }
  Recording recording(uses_telemetry() ? device_.telemetry->recorder.get() : nullptr, trial_.sustained.has_value());
  if (trial_.sustained) {
    take_sustained();
  } else {
    take_long_samples();
    load_until_refreshed();
  }
  measurement_.telemetry = recording.finish();
  run_chain_for(measurement_);
}

bool PointRun::has_wrong_timer() const {
  const bool is_kernel = !copies() && !trial_.timed.round_trips && !trial_.timed.launches && !trial_.timed.queued;
  return device_.check != nullptr &&
         device_.check->finds_wrong(measurement_.samples, idle_,
                                    is_kernel ? TimerCheck::TimedWork::kernel : TimerCheck::TimedWork::other);
}

void PointRun::load_until_refreshed() {
  constexpr double kLongestNs = 200e6;  // NVML refreshes its readings about every 100 ms
  constexpr double kStepNs = 5e6;
  constexpr double kShortestNs = 1e5;  // in case the device timer stands still
  if (!uses_telemetry() || device_.telemetry->recorder == nullptr || copies() || info().api == Api::sim) return;
  if (device_.clock.during(measurement_).counted) return;
  for (double loaded_ns = 0; !device_.telemetry->recorder->refreshed() && loaded_ns < kLongestNs;) {
    const double ns = run_->can_repeat() ? run_->repeat(loops_, kStepNs) : trusted_ns(run_->timed(loops_).timing);
    loaded_ns += std::max(ns, kShortestNs);
  }
}

/// A search's points are many and short, which leaves no time for telemetry.
bool PointRun::uses_telemetry() const { return device_.telemetry != nullptr && !is_search(point_); }

void PointRun::run_chain_for(const Measurement& samples) {
  // A search leaves no time for the chain either, and no core clock explains the speed of a copy.
  if (is_search(point_) || copies() || !device_.chain.available()) return;
  // The clock of a simulated device is known: the chain is checked against it, even if there are
  // better sources.
  if (info().api == Api::sim || device_.clock.needs_chain(samples))
    device_.chain.run(measurement_.alu_chain, measurement_.warnings);
}

void PointRun::take_long_samples() {
  constexpr int kMostCalibrations = 3;
  constexpr double kLonger = 4;
  std::vector<double> per_op = take_samples();
  for (int i = 0; i < kMostCalibrations && is_too_short(measurement_); ++i) {
    idle_.clear();
    idle();  // a disturbance of the idle runs may be over
    find_loops(target_ns_ *= kLonger);
    measurement_.samples.clear();
    measurement_.series.clear();
    per_op = take_samples();
  }
  device_.scatter.add(per_op);
}

std::vector<double> PointRun::take_samples() {
  // If all points scatter, no neighbour compensates a noisy one. On a CPU, which others use, only
  // the fastest samples count.
  const StoppingRule rule =
      info().type == DeviceType::cpu ? protocol_.stopping : protocol_.stopping.where_typical(device_.scatter.relative_mad());
  const double longest_ns =
      protocol_.longest_sampling_ns * static_cast<double>(rule.max_samples) / static_cast<double>(protocol_.stopping.max_samples);
  const auto begin = SteadyClock::now();
  double timed = 0;
  std::vector<double> per_op;
  const auto enough = [&] {
    if (trial_.samples) return per_op.size() >= *trial_.samples;
    // The host's untimed work around copies takes many times as long as the copies.
    const double spent_ns = copies() ? ns_since(begin) : timed;
    return rule.enough(per_op) || (per_op.size() >= rule.min_samples && spent_ns >= longest_ns);
  };
  while (!enough()) {
    const Sample sample = run_->timed(loops_);
    if (guard_.was_asleep(sample)) {
      load_until_settled();
      continue;
    }
    device_.clock.observe(sample);
    measurement_.samples.push_back(sample);
    if (trial_.timed.trip_part) measurement_.series[kTrips].push_back({run_->trips_ns()});
    if (trial_.series) measurement_.series[trial_.series->name].push_back(run_->series(*trial_.series));
    timed += trusted_ns(sample.timing);
    const double ns = in_kernel_ns(sample).value_or(trusted_ns(sample.timing) - *measurement_.idle_ns);
    per_op.push_back(ns / static_cast<double>(sample.ops));
  }
  return per_op;
}

void PointRun::take_sustained() {
  const bool is_simulated = info().api == Api::sim;  // its time does not pass on the host
  const int unchecked = run_->can_repeat() ? kUncheckedRuns : 0;
  const double load_ns = trial_.sustained->load_ns;
  const double least_step_ns = load_ns / kMostSustainedSamples;
  const auto begin = SteadyClock::now();
  std::uint64_t ops = 0;
  double kept_ns = 0;
  for (double end_ns = 0; end_ns < load_ns || measurement_.samples.empty();) {
    double runs_ns = 0;
    for (int i = 0; i < unchecked; ++i) runs_ns += run_->again(loops_).host_ns;
    Sample sample = run_->timed(loops_);
    runs_ns += sample.timing.host_ns;
    end_ns = is_simulated ? end_ns + runs_ns : ns_since(begin);
    ops += static_cast<std::uint64_t>(unchecked + 1) * sample.ops;
    device_.clock.observe(sample);
    if (trusted_ns(sample.timing) <= *measurement_.idle_ns && loops_ < trial_.timed.max_loops) {
      // Other work of the host disturbed the calibration.
      loops_ = std::min(kLongerLoops * loops_, trial_.timed.max_loops);
      continue;
    }
    if (end_ns < load_ns && end_ns - kept_ns < least_step_ns) continue;
    kept_ns = end_ns;
    sample.end_ns = end_ns;
    sample.load_ops = ops;
    measurement_.samples.push_back(sample);
  }
}

void PointRun::idle_again() {
  const auto& samples = measurement_.samples;
  const bool is_cpu = info().type == DeviceType::cpu;
  if (!clocked_within(samples.front()) && !copies() && !is_cpu) {
    std::vector<double> times;
    for (const auto& sample : samples) times.push_back(trusted_ns(sample.timing));
    const double least = kIdleError * median_error(summarise(times));
    const StoppingRule rule{kIdleRuns, std::max(kMostIdleRuns, samples.size()), least / std::max(*measurement_.idle_ns, 1.0)};
    while (!rule.enough(all_ns(idle_, trusted_ns))) idle_.push_back(run_->timed(0).timing);
  }
  if (is_cpu) {  // a disturbance of the idle runs may be over
    for (int i = 0; i < kIdleRuns; ++i) idle_.push_back(run_->timed(0).timing);
  }
  measurement_.idle_ns = idle_time(idle_, info().type, trusted_ns);
}

void PointRun::control() {
  if (!trial_.control) return;
  const std::uint64_t loops = std::min(std::max(loops_, kShortestControlLoops), trial_.control->max_loops);
  for (std::uint64_t i = 0; i < protocol_.control_samples; ++i) measurement_.control_samples.push_back(run_->control(loops));
}

Measurement PointRun::finish() {
  const auto& samples = measurement_.samples;
  // Uses the timer that is valid for all samples: a short dispatch may look right where a long one
  // shows a wrong timer.
  if (!std::all_of(samples.begin(), samples.end(), [](const Sample& s) { return device_timer_sane(s.timing); })) {
    measurement_.idle_ns = idle_time(idle_, info().type, host_ns);
  }
  measurement_.verified_samples = samples.size();
  measurement_.observed = trial_.observed;
  if (const auto error = run_->clock_error_ns()) measurement_.observed["host_clock_error_ns"] = fmt::format("{:.0f}", *error);
  if (guard_.wakes() > 0) measurement_.observed["samples_asleep"] = std::to_string(guard_.wakes());
  if (uses_telemetry()) {
    measurement_.observed["telemetry"] = device_.telemetry->source;
    if (device_.telemetry->recorder) add_conditions(device_.telemetry->recorder->conditions());
  }
  measurement_.work = trial_.work;
  measurement_.participants = trial_.participants;
  if (trial_.control) measurement_.control_share = trial_.control_share;
  if (trial_.ops_per_lap > 0) {
    measurement_.share_walked =
        static_cast<double>(samples.size() * loops_ * trial_.timed.ops_per_loop) / static_cast<double>(trial_.ops_per_lap);
  }
  if (const auto jumps = run_->timer_jumps(); jumps > 0) {
    measurement_.warnings.push_back(fmt::format(
        "the device timer jumped back or stood still in {} run{}, which percycle left out", jumps, jumps == 1 ? "" : "s"));
  }
  measurement_.warnings.insert(measurement_.warnings.end(), device_.warnings.begin(), device_.warnings.end());
  if (device_.check != nullptr) {
    for (const std::string& warning : {device_.check->fault(), device_.check->doubt()}) {
      if (!warning.empty()) measurement_.warnings.push_back(warning);
    }
  }
  derive_statistics(measurement_, device_.clock);
  auto& statistics = measurement_.statistics;
  if (!statistics.contains(figures::kNsPerOp) && !statistics.contains(figures::kCyclesPerOp)) {
    statistics.clear();
    throw BadOutcome{{Status::invalid, "the samples took no longer than an idle dispatch, even after a new calibration"}};
  }
  if (trial_.timed.trip_part) derive_series_sum(measurement_, kTrips);
  if (trial_.series && trial_.series->sum_per_op) derive_series_sum(measurement_, trial_.series->name);
  device_.clock.observe(measurement_);
  add_codegen();
  return std::move(measurement_);
}

void PointRun::add_conditions(Conditions conditions) {
  measurement_.observed.merge(conditions.observed);
  std::ranges::move(conditions.warnings, std::back_inserter(measurement_.warnings));
}

std::optional<Measurement> PointRun::unfinished() {
  if (measurement_.samples.empty()) return std::nullopt;
  measurement_.time_source = choose_time_source(measurement_.samples).name;
  measurement_.verified_samples = measurement_.samples.size();
  add_codegen();
  return std::move(measurement_);
}

void PointRun::add_codegen() {
  if (copies() || !device_.codegen) return;
  const auto& timed = trial_.timed;
  KernelCodegen found =
      device_.codegen({timed.dispatch.kernel, timed.turn, !timed.groups_per_loop, timed.arithmetic, timed.optimized});
  if (found.codegen != Codegen{}) measurement_.codegen = std::move(found.codegen);
  std::ranges::move(found.warnings, std::back_inserter(measurement_.warnings));
}

}  // namespace percycle
