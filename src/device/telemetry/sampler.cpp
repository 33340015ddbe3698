#include "device/telemetry/sampler.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

namespace percycle::telemetry {

void Sampler::start(bool counts_energy) {
  thread_ = {};  // ends an earlier thread
  counts_energy_ = counts_energy;
  samples_.clear();
  read();
  before_ = samples_.size();
  refreshed_ = false;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    for (;;) {
      stopped.wait_for(lock, stop, period_, [] { return false; });
      if (stop.stop_requested()) return;
      read();
    }
  });
}

std::vector<TelemetrySample> Sampler::stop() {
  if (!thread_.joinable()) return {};
  thread_ = {};
  if (samples_.size() == before_) read();
  count_from_first(samples_);
  return std::exchange(samples_, {});
}

Conditions Sampler::conditions() {
  Conditions found = reader_->conditions();
  if (std::string warning = plausible_.take_warning(); !warning.empty()) found.warnings.push_back(std::move(warning));
  return found;
}

void Sampler::read() {
  TelemetryReading reading = plausible_.accept(reader_->read());
  if (counts_energy_) reading.energy_j = reader_->energy_j();
  if (reading.is_empty()) return;
  const std::chrono::duration<double, std::nano> now = std::chrono::steady_clock::now().time_since_epoch();
  add_if_new(samples_, {now.count(), reading});
  refreshed_ = !fresh(samples_).empty();
}

}  // namespace percycle::telemetry
