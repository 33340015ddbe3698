#pragma once

#include <optional>
#include <string>

#include "core/measurement.hpp"

namespace percycle {

/// The relative difference of telemetry's clock during the samples from the kernel's: -0.38 is 38 %
/// less. Empty if one of them is missing or they agree within 2 %.
std::optional<double> telemetry_error(const Measurement& measurement);

/// A line with both clocks if telemetry_error() has a value, else empty.
std::string clock_note(const Measurement& measurement);

}  // namespace percycle
