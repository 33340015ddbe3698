#pragma once

#include <atomic>

#include "experiments/experiment.hpp"
#include "measure/measurer.hpp"
#include "sim/sim.hpp"

namespace percycle::examples {

/// The point, measured on a simulated device by three samples.
inline PointResult measured(const Point& point, const sim::Model& model) {
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop{false};
  Measurer measurer(*device, stop);
  Protocol protocol;
  protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
  protocol.shortest_sample_ns = 1e5;
  protocol.longest_target_ns = 1e6;
  protocol.settle_ns = 1e5;
  return measurer.measure(*find_experiment(point.experiment), point, protocol, 7).result;
}

}  // namespace percycle::examples
