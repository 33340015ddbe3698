#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "expected/unit_bandwidth.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint32_t kChaseSteps = 31;  // per loop turn
constexpr std::uint32_t kChaseRows = 67;

MemoryPath unit_path_of(const Execution& run) {
  return run.is("PATH", "PATH_LOCAL")     ? MemoryPath::local
         : run.is("PATH", "PATH_TEXTURE") ? MemoryPath::texture
                                          : MemoryPath::global;
}

/// The value of lane `lane` of a row after so many turns.
using LaneValue = std::function<std::uint32_t(std::uint32_t lane, std::uint64_t turns)>;

LaneValue chase_value(std::uint32_t lanes, std::uint32_t stride_elements) {
  return [lanes, stride_elements](std::uint32_t lane, std::uint64_t turns) {
    const std::uint64_t elements = std::uint64_t{kChaseRows} * lanes;
    return static_cast<std::uint32_t>((std::uint64_t{lane} * stride_elements + turns * kChaseSteps * lanes) % elements);
  };
}

LaneValue sweep_value(const SweepShape& shape, std::uint32_t channel_bits, bool is_float, std::span<const std::byte> data) {
  const auto word = [data](std::uint64_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, data.data() + index * sizeof value, sizeof value);
    return value;
  };
  const auto channel = [&](std::uint64_t index) {
    return is_float ? float_channel_of(channel_bits, index, word) : channel_of(channel_bits, index, word);
  };
  return [sum = std::make_shared<const SweepSum>(shape, channel)](std::uint32_t lane, std::uint64_t turns) {
    return sum->value(lane, turns);
  };
}

/// Uses the words in the buffer. The turns before the clocks are read take no time.
void unit_bandwidth(const Execution& run, MemoryModel& memory) {
  const bool chase = run.is("FORM", "FORM_CHASE");
  const std::uint32_t lanes = run.number("LANES");
  const std::uint32_t width = run.number("WIDTH");
  const std::uint32_t channels = run.is_defined("CHANNELS") ? run.number("CHANNELS") : width / sizeof(std::uint32_t);
  const std::uint32_t passes = run.number("PASSES");
  const std::uint64_t elements = std::uint64_t{run.parameter("mask")} + 1;
  const SweepShape shape{.channels = channels,
                         .lanes = lanes,
                         .stride = run.parameter("stride"),
                         .rows = (elements - 1 - std::uint64_t{lanes - 1} * run.parameter("stride")) / lanes + 1,
                         .unroll = run.number("UNROLL")};
  std::vector<Stream> streams;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    streams.push_back({.group = group,
                       .path = unit_path_of(run),
                       .kind = AccessKind::read,
                       .binding = 0,
                       .base = 0,
                       .bytes = elements * width,
                       .accesses = std::uint64_t{run.parameter("loops")} * (chase ? kChaseSteps : passes * shape.unroll),
                       .lanes = run.kernel.local_size,
                       .width = width,
                       .lane_stride = shape.stride * width,
                       .dependent = chase});
  }
  put_values(*run.bindings[2], memory.stream(streams));

  const auto value = chase
                         ? chase_value(lanes, shape.stride)
                         : sweep_value(shape, 8 * width / channels, run.is_defined("FLOAT_TEXELS"), run.bindings[0]->contents());
  const std::uint64_t turns = std::uint64_t{run.parameter("loops")} * passes + run.parameter("warm_loops");
  std::vector<std::uint32_t> of_row(lanes);  // all other rows of a work-group hold the same
  for (std::uint32_t lane = 0; lane < lanes; ++lane) of_row[lane] = value(lane, turns);
  const auto out = run.bindings[1]->bytes();
  for (std::uint32_t i = 0; i < run.groups * run.kernel.local_size; ++i) {
    std::memcpy(out.data() + i * sizeof(std::uint32_t), &of_row[i % run.kernel.local_size % lanes], sizeof(std::uint32_t));
  }
}

const RegisterEmulation registered_unit_bandwidth("unit_bandwidth", unit_bandwidth);

}  // namespace
}  // namespace percycle::sim
