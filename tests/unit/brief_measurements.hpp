#pragma once

#include <cstdint>
#include <string>

#include "core/configuration.hpp"
#include "experiments/experiment.hpp"
#include "measure/protocol.hpp"

namespace percycle::examples {

/// A point of l1-bandwidth: two groups of 64 per unit, 8 loads of 16 B per turn.
inline Point l1_point(const char* role) {
  return {"l1-bandwidth",
          {{"path", std::string("global")},
           {"variant", std::string("plain")},
           {"width", std::int64_t{16}},
           {"footprint", std::int64_t{4096}},
           {"unroll", std::int64_t{8}},
           {"loads", std::int64_t{32}},
           {"group_size", std::int64_t{64}},
           {"groups_per_unit", std::int64_t{2}},
           {kRole, std::string(role)}}};
}

/// Three samples of 65536 ns, on a device whose clock needs no time to settle.
inline Protocol brief_protocol() {
  Protocol protocol;
  protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
  protocol.shortest_sample_ns = 65536;
  protocol.longest_target_ns = 65536;
  protocol.settle_ns = 0;
  return protocol;
}

}  // namespace percycle::examples
