#include "expected/intensity.hpp"

#include <cstring>
#include <vector>

#include "device/sim/meanings/meanings.hpp"

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

}  // namespace

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
  std::vector<Stream> streams;
  std::vector<std::uint32_t> of_tile(chunks);
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    const std::uint32_t chunk = group % chunks;
    const std::uint64_t base = std::uint64_t{chunk} * shape.tile_words() * sizeof(float);
    const TileElement element = [&](std::uint32_t index) {
      float value = 0;
      std::memcpy(&value, data.data() + base + index * sizeof value, sizeof value);
      return static_cast<std::uint32_t>(value);
    };
    if (dram) {
      if (group < chunks) of_tile[chunk] = intensity_tile_sum(shape, element);
      std::uint32_t sum = 0;
      std::memcpy(&sum, out.data() + chunk * sizeof sum, sizeof sum);
      sum += of_tile[chunk];
      std::memcpy(out.data() + chunk * sizeof sum, &sum, sizeof sum);
    } else {
      std::vector<std::uint32_t> ends(shape.tile_lanes);
      for (std::uint32_t lane = 0; lane < shape.tile_lanes; ++lane)
        ends[lane] = intensity_end(intensity_sums(shape, element, lane), turns);
      for (std::uint32_t lane = 0; lane < size; ++lane)
        std::memcpy(out.data() + (std::size_t{group} * size + lane) * sizeof(std::uint32_t), &ends[lane % shape.tile_lanes],
                    sizeof(std::uint32_t));
    }
    streams.push_back({.group = group,
                       .path = MemoryPath::global,
                       .kind = AccessKind::read,
                       .binding = kData,
                       .base = base,
                       .bytes = shape.tile_words() * sizeof(float),
                       .accesses = turns * shape.unroll,
                       .lanes = size,
                       .width = kVectorBytes,
                       .lane_stride = kVectorBytes,
                       .coherent = run.is("LEVEL", "LEVEL_L2"),
                       .fmas = turns * shape.fmas_of_lane()});
  }
  const auto stamps = memory.stream(streams);
  if (!dram) std::memcpy(run.bindings[kFmaStamps]->bytes().data(), stamps.data(), stamps.size() * sizeof(GroupStamp));
}

}  // namespace percycle::sim
