#include "expected/intensity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "sim/emulations/emulations.hpp"
#include "sim/emulations/known_sums.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kData = 0;
constexpr std::size_t kFmaOut = 1;
constexpr std::size_t kFmaStamps = 2;

void fill_tiles(const Execution& run, const IntensityShape& shape) {
  std::vector<float> values(std::size_t{run.groups} * shape.tile_words());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(intensity_element(shape, run.parameter("salt"), i));
  std::memcpy(run.bindings[kData]->bytes().data(), values.data(), values.size() * sizeof(float));
}

/// Uses the numbers in the buffer.
void intensity(const Execution& run, MemoryModel& memory) {
  const IntensityShape shape{.tile_lanes = run.number("TILE_LANES"), .unroll = run.number("UNROLL"), .fmas = run.number("FMAS")};
  if (run.is("ROLE", "ROLE_FILL")) {
    fill_tiles(run, shape);
    return;
  }
  const std::uint32_t loops = run.parameter("loops");
  if (loops == 0) return;
  const bool dram = run.is("LEVEL", "LEVEL_DRAM");
  const std::uint32_t chunks = run.parameter("chunks");
  const std::uint64_t turns = dram ? 1 : loops;
  const std::uint32_t size = run.kernel.local_size;
  const auto data = run.bindings[kData]->contents();
  const auto out = run.bindings[kFmaOut]->bytes();
  const auto element_of = [&](std::uint32_t chunk) {
    return [&shape, data, chunk](std::uint32_t index) {
      float value = 0;
      std::memcpy(&value, data.data() + (std::uint64_t{chunk} * shape.tile_words() + index) * sizeof value, sizeof value);
      return static_cast<std::uint32_t>(value);
    };
  };
  if (dram) {
    const std::uint32_t tiles = std::min(chunks, run.groups);
    const std::string question = fmt::format("intensity {} {} {} {}", tiles, shape.tile_lanes, shape.unroll, shape.fmas);
    const std::vector<std::uint32_t> of_tile = known_sums(*run.bindings[kData], question, [&] {
      std::vector<std::uint32_t> sums;
      for (std::uint32_t tile = 0; tile < tiles; ++tile) sums.push_back(intensity_tile_sum(shape, element_of(tile)));
      return sums;
    });
    for (std::uint32_t chunk = 0; chunk < of_tile.size(); ++chunk) {
      std::uint32_t sum = 0;
      std::memcpy(&sum, out.data() + chunk * sizeof sum, sizeof sum);
      sum += (run.groups - chunk + chunks - 1) / chunks * of_tile[chunk];
      std::memcpy(out.data() + chunk * sizeof sum, &sum, sizeof sum);
    }
  }
  for (std::uint32_t group = 0; !dram && group < run.groups; ++group) {
    std::vector<std::uint32_t> ends(shape.tile_lanes);
    for (std::uint32_t lane = 0; lane < shape.tile_lanes; ++lane)
      ends[lane] = intensity_end(intensity_sums(shape, element_of(group % chunks), lane), turns);
    for (std::uint32_t lane = 0; lane < size; ++lane)
      std::memcpy(out.data() + (std::size_t{group} * size + lane) * sizeof(std::uint32_t), &ends[lane % shape.tile_lanes],
                  sizeof(std::uint32_t));
  }
  const auto streams = [&] {
    std::vector<Stream> all;
    for (std::uint32_t group = 0; group < run.groups; ++group) {
      all.push_back({.group = group,
                     .path = MemoryPath::global,
                     .kind = AccessKind::read,
                     .binding = kData,
                     .base = std::uint64_t{group % chunks} * shape.tile_words() * sizeof(float),
                     .bytes = shape.tile_words() * sizeof(float),
                     .accesses = turns * shape.unroll,
                     .lanes = size,
                     .width = kVectorBytes,
                     .lane_stride = kVectorBytes,
                     .coherent = run.is("LEVEL", "LEVEL_L2"),
                     .fmas = turns * shape.fmas_of_lane()});
    }
    return all;
  };
  const std::string key = fmt::format("intensity {} {} {} {} {} {} {} {}", run.definition("LEVEL"), chunks, run.groups, turns,
                                      size, shape.tile_lanes, shape.unroll, shape.fmas);
  const auto stamps = memory.stream_again(key, streams);
  for (std::uint32_t group = 0; !dram && group < run.groups; ++group) {
    std::memcpy(run.bindings[kFmaStamps]->bytes().data() + group * sizeof(GroupStamp), &stamps[group % stamps.size()],
                sizeof(GroupStamp));
  }
}

const RegisterEmulation registered_intensity("intensity", intensity);

}  // namespace
}  // namespace percycle::sim
