#pragma once

#include <span>
#include <vector>

#include "core/measurement.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// Number of configurations of a search that get the full protocol: 1 (quick), 3, 5 (full).
std::size_t best_count(Preset preset);

/// The quantity that ranks configurations.
enum class Merit {
  unit,    ///< bytes per cycle of a unit
  device,  ///< bytes per cycle of the whole device, limited by its slowest unit
};

/// The configurations that an experiment supports on this device; only the first if it supports
/// none. Pure.
std::vector<Point> supported_configurations(const Experiment& experiment, const DeviceInfo& device, std::vector<Point> points);

/// Points for one question (core/configuration.hpp): all configurations with role=search and, after
/// those, the `most` best with role=best. Ties go to the first. A single configuration needs no
/// search. Pure; `done` comes from Experiment::plan.
std::vector<Point> best_configurations(const std::vector<Point>& configurations, std::span<const PointResult> done,
                                       std::size_t most, Merit merit = Merit::unit);

/// Gives the trial of a search point a single sample of 0.5 ms. It separates configurations that
/// differ by 1 %, and a hundred points take less than a second.
void apply_role(Trial& trial, const Point& point);

}  // namespace percycle
