#pragma once

#include "measure/protocol.hpp"

namespace percycle {

/// Two short samples and one of the control: the whole protocol, as quickly as drivers allow.
inline Protocol two_samples() {
  Protocol protocol;
  protocol.stopping = {.min_samples = 2, .max_samples = 2, .relative_error = 1};
  protocol.shortest_sample_ns = 10000;
  protocol.longest_target_ns = 100000;
  protocol.control_samples = 1;
  protocol.settle_ns = 0;
  return protocol;
}

}  // namespace percycle
