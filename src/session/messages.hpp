#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"
#include "json/convert.hpp"

namespace percycle {

// What a measuring worker is asked, one line of JSON each; to_json() and from_json() are there for them.

/// The device to open.
struct OpenRequest {
  Api api = Api::opencl;
  std::uint32_t open_index = 0;
  std::string model;                      ///< of a simulated device
  bool reads_code = false;                ///< machine code of timed kernels, see session/code_reader.hpp
  std::optional<std::string> capability;  ///< of the card, for that
};

/// A point to measure.
struct MeasureRequest {
  Point point;
  std::string preset;
  std::uint64_t seed = 0;
};

/// Points whose machine code is to be read before any of them is measured.
struct ReadAheadRequest {
  std::vector<Point> points;
  std::uint64_t seed = 0;
};

/// The result of a point with a number that cannot be, such as a load that took no time at all: a fault of a timer.
PointResult not_a_measurement(const Point& point, std::string_view why);

/// How measuring it ended.
struct MeasureAnswer {
  PointResult result;
  bool device_lost = false;
  double code_seconds = 0;  ///< for reading the machine code
};

}  // namespace percycle
