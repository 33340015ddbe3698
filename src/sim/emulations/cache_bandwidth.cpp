#include <cstring>
#include <vector>

#include "expected/cache_bandwidth.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

/// Uses the words in the buffer.
void cache_bandwidth(const Execution& run, MemoryModel& memory) {
  const LapShape shape{.lanes = run.number("LANES"),
                       .unroll = run.number("UNROLL"),
                       .tile_lanes = run.parameter("tile_lanes"),
                       .tiles = run.parameter("tiles")};
  const std::uint64_t group_bytes = std::uint64_t{run.parameter("group_stride")} * kVectorBytes;
  std::vector<Stream> streams;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    streams.push_back({.group = group,
                       .path = MemoryPath::global,
                       .kind = AccessKind::read,
                       .binding = 0,
                       .base = group * group_bytes,
                       .bytes = shape.tiles * shape.tile_words() * sizeof(std::uint32_t),
                       .accesses = run.parameter("laps") * shape.tiles * shape.unroll,
                       .lanes = run.kernel.local_size,
                       .width = kVectorBytes,
                       .lane_stride = kVectorBytes,
                       .coherent = run.is("ACCESS", "ACCESS_COHERENT"),
                       .dependent = false});
  }
  put_values(*run.bindings[2], memory.stream(streams));

  const auto data = run.bindings[0]->contents();
  const auto copy = [data](std::uint64_t first, std::span<std::uint32_t> words) {
    std::memcpy(words.data(), data.data() + first * sizeof(std::uint32_t), words.size_bytes());
  };
  std::vector<std::uint32_t> of_group;
  std::vector<std::uint32_t> values;
  values.reserve(std::size_t{run.groups} * run.kernel.local_size);
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    if (group == 0 || group_bytes > 0) {  // else all groups walk the same
      of_group = LapSums(shape, copy, group * group_bytes / sizeof(std::uint32_t)).values(run.parameter("laps"));
    }
    for (std::uint32_t lane = 0; lane < run.kernel.local_size; ++lane) values.push_back(of_group[lane % shape.tile_lanes]);
  }
  put_values(*run.bindings[1], values);
}

const RegisterEmulation registered_cache_bandwidth("cache_bandwidth", cache_bandwidth);

}  // namespace
}  // namespace percycle::sim
