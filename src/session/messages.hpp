#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"
#include "json/convert.hpp"
#include "session/device_checks.hpp"

namespace percycle {

// Requests to a measuring worker, one line of JSON each; to_json() and from_json() exist for them.

/// The device to open.
struct OpenRequest {
  Api api = Api::opencl;
  std::uint32_t open_index = 0;
  std::uint32_t index = 0;  ///< DeviceInfo::index there
  std::string model;        ///< of a simulated device, else empty
  /// Whether it reads the machine code of timed kernels, see session/code_reader.hpp.
  bool reads_code = false;
  std::optional<std::string> capability;  ///< card's, for the machine code
  /// DeviceInfo::units if its driver's own count was corrected.
  std::optional<Sourced<std::uint32_t>> units;
  /// Why the worker must not look for telemetry; empty: it looks.
  std::string no_telemetry;
  /// Whether kernels check the device first.
  bool checks = false;
  bool tries_memory = false;  ///< whether they find the largest allocation, too
  /// Findings of an earlier check: the subgroup size if the driver states other ones, and warnings
  /// for each point.
  std::optional<std::uint32_t> subgroup_size;
  std::vector<std::string> warnings;
};

/// A point to measure.
struct MeasureRequest {
  Point point;
  std::string preset;
  std::uint64_t seed = 0;
};

/// Points whose machine code must be read before any of them is measured.
struct ReadAheadRequest {
  std::vector<Point> points;
  std::uint64_t seed = 0;
};

/// The result of a point with an impossible number, such as a load that took no time: a fault of a
/// timer.
/// An outcome that is not ok stays, and only the measurement is left out.
PointResult not_a_measurement(PointResult result, std::string_view why);

/// The outcome of a measurement.
struct MeasureAnswer {
  PointResult result;
  bool device_lost = false;
  double code_seconds = 0;  ///< time spent reading the machine code
};

}  // namespace percycle
