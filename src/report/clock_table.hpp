#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The clock that ran in each experiment of a run, as far as it was measured, and how far it fell below the run's highest: cards clock down
/// under full load. Beside it the highest power and temperature that telemetry told. Empty where no clock was measured.
std::string clock_table(const std::map<std::string, std::vector<const PointResult*>>& experiments);

}  // namespace percycle
