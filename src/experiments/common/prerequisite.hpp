#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// The open points of experiment `latency` on `path`, which an experiment needs before it plans its
/// own. They are the points of `latency` with its defaults and the same preset. Empty if all are in
/// `done`.
std::vector<Point> latency_prerequisite(const DeviceInfo& device, const Options& options, std::span<const PointResult> done,
                                        const std::string& path);

/// The same for another experiment, with these parameters.
std::vector<Point> open_points(const DeviceInfo& device, const Options& options, std::span<const PointResult> done,
                               const std::string& experiment, const std::map<std::string, std::string>& set);

/// The points of `planned` that are not in `done`.
std::vector<Point> still_open(const std::vector<Point>& planned, std::span<const PointResult> done);

}  // namespace percycle
