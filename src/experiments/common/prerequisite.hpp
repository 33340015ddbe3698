#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// The points of experiment `latency` that an experiment needs of `path` before it can plan its own: what `latency` itself would measure with
/// its defaults under the same preset, all generations; empty when all of it is done. A run that measured them already has them in `done`.
std::vector<Point> latency_prerequisite(const DeviceInfo& device, const Options& options, std::span<const PointResult> done,
                                        const std::string& path);

/// The points of `planned` that are not in `done`.
std::vector<Point> still_open(const std::vector<Point>& planned, std::span<const PointResult> done);

}  // namespace percycle
