#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle::examples {

/// A finished point with this many cycles (half as many nanoseconds) per load, in five equal
/// samples.
inline PointResult measured(const std::string& experiment, Parameters parameters, double cycles) {
  Measurement measurement;
  measurement.samples.resize(5);
  measurement.statistics["cycles_per_op"] = {cycles, 0, cycles, cycles, 5};
  measurement.statistics["ns_per_op"] = {cycles / 2, 0, cycles / 2, cycles / 2, 5};
  return {{experiment, std::move(parameters)}, {}, std::move(measurement)};
}

inline std::int64_t whole(double value) { return static_cast<std::int64_t>(value); }

/// A latency sweep of a path, 8 sizes per doubling from 1 KiB to 64 MiB: `latencies[i]` up to
/// `sizes[i]`, the last beyond.
inline std::vector<PointResult> sweep(const std::string& path, const std::vector<double>& sizes,
                                      const std::vector<double>& latencies) {
  std::vector<PointResult> points;
  for (int step = 0; step <= 16 * 8; ++step) {
    const double bytes = std::floor(1024 * std::exp2(step / 8.0) / 128) * 128;
    std::size_t level = 0;
    while (level < sizes.size() && bytes > sizes[level]) ++level;
    points.push_back(measured(
        "latency",
        {{"path", path}, {"form", "pointer"}, {"lanes", "1"}, {"order", "random"}, {"stride", 128}, {"footprint", whole(bytes)}},
        latencies[level]));
  }
  return points;
}

/// A place of the geometry sweep, which visits neighbours of 128 bytes together, in cycles.
inline PointResult visited_together(std::int64_t bytes, double cycles) {
  return measured("geometry",
                  {{"path", "global"},
                   {"form", "pointer"},
                   {"test", "sweep"},
                   {"nodes", bytes / 128},
                   {"stride", 128},
                   {"group", 512},
                   {"footprint", bytes}},
                  cycles);
}

}  // namespace percycle::examples
