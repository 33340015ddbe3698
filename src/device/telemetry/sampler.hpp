#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "device/telemetry/reader.hpp"
#include "device/telemetry_recorder.hpp"

namespace percycle::telemetry {

/// Asks a reader over and over, in a thread of its own: so the one that measures waits for nothing.
class Sampler final : public TelemetryRecorder {
 public:
  /// Rare enough that the driver's answers cost the host nothing beside dispatches of a millisecond and more.
  static constexpr std::chrono::milliseconds kPeriod{3};

  explicit Sampler(std::unique_ptr<Reader> reader, std::chrono::nanoseconds period = kPeriod)
      : reader_(std::move(reader)), period_(period) {}

  /// The first reading is taken now, from before the load; the next one period later.
  void start() override;
  /// Where there was no time for a second reading, it is taken now: the clock has not fallen yet.
  std::vector<TelemetrySample> stop() override;
  bool refreshed() const override { return refreshed_; }
  Conditions conditions() override { return reader_->conditions(); }

 private:
  void read();

  std::unique_ptr<Reader> reader_;
  std::chrono::nanoseconds period_;
  std::vector<TelemetrySample> samples_;  // of the thread as long as it runs
  std::size_t before_ = 0;                // how many of them are from before the load
  std::atomic<bool> refreshed_ = false;
  std::jthread thread_;  // ends before what it uses
};

}  // namespace percycle::telemetry
