#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The measured clock in each experiment of a run, its drop below the run's highest (cards clock
/// down under full load), and the highest power and temperature from telemetry. Empty if no clock
/// was measured.
std::string clock_table(const std::map<std::string, std::vector<const PointResult*>>& experiments);

}  // namespace percycle
