#include <cstring>
#include <vector>

#include "expected/access_pattern.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint32_t kUnroll = 4;

/// Uses the words in the buffer.
void access_pattern(const Execution& run, MemoryModel& memory) {
  const std::uint32_t width = run.number("WIDTH");
  const RowTiles tiles{.row = {.lanes = run.number("LANES"),
                               .width = width,
                               .stride = run.parameter("stride") * width,
                               .first = run.parameter("shift") * width},
                       .pitch = std::uint64_t{run.parameter("pitch")} * width,
                       .lane_rows = run.kernel.local_size / run.number("LANES"),
                       .unroll = kUnroll};
  const std::uint64_t turns = run.parameter("turns");
  const std::uint64_t all = run.parameter("tiles");
  const auto first_tile = [&](std::uint32_t group) { return std::uint64_t{group} * run.parameter("step") % all; };
  // If a lap is shorter than the region, each group has its own slice.
  const bool slices = turns < all;
  std::vector<Stream> streams;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    streams.push_back({.group = group,
                       .path = MemoryPath::global,
                       .kind = AccessKind::read,
                       .binding = 0,
                       .base = slices ? first_tile(group) * tiles.bytes() : 0,
                       .bytes = turns * tiles.bytes(),
                       .accesses = run.parameter("laps") * turns * kUnroll,
                       .lanes = run.kernel.local_size,
                       .width = width,
                       .lane_stride = tiles.row.stride,
                       .coherent = true,
                       .row = tiles.row});
  }
  put_values(*run.bindings[2], memory.stream(streams));

  const auto data = run.bindings[0]->contents();
  std::vector<std::uint32_t> values;
  values.reserve(std::size_t{run.groups} * run.kernel.local_size);
  std::vector<std::uint32_t> sums;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    const std::uint64_t first = slices ? first_tile(group) : 0;
    if (group == 0 || slices) sums = row_sums(tiles, first, first + turns, data);
    for (const std::uint32_t sum : sums) values.push_back(run.parameter("laps") * sum);
  }
  put_values(*run.bindings[1], values);
}

const RegisterEmulation registered_access_pattern("access_pattern", access_pattern);

}  // namespace
}  // namespace percycle::sim
