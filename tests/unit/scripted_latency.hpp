#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "experiments/experiment.hpp"
#include "stats/summary.hpp"

namespace percycle::scripted {

/// Answers points with invented latencies.
class Latencies {
 public:
  /// `noise`: of each of 100 samples, as a share of the latency.
  Latencies(std::function<double(const Point&)> latency, double noise, std::uint64_t seed)
      : latency_(std::move(latency)), noise_(noise), random_(seed) {}

  PointResult operator()(const Point& point) {
    const double truth = latency_(point);
    std::vector<double> samples;
    for (int i = 0; i < 100; ++i) samples.push_back(truth * (1 + noise_ * normal()));
    Measurement measurement;
    for (const char* name : {"ns_per_op", "cycles_per_op"}) measurement.statistics[name] = summarise(samples);
    return {point, {}, measurement};
  }

 private:
  /// Box and Muller, "A note on the generation of random normal deviates", 1958.
  double normal() {
    const auto uniform = [this] { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; };
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }

  std::function<double(const Point&)> latency_;
  double noise_;
  SplitMix64 random_;
};

/// The latency of a chase over so many bytes: the latency of the first level that holds them.
struct Levels {
  struct Level {
    double bytes;
    double latency;
  };
  std::vector<Level> levels;  ///< ascending
  double memory = 600;

  double latency(double bytes) const {
    for (const auto& level : levels) {
      if (bytes <= level.bytes) return level.latency;
    }
    return memory;
  }
};

/// The latency of a point of experiment `latency`.
inline double sweep_latency(const Point& point, const Levels& levels) {
  return levels.latency(static_cast<double>(integer(point.parameters, "footprint")));
}

/// Answers everything that an experiment plans, generation by generation, except for unsupported
/// points.
inline std::vector<PointResult> carry_out(const Experiment& experiment, const DeviceInfo& device, const Options& options,
                                          const std::function<PointResult(const Point&)>& measure) {
  std::vector<PointResult> done;
  std::set<std::string> known;
  for (int generation = 0; generation < 100; ++generation) {
    std::size_t added = 0;
    for (const auto& point : experiment.plan(device, options, done)) {
      if (!known.insert(to_string(point)).second) continue;
      ++added;
      const auto reason = find_experiment(point.experiment)->unsupported(device, point);
      done.push_back(reason ? PointResult{point, {Status::unsupported, *reason}, std::nullopt} : measure(point));
    }
    if (added == 0) return done;
  }
  throw std::logic_error("the plan has no end");
}

}  // namespace percycle::scripted
