#include "analysis/disturbance.hpp"

#include <cmath>

#include "analysis/thresholds.hpp"

namespace percycle {

bool Disturbance::evicts() const { return share > disturbance_thresholds.evicted; }

bool Disturbance::is_partial() const {
  return !evicts() && share - disturbance_thresholds.half_certain * error > disturbance_thresholds.partial;
}

double Disturbance::certainty() const {
  const double z = (share - disturbance_thresholds.evicted) / error;
  return z * z / (z * z + disturbance_thresholds.half_certain * disturbance_thresholds.half_certain);
}

Disturbance disturbance(const CurveSample& together, const CurveSample& alone, double miss_cost) {
  const double error = std::hypot(std::hypot(together.error, alone.error),
                                  disturbance_thresholds.least_error * std::hypot(together.value, alone.value));
  return {(together.value - alone.value) / miss_cost, error / miss_cost};
}

std::optional<double> miss_cost(const CurveReading& reading, std::size_t level) {
  if (level >= reading.levels.size()) return std::nullopt;
  const bool last = level + 1 == reading.levels.size();
  const auto next = last ? reading.memory_latency : std::optional(reading.levels[level + 1].latency);
  if (!next || *next <= reading.levels[level].latency) return std::nullopt;
  return *next - reading.levels[level].latency;
}

}  // namespace percycle
