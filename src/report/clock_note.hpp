#pragma once

#include <optional>
#include <string>

#include "core/measurement.hpp"

namespace percycle {

/// How far the clock that telemetry read beside the samples is from the one that the kernel counted, relative to the latter: -0.38 is 38 % less.
/// Absent where there are not both, or where they agree within 2 %.
std::optional<double> telemetry_error(const Measurement& measurement);

/// A line that names both clocks where telemetry_error() says that they differ; empty elsewhere.
std::string clock_note(const Measurement& measurement);

}  // namespace percycle
