#pragma once

#include <algorithm>
#include <string>

#include "core/measurement.hpp"
#include "measure/protocol.hpp"

namespace percycle {

/// Two short samples and one of the control: the whole protocol, as fast as drivers allow.
inline Protocol two_samples() {
  Protocol protocol;
  protocol.stopping = {.min_samples = 2, .max_samples = 2, .relative_error = 1};
  protocol.shortest_sample_ns = 10000;
  protocol.longest_target_ns = 100000;
  protocol.control_samples = 1;
  protocol.settle_ns = 0;
  return protocol;
}

/// Whether a statistic is positive, or the measurement has a reason why not: with other work on a
/// CPU an idle run may take as long as samples of 10 us.
inline bool positive_or_too_short(const Measurement& measurement, const std::string& statistic) {
  const auto found = measurement.statistics.find(statistic);
  if (found != measurement.statistics.end() && found->second.median > 0) return true;
  return std::any_of(measurement.warnings.begin(), measurement.warnings.end(),
                     [](const std::string& warning) { return warning.ends_with("too short to tell"); });
}

}  // namespace percycle
