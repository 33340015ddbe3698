#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "device/telemetry/reader.hpp"
#include "device/telemetry_recorder.hpp"

namespace percycle::telemetry {

/// Polls a reader in its own thread, so that the measuring thread never waits for long. A reader
/// that hangs ends the telemetry, not the measurement.
class Sampler final : public TelemetryRecorder {
 public:
  /// Rare enough that the queries cost the host little compared with dispatches of 1 ms and more.
  static constexpr std::chrono::milliseconds kPeriod{3};
  /// A reading takes a few milliseconds; a busy host may delay the thread.
  static constexpr std::chrono::seconds kPatience{5};

  explicit Sampler(std::unique_ptr<Reader> reader, std::chrono::nanoseconds period = kPeriod,
                   std::chrono::milliseconds patience = kPatience);
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler() override { end_thread(); }

  /// Takes the first reading now, before the load; the next follows one period later.
  void start(bool counts_energy) override;
  /// If there was no time for a second reading, takes it now: the clock has not fallen yet.
  std::vector<TelemetrySample> stop() override;
  bool refreshed() const override;
  /// After a hang only a warning.
  Conditions conditions() override;

 private:
  struct State;

  /// Runs `call` in the thread; false if it hangs, and then always.
  bool carry_out(std::function<void(State&, const std::stop_token&)> call);
  /// Waits for the call under way and ends the thread; false if it hangs.
  bool end_thread();

  std::shared_ptr<State> state_;  // shared with a thread that hangs
  std::chrono::nanoseconds period_;
  std::chrono::milliseconds patience_;
  std::stop_source stop_;
  std::thread thread_;
  std::future<void> done_;
  bool hangs_ = false;
};

}  // namespace percycle::telemetry
