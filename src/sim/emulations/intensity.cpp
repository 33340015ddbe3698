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

/// The numbers of a tile, from the buffer.
TileElement tile(const Execution& run, const IntensityShape& shape, std::uint32_t chunk) {
  const auto data = run.bindings[kData]->contents().subspan(std::uint64_t{chunk} * shape.tile_words() * sizeof(float));
  return [data](std::uint32_t index) {
    float value = 0;
    std::memcpy(&value, data.data() + index * sizeof value, sizeof value);
    return static_cast<std::uint32_t>(value);
  };
}

/// Adds to the sum of each tile as often as work-groups read it.
void add_tile_sums(const Execution& run, const IntensityShape& shape, std::uint32_t chunks) {
  const std::uint32_t tiles = std::min(chunks, run.groups);
  const std::string question = fmt::format("intensity {} {} {} {}", tiles, shape.tile_lanes, shape.unroll, shape.fmas);
  const std::vector<std::uint32_t> of_tile = known_sums(*run.bindings[kData], question, [&] {
    std::vector<std::uint32_t> sums;
    for (std::uint32_t chunk = 0; chunk < tiles; ++chunk) sums.push_back(intensity_tile_sum(shape, tile(run, shape, chunk)));
    return sums;
  });
  const auto out = run.bindings[kFmaOut]->bytes();
  for (std::uint32_t chunk = 0; chunk < of_tile.size(); ++chunk)
    put_word(out, chunk, word_at(out, chunk) + (run.groups - chunk + chunks - 1) / chunks * of_tile[chunk]);
}

/// Writes the end of each lane, whose group reads its tile in every turn.
void put_ends(const Execution& run, const IntensityShape& shape, std::uint32_t chunks, std::uint64_t turns) {
  const std::uint32_t size = run.kernel.local_size;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    std::vector<std::uint32_t> ends(shape.tile_lanes);
    for (std::uint32_t lane = 0; lane < shape.tile_lanes; ++lane)
      ends[lane] = intensity_end(intensity_sums(shape, tile(run, shape, group % chunks), lane), turns);
    for (std::uint32_t lane = 0; lane < size; ++lane)
      put_word(run.bindings[kFmaOut]->bytes(), std::uint64_t{group} * size + lane, ends[lane % shape.tile_lanes]);
  }
}

/// Uses the numbers in the buffer.
void intensity(const Execution& run, MemoryModel& memory) {
  const IntensityShape shape{.tile_lanes = run.number("TILE_LANES"), .unroll = run.number("UNROLL"), .fmas = run.number("FMAS")};
  if (run.is("ROLE", "ROLE_FILL")) return fill_tiles(run, shape);
  const std::uint32_t loops = run.parameter("loops");
  if (loops == 0) return;
  const bool dram = run.is("LEVEL", "LEVEL_DRAM");
  const std::uint32_t chunks = run.parameter("chunks");
  const std::uint64_t turns = dram ? 1 : loops;
  const std::uint32_t size = run.kernel.local_size;
  if (dram) {
    add_tile_sums(run, shape, chunks);
  } else {
    put_ends(run, shape, chunks, turns);
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
