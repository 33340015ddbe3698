#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

/// The parameter that points with some busy units have: `test=units`.
inline constexpr const char* kBusyUnitsTest = "test";
inline constexpr const char* kPeak = "peak";
inline constexpr const char* kBusyUnits = "units";
/// Work-groups of the dispatch, one per busy unit.
inline constexpr const char* kBusyGroups = "groups";

/// All units, some of them, or both.
inline const WordsParameter kBusyUnitsTests{
    kBusyUnitsTest,
    {kPeak, kBusyUnits},
    ParameterSpec::kAutomatic,
    "peak: all units, in the best configuration; units: one work-group on each of 1, 2, 4 ... and all units, with the widest "
    "load, for 0.25 s; auto: both (quick: peak)"};

bool measures_peak(const Options& options);
/// `auto` measures both, except at `quick`.
bool measures_busy_units(const Options& options);

/// The question with one large work-group on 1, 2, 4 ... and all units; at `full` with four numbers
/// per octave. If the experiment cannot measure it, only one point, or none beside the peak, which
/// reports the reason. Pure.
std::vector<Point> busy_units_points(const Experiment& experiment, const DeviceInfo& device, const Options& options,
                                     const Point& question);

/// The work-groups of a point that measures some of the units; empty for other points.
std::optional<std::uint32_t> busy_groups(const Point& point);

/// Gives a point that measures some of the units long samples: a limit of power needs time to lower
/// the clock.
void lengthen_samples(Trial& trial, const Point& point);

/// Charts over the number of busy units, behind those of bars.
CurveChart busy_units_bandwidth_chart(const std::string& experiment, const std::string& memory);
CurveChart busy_units_clock_chart(const std::string& experiment, const std::string& memory);

}  // namespace percycle
