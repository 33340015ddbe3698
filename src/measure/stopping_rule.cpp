#include "measure/stopping_rule.hpp"

#include "stats/summary.hpp"

namespace percycle {

bool StoppingRule::enough(std::span<const double> values) const {
  if (values.size() < min_samples) return false;
  if (values.size() >= max_samples) return true;
  const Summary summary = summarise(values);
  return median_error(summary) <= relative_error * summary.median;
}

}  // namespace percycle
