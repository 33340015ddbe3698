#include "measure/protocol.hpp"

namespace percycle {

Protocol protocol_for(Preset preset) {
  Protocol protocol;
  switch (preset) {
    case Preset::quick:
      protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 0.005};
      protocol.shortest_sample_ns = 0.5e6;
      protocol.longest_target_ns = 5e6;
      protocol.control_samples = 1;
      protocol.clocked_idle_runs = 1;
      break;
    case Preset::standard:
      protocol.stopping = {.min_samples = 5, .max_samples = 200, .relative_error = 0.0025};
      protocol.longest_target_ns = 5e6;
      break;
    case Preset::full:
      protocol.stopping = {.min_samples = 11, .max_samples = 1000, .relative_error = 0.0006};
      protocol.longest_sampling_ns = 1e9;
      protocol.control_samples = 5;
      break;
  }
  return protocol;
}

}  // namespace percycle
