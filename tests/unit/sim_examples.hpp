#pragma once

#include "core/units.hpp"
#include "sim/model.hpp"

namespace percycle::sim::examples {

inline Hop hop(std::size_t cache, double latency_cycles) {
  Hop hop;
  hop.cache = cache;
  hop.latency_cycles = latency_cycles;
  return hop;
}

/// A device with simple figures: 4 units, each with a first level of 4 KiB (8 sets of 4 ways, lines
/// of 128 B in sectors of 32 B), a shared second level of 64 KiB (32 sets of 16 ways); 1 GHz, so
/// that cycles are nanoseconds.
inline Model small() {
  Model model;
  model.name = "small";
  model.vendor = "NVIDIA";
  model.units = 4;
  model.memory_bytes = 16 * kGiB;
  model.caches = {{.name = "L1", .size_bytes = 4 * kKiB, .line_bytes = 128, .sector_bytes = 32, .ways = 4, .scope = Scope::unit},
                  {.name = "L2", .size_bytes = 64 * kKiB, .line_bytes = 128, .sector_bytes = 32, .ways = 16}};
  model.paths = {{.path = MemoryPath::global, .hops = {hop(0, 30), hop(1, 200)}, .memory_latency_cycles = 600}};
  model.local = {.bytes = 48 * kKiB, .latency_cycles = 20};
  model.timer = {.resolution_ns = 1, .launch_ns = 4000, .host_overhead_ns = 10000};
  return model;
}

}  // namespace percycle::sim::examples
