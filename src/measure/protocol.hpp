#pragma once

#include "experiments/experiment.hpp"
#include "measure/stopping_rule.hpp"

namespace percycle {

/// Idle dispatches of a kernel: two of three can be disturbed.
inline constexpr int kIdleRuns = 3;

/// Duration and number of a point's samples.
struct Protocol {
  StoppingRule stopping;
  /// Minimum for any timer, because clocks and schedulers need time to settle.
  double shortest_sample_ns = 1e6;
  double longest_target_ns = 20e6;  ///< even if the launch overhead requires more
  /// Limit for all samples together, for copies with the host's work around them. After it the
  /// samples taken so far count, if there are `min_samples`.
  double longest_sampling_ns = 200e6;
  double overhead_share = 0.002;  ///< timer resolution plus launch overhead, per sample
  std::uint64_t control_samples = 3;
  /// Idle dispatches of a kernel that reads clocks, which leave idle time out.
  int clocked_idle_runs = kIdleRuns;
  double settle_ns = 400e6;  ///< limit of a load in which the clock settles; 0: it needs none
};

/// The protocol of a preset.
Protocol protocol_for(Preset preset);

}  // namespace percycle
