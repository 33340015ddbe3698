#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "device/telemetry/plausible.hpp"
#include "device/telemetry/reader.hpp"
#include "device/telemetry_recorder.hpp"

namespace percycle::telemetry {

/// Polls a reader in its own thread, so that the measuring thread never waits.
class Sampler final : public TelemetryRecorder {
 public:
  /// Rare enough that the queries cost the host little compared with dispatches of 1 ms and more.
  static constexpr std::chrono::milliseconds kPeriod{3};

  explicit Sampler(std::unique_ptr<Reader> reader, std::chrono::nanoseconds period = kPeriod)
      : reader_(std::move(reader)), period_(period) {}

  /// Takes the first reading now, before the load; the next follows one period later.
  void start(bool counts_energy) override;
  /// If there was no time for a second reading, takes it now: the clock has not fallen yet.
  std::vector<TelemetrySample> stop() override;
  bool refreshed() const override { return refreshed_; }
  Conditions conditions() override;

 private:
  void read();

  std::unique_ptr<Reader> reader_;
  std::chrono::nanoseconds period_;
  std::vector<TelemetrySample> samples_;  // owned by the thread while it runs
  PlausibleReadings plausible_;           // likewise
  bool counts_energy_ = false;
  std::size_t before_ = 0;  // number of samples from before the load
  std::atomic<bool> refreshed_ = false;
  std::jthread thread_;  // ends before the members it uses
};

}  // namespace percycle::telemetry
