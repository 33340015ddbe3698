#include "analysis/repeated_point.hpp"

#include <optional>

namespace percycle {
namespace {

std::optional<double> fastest_ns(const PointResult& result) {
  if (result.outcome.status != Status::ok || !result.measurement) return std::nullopt;
  const auto found = result.measurement->statistics.find("fastest_ns_per_op");
  return found == result.measurement->statistics.end() ? std::nullopt : std::optional(found->second.median);
}

}  // namespace

bool later_counts(const PointResult& earlier, const PointResult& later) {
  const auto before = fastest_ns(earlier);
  const auto after = fastest_ns(later);
  return !before || !after || *after <= *before;
}

}  // namespace percycle
