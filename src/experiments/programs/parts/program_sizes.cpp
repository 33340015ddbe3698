#include "experiments/programs/parts/program_sizes.hpp"

#include <algorithm>
#include <utility>

#include "core/units.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/slow_device.hpp"

namespace percycle {
namespace {

// All units together: most of a small L2 (4 MiB, 40 units), far less than a large one.
constexpr std::uint64_t kBytesPerUnit = 64 * kKiB;

}  // namespace

ProgramRule program_rule(const std::string& level, ParameterWords further_words, double flops_per_op,
                         std::vector<std::string> size) {
  ParameterWords only = std::move(further_words);
  only.emplace_back(kProgramLevel, level);
  const bool in_memory = level == kInMemory;
  return {.only = std::move(only),
          .bandwidth = in_memory ? "memory" : "shared caches",
          .copies = in_memory ? "memory copy" : "",
          .rate = "FP32",
          .flops_per_op = flops_per_op,
          .size = std::move(size)};
}

std::uint64_t program_bytes(const DeviceInfo& device, Preset preset, const std::string& level) {
  if (level == kInCaches) return all_units(device) * kBytesPerUnit;
  if (!is_slow(device)) return preset == Preset::quick ? 256 * kMiB : kGiB;
  return preset == Preset::full ? 64 * kMiB : 16 * kMiB;
}

std::vector<std::int64_t> program_group_sizes(const DeviceInfo& device, Preset preset) {
  if (device.type != DeviceType::gpu) return {256};
  // The host computes the result for each.
  return by_preset<std::vector<std::int64_t>>(preset, {256}, {256, 64}, {256, 128, 64});
}

std::uint64_t most_steps(const DeviceInfo& device, std::uint32_t groups) {
  const std::uint64_t most = std::min<std::uint64_t>(device.max_groups, UINT32_MAX);
  return std::max<std::uint64_t>(most / groups, 1);
}

}  // namespace percycle
