#include "analysis/disturbance.hpp"

#include <cmath>

#include "analysis/thresholds.hpp"

namespace percycle {

bool Disturbance::evicts() const { return share > disturbance_thresholds.evicted; }

double Disturbance::certainty() const {
  const double z = (share - disturbance_thresholds.evicted) / error;
  return z * z / (z * z + disturbance_thresholds.half_certain * disturbance_thresholds.half_certain);
}

Disturbance disturbance(const CurveSample& beside, const CurveSample& alone, double miss_cost) {
  const double error = std::hypot(std::hypot(beside.error, alone.error),
                                  disturbance_thresholds.least_error * std::hypot(beside.value, alone.value));
  return {(beside.value - alone.value) / miss_cost, error / miss_cost};
}

std::optional<double> miss_cost(const CurveReading& reading, std::size_t level) {
  if (level >= reading.levels.size()) return std::nullopt;
  const bool last = level + 1 == reading.levels.size();
  const auto next = last ? reading.memory_latency : std::optional(reading.levels[level + 1].latency);
  if (!next || *next <= reading.levels[level].latency) return std::nullopt;
  return *next - reading.levels[level].latency;
}

std::optional<std::int64_t> find_number(const Point& point, const std::string& name) {
  const auto found = point.parameters.find(name);
  if (found == point.parameters.end()) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(&found->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool has_word(const Point& point, const std::string& name, const std::string& value) {
  const auto found = point.parameters.find(name);
  if (found == point.parameters.end()) return false;
  const auto* text = std::get_if<std::string>(&found->second);
  return text != nullptr && *text == value;
}

}  // namespace percycle
