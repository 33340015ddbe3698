#include "analysis/repeated_point.hpp"

#include <optional>

#include "core/figures.hpp"

namespace percycle {
namespace {

std::optional<double> fastest_ns(const PointResult& result) {
  if (result.outcome.status != Status::ok || !result.measurement) return std::nullopt;
  const auto found = result.measurement->statistics.find(figures::kFastestNsPerOp);
  return found == result.measurement->statistics.end() ? std::nullopt : std::optional(found->second.median);
}

}  // namespace

bool later_counts(const PointResult& earlier, const PointResult& later) {
  return later_counts(fastest_ns(earlier), fastest_ns(later));
}

bool later_counts(const std::optional<double>& earlier_fastest_ns, const std::optional<double>& later_fastest_ns) {
  return !earlier_fastest_ns || !later_fastest_ns || *later_fastest_ns <= *earlier_fastest_ns;
}

}  // namespace percycle
