#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/telemetry.hpp"

namespace percycle {

/// Records a device's clock, power and temperature during a measurement. Neither call may fail or
/// take long; values that cannot be read are left out.
class TelemetryRecorder {
 public:
  virtual ~TelemetryRecorder() = default;

  /// Starts again, with a reading from before the samples if there is one. Drops earlier readings.
  /// `counts_energy`: readings have the card's counter of energy, if any. An H100's driver takes 4
  /// ms to read it, and 0.03 ms for all the rest.
  virtual void start(bool counts_energy) = 0;
  /// Stops and returns all readings since start(), in order, none of them empty. Without start()
  /// there are none.
  virtual std::vector<TelemetrySample> stop() = 0;
  /// Whether a reading since start() describes the time since then, see fresh(). Call it before
  /// stop().
  virtual bool refreshed() const { return true; }
  /// Other device states since start() that affect a measurement. Call it after stop().
  virtual Conditions conditions() { return {}; }

 protected:
  TelemetryRecorder() = default;
  TelemetryRecorder(const TelemetryRecorder&) = default;
  TelemetryRecorder& operator=(const TelemetryRecorder&) = default;
};

/// A device's telemetry.
struct Telemetry {
  std::unique_ptr<TelemetryRecorder> recorder;  ///< null if there is none
  std::string source;                           ///< "NVML", or why there is none: "none: ..."
};

}  // namespace percycle
