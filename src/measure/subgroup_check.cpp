#include "measure/subgroup_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device/values.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kGroupLanes = 256;  // at least two subgroups of every known size
constexpr std::size_t kWordsOfLane = 4;
constexpr std::size_t kValueWord = 2;  // behind the hash

/// Kernel pair `instruction_chain` with one step: each lane takes the number of its subgroup's
/// first lane.
KernelDesc broadcast_kernel(std::uint32_t lanes, std::optional<std::uint32_t> required) {
  return {.name = "instruction_chain",
          .definitions = {{"CHAIN", "subgroup-broadcast"}, {"TYPE", "TYPE_INT32"}, {"PAIRS", "1"}},
          .local_size = lanes,
          .bindings = {{"starts"}, {"operands"}, {"out"}},
          .parameters = {{"loops", ""}, {"mask", ""}, {"never", ""}},
          .subgroup_size = required,
          .later_opencl_c = true,
          .texts = {{"OPERATION(x, y, c)", "BROADCAST(x)"},
                    {"FIRST_VALUE(h)", "(h)"},
                    {"OTHER_VALUE(h)", "(h)"},
                    {"TURN", "y = OPERATION(x, y, even); x = y;"}}};
}

/// The counted size if the driver states another one, with the warning.
struct WrongSize {
  std::uint32_t lanes = 0;
  std::string warning;
};

std::optional<WrongSize> wrong_size(Device& device) {
  const DeviceInfo& info = device.info();
  const auto counted = counted_subgroup_size(device, std::nullopt);
  if (!counted) return std::nullopt;
  const std::string used = fmt::format("so percycle used {}", *counted);
  if (std::ranges::count(info.subgroup_sizes, *counted) == 0) {
    return WrongSize{*counted, fmt::format("the driver states subgroups of {}, but a kernel runs with subgroups of {}, {}",
                                           fmt::join(info.subgroup_sizes, ", "), *counted, used)};
  }
  if (!info.subgroup_size_control) return std::nullopt;
  for (const std::uint32_t required : info.subgroup_sizes) {
    const auto lanes = counted_subgroup_size(device, required);
    if (!lanes || *lanes == required) continue;
    return WrongSize{*counted, fmt::format("a kernel that requires subgroups of {} runs with subgroups of {}, {} for all",
                                           required, *lanes, used)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> lanes_together(std::span<const std::uint32_t> first_lanes) {
  const auto size = static_cast<std::uint32_t>(std::ranges::count(first_lanes, 0u));
  if (size == 0 || size >= first_lanes.size()) return std::nullopt;
  for (std::uint32_t lane = 0; lane < first_lanes.size(); ++lane) {
    if (first_lanes[lane] != lane - lane % size) return std::nullopt;
  }
  return size;
}

std::optional<std::uint32_t> counted_subgroup_size(Device& device, std::optional<std::uint32_t> required) {
  const DeviceInfo& info = device.info();
  std::uint32_t lanes = std::min(kGroupLanes, info.max_group_size);
  if (required && info.max_subgroups) lanes = std::min(lanes, *required * *info.max_subgroups);
  std::vector<std::uint32_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0u);
  const auto starts = buffer_of(device, numbers);
  const auto operands = buffer_of(device, std::vector<std::uint32_t>(std::size_t{lanes} * kWordsOfLane));
  const auto out = result_buffer(device, lanes * kWordsOfLane * sizeof(std::uint32_t));
  const auto kernel = device.create(broadcast_kernel(lanes, required));
  device.run({kernel,
              {{starts, nullptr}, {operands, nullptr}, {out, nullptr}},
              {{"loops", 1u}, {"mask", 0u}, {"never", UINT32_MAX}},
              1});
  const auto words = read_results<std::uint32_t>(device, *out, lanes * kWordsOfLane);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) numbers[lane] = words[kWordsOfLane * lane + kValueWord];
  return lanes_together(numbers);
}

std::string correct_subgroup_size(Device& device, CorrectedDevice& corrected) {
  if (device.info().subgroup_sizes.empty() || !device.info().subgroup_operations.broadcast) return {};
  try {
    auto wrong = wrong_size(device);
    if (!wrong) return {};
    corrected.set_subgroup_size(wrong->lanes);
    return std::move(wrong->warning);
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
  } catch (const std::invalid_argument&) {  // a rule of the Device interface: too small a device
  }
  return {};
}

}  // namespace percycle
