#include "device/telemetry/sampler.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "device/telemetry/plausible.hpp"

namespace percycle::telemetry {

/// All that the thread uses. Its calls follow each other, and other code looks at the results only
/// after a call has ended.
struct Sampler::State {
  explicit State(std::unique_ptr<Reader> opened) : reader(std::move(opened)) {}

  void read() {
    TelemetryReading reading = plausible.accept(reader->read());
    if (counts_energy) reading.energy_j = reader->energy_j();
    if (reading.is_empty()) return;
    const std::chrono::duration<double, std::nano> now = std::chrono::steady_clock::now().time_since_epoch();
    add_if_new(samples, {now.count(), reading});
    refreshed = !fresh(samples).empty();
  }

  std::unique_ptr<Reader> reader;
  std::vector<TelemetrySample> samples;
  PlausibleReadings plausible;
  Conditions conditions;
  bool counts_energy = false;
  std::size_t before = 0;  // number of samples from before the load
  std::atomic<bool> refreshed = false;
};

Sampler::Sampler(std::unique_ptr<Reader> reader, std::chrono::nanoseconds period, std::chrono::milliseconds patience)
    : state_(std::make_shared<State>(std::move(reader))), period_(period), patience_(patience) {}

bool Sampler::carry_out(std::function<void(State&, const std::stop_token&)> call) {
  if (!end_thread()) return false;
  std::promise<void> ended;
  done_ = ended.get_future();
  stop_ = {};
  thread_ = std::thread([state = state_, token = stop_.get_token(), call = std::move(call), ended = std::move(ended)]() mutable {
    call(*state, token);
    ended.set_value();
  });
  return true;
}

bool Sampler::end_thread() {
  if (hangs_ || !thread_.joinable()) return !hangs_;
  stop_.request_stop();
  hangs_ = done_.wait_for(patience_) != std::future_status::ready;
  if (hangs_) {
    thread_.detach();
  } else {
    thread_.join();
  }
  return !hangs_;
}

void Sampler::start(bool counts_energy) {
  const auto first = [counts_energy](State& state, const std::stop_token&) {
    state.counts_energy = counts_energy;
    state.samples.clear();
    state.read();
    state.before = state.samples.size();
    state.refreshed = false;
  };
  if (!carry_out(first)) return;
  carry_out([period = period_](State& state, const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    for (;;) {
      stopped.wait_for(lock, stop, period, [] { return false; });
      if (stop.stop_requested()) return;
      state.read();
    }
  });
}

std::vector<TelemetrySample> Sampler::stop() {
  if (!thread_.joinable() || !end_thread()) return {};
  if (state_->samples.size() == state_->before) {
    carry_out([](State& state, const std::stop_token&) { state.read(); });
    if (!end_thread()) return {};
  }
  count_from_first(state_->samples);
  return std::exchange(state_->samples, {});
}

bool Sampler::refreshed() const { return hangs_ || state_->refreshed; }

Conditions Sampler::conditions() {
  carry_out([](State& state, const std::stop_token&) { state.conditions = state.reader->conditions(); });
  if (!end_thread()) return {{}, {"telemetry hung, so percycle goes on without it"}};
  Conditions found = std::exchange(state_->conditions, {});
  if (std::string warning = state_->plausible.take_warning(); !warning.empty()) found.warnings.push_back(std::move(warning));
  return found;
}

}  // namespace percycle::telemetry
