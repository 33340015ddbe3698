#pragma once

#include <span>
#include <vector>

#include "core/measurement.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// How many of a search's configurations get the full protocol: 1 (quick), 3, 5 (full).
std::size_t best_count(Preset preset);

/// What makes a configuration the best.
enum class Merit {
  unit,    ///< what a unit delivers by its own cycles
  device,  ///< what the whole device delivers, by its slowest unit
};

/// The points that answer one question in the best of several configurations (core/configuration.hpp): all of them with role=search until each
/// has ended, then also the `most` with the highest rate (of bytes or operations; per unit and cycle, or of the device per second by the clock, where all units counted
/// their cycles, else per second) among those that are ok, with role=best; of equals the first. A single configuration is the best without a search. Pure: for Experiment::plan,
/// whose `done` it takes.
std::vector<Point> best_configurations(const std::vector<Point>& configurations, std::span<const PointResult> done,
                                       std::size_t most, Merit merit = Merit::unit);

/// What the point's role asks of its trial: of a search exactly one sample, of half a millisecond, which tells configurations apart by a
/// percent and keeps a matrix of a hundred points below a second.
void apply_role(Trial& trial, const Point& point);

}  // namespace percycle
