#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/telemetry.hpp"

namespace percycle {

/// Notes what a device tells of its clock, power and temperature while it is measured. Beside the measurement: neither call may fail or take
/// long, and what cannot be read is left out.
class TelemetryRecorder {
 public:
  virtual ~TelemetryRecorder() = default;

  /// Begins anew, with a reading from before the samples where one is at hand; what was noted before is dropped.
  virtual void start() = 0;
  /// Ends and gives all readings since start(), in order, none of them empty. Without start() there are none.
  virtual std::vector<TelemetrySample> stop() = 0;
  /// Whether a reading since start() tells of the time since then, see fresh(). Asked before stop().
  virtual bool refreshed() const { return true; }
  /// What else of the device's state bears on what was measured since start(). Asked after stop().
  virtual Conditions conditions() { return {}; }

 protected:
  TelemetryRecorder() = default;
  TelemetryRecorder(const TelemetryRecorder&) = default;
  TelemetryRecorder& operator=(const TelemetryRecorder&) = default;
};

/// A device's telemetry.
struct Telemetry {
  std::unique_ptr<TelemetryRecorder> recorder;  ///< null where there is none
  std::string source;                           ///< what tells it ("NVML"), or why nothing does ("none: ...")
};

}  // namespace percycle
