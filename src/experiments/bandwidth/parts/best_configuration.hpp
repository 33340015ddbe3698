#pragma once

#include <span>
#include <vector>

#include "core/measurement.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// The quantity that ranks configurations.
enum class Merit {
  unit,    ///< bytes per cycle of a unit
  device,  ///< bytes per cycle of the whole device, limited by its slowest unit
};

/// Points for one question (core/configuration.hpp): all configurations with role=search and, after
/// those, the `most` best with role=best. Ties go to the first. A single configuration needs no
/// search. Pure; `done` comes from Experiment::plan.
std::vector<Point> best_configurations(const std::vector<Point>& configurations, std::span<const PointResult> done,
                                       std::size_t most, Merit merit = Merit::unit);

/// A search for the configuration of a question that reaches the highest rate.
struct Search {
  std::vector<Axis> axes;  ///< the parameters of a configuration
  std::size_t best = 1;    ///< configurations that get the full protocol
  Merit merit = Merit::unit;
};

/// Configurations of a usual search that get the full protocol.
inline std::size_t best_count(Preset preset) { return by_preset<std::size_t>(preset, 1, 3, 5); }

/// The configurations that the device supports; only the first if it supports none. Pure.
std::vector<Point> configurations(const Experiment& experiment, const DeviceInfo& device, const Point& question,
                                  const std::vector<Axis>& axes);

/// best_configurations() of these configurations. Pure.
std::vector<Point> searched(const Experiment& experiment, const DeviceInfo& device, const Point& question, const Search& search,
                            std::span<const PointResult> done);

/// Gives the trial of a search point a single sample of 0.5 ms. It separates configurations that
/// differ by 1 %, and a hundred points take less than a second.
void apply_role(Trial& trial, const Point& point);

}  // namespace percycle
