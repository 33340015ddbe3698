#pragma once

#include "experiments/experiment.hpp"
#include "measure/stopping_rule.hpp"

namespace percycle {

/// How long and how often a point is sampled.
struct Protocol {
  StoppingRule stopping;
  double shortest_sample_ns = 1e6;  ///< whatever the timer says: clocks and schedulers need something to settle on
  double longest_target_ns = 20e6;  ///< even where launch overhead would ask for more
  double longest_sampling_ns =
      200e6;  ///< of all samples together, of copies with what the host does around them; then those there are must do, as long as
              ///< they are `min_samples`
  double overhead_share = 0.002;  ///< timer resolution plus launch overhead, of a sample
  std::uint64_t control_samples = 3;
  double settle_ns = 400e6;  ///< at most, once per device: until the clock has settled
};

/// The protocol of a preset.
Protocol protocol_for(Preset preset);

}  // namespace percycle
