#include "experiments/bandwidth/parts/unit_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "expected/sweep_sum.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"

namespace percycle {
namespace {

// Of kernel pair `unit_bandwidth`.
constexpr std::uint32_t kChaseSteps = 31;  // per loop turn
constexpr std::uint32_t kChaseRows = 67;   // a prime: no whole number of turns below 67 ends where it began
constexpr std::uint32_t kNeverWraps = 0xffffffff;
const std::vector<KernelParameter> kParameters{{"loops", "timed, of PASSES turns"},
                                               {"warm_loops", "turns before the clocks are read"},
                                               {"stride", "elements from one lane to the next"},
                                               {"advance", "elements that the base moves by each turn"},
                                               {"wrap", "where it starts again"},
                                               {"mask", "FORM_MASKED: elements - 1"}};

constexpr std::uint64_t kLargestRegion = 64 * kMiB;  // what the host reckons the sums of in half a second; a unit holds far less

bool is_chase(const UnitBandwidth& what) { return what.form == "chase"; }

std::uint64_t turns_per_lap(const UnitBandwidth& what) {
  return is_chase(what) ? (kChaseRows + kChaseSteps - 1) / kChaseSteps : what.rows / what.unroll;
}

/// Turns to a pass of the loop.
std::uint32_t passes(const UnitBandwidth& what) { return is_chase(what) ? 1 : what.loads / what.unroll; }

std::uint32_t loads_per_loop(const UnitBandwidth& what) { return is_chase(what) ? kChaseSteps : passes(what) * what.unroll; }

KernelDesc describe(const DeviceInfo& device, const UnitBandwidth& what) {
  static const std::map<std::string, std::pair<const char*, BindingKind>> paths{{"global", {"PATH_GLOBAL", BindingKind::address}},
                                                                                {"texture", {"PATH_TEXTURE", BindingKind::texel}},
                                                                                {"local", {"PATH_LOCAL", BindingKind::storage}}};
  static const std::map<std::string, const char*> forms{
      {"plain", "FORM_PLAIN"}, {"masked", "FORM_MASKED"}, {"chase", "FORM_CHASE"}};
  const auto& [definition, binding] = paths.at(what.path);
  KernelDesc desc{.name = "unit_bandwidth",
                  .definitions = {{"PATH", definition},
                                  {"FORM", forms.at(what.form)},
                                  {"WIDTH", std::to_string(what.width)},
                                  {"LANES", std::to_string(row_lanes(device))},
                                  {"UNROLL", std::to_string(what.unroll)},
                                  {"PASSES", std::to_string(passes(what))}},
                  .local_size = what.group_size,
                  .bindings = {{"data", binding}, {"out"}, {"stamps"}},
                  .parameters = kParameters,
                  .constants = {},
                  .subgroup_size = what.subgroup_size};
  if (what.path == "local") desc.definitions["ELEMENTS"] = std::to_string(region_elements(device, what));
  return desc;
}

/// What lane `lane` of a row holds after so many turns.
using LaneValue = std::function<std::uint32_t(std::uint32_t lane, std::uint64_t turns)>;

LaneValue lane_value(const DeviceInfo& device, const UnitBandwidth& what,
                     const std::function<std::uint32_t(std::uint64_t)>& word) {
  const std::uint32_t lanes = row_lanes(device);
  if (is_chase(what)) {
    return [lanes, stride = what.stride](std::uint32_t lane, std::uint64_t turns) {
      const std::uint64_t elements = std::uint64_t{kChaseRows} * lanes;
      return static_cast<std::uint32_t>((std::uint64_t{lane} * stride + turns * kChaseSteps * lanes) % elements);
    };
  }
  const SweepShape shape{.width = what.width, .lanes = lanes, .stride = what.stride, .rows = what.rows, .unroll = what.unroll};
  return [sum = std::make_shared<const SweepSum>(shape, word)](std::uint32_t lane, std::uint64_t turns) {
    return sum->value(lane, turns);
  };
}

/// The values of a work-group's first row of lanes; all others' are the same again.
std::vector<std::uint32_t> row_values(std::uint32_t lanes, const LaneValue& value, std::uint64_t turns) {
  std::vector<std::uint32_t> values(lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) values[lane] = value(lane, turns);
  return values;
}

MemoryPath memory_path(const UnitBandwidth& what) {
  return what.path == "local" ? MemoryPath::local : what.path == "texture" ? MemoryPath::texture : MemoryPath::global;
}

std::uint64_t max_loops(const DeviceInfo& device, std::uint64_t other_loops) {
  // lavapipe also counts the pass in which each loop ends; the kernel has three.
  const std::uint64_t limit = device.max_loop_iterations.value_or(UINT32_MAX) - 3;
  return limit > other_loops ? limit - other_loops : 1;
}

}  // namespace

std::uint32_t row_lanes(const DeviceInfo& device) {
  return std::clamp(device.subgroup_sizes.empty() ? 32u : device.subgroup_sizes.back(), 32u, 64u);
}

std::uint32_t all_units(const DeviceInfo& device) {
  if (device.units) return device.units->value;
  return device.type == DeviceType::cpu ? 4 : kUnitsWhenUnknown;
}

std::uint64_t region_elements(const DeviceInfo& device, const UnitBandwidth& what) {
  const std::uint64_t lanes = row_lanes(device);
  if (is_chase(what)) return kChaseRows * lanes;
  return (lanes - 1) * what.stride + (what.rows - 1) * lanes + 1;
}

std::uint32_t group_count(const DeviceInfo& device, const UnitBandwidth& what) {
  if (is_chase(what)) return 1;
  return (device.units ? device.units->value : kUnitsWhenUnknown) * what.groups_per_unit;
}

std::optional<std::string> unit_bandwidth_unsupported(const DeviceInfo& device, const UnitBandwidth& what) {
  const std::uint64_t elements = region_elements(device, what);
  const std::uint64_t bytes = elements * what.width;
  if (what.path == "global" && !device.buffer_addresses) return "the device has no buffer addresses";
  if (what.path == "texture" && elements > device.max_texel_elements) {
    return device.max_texel_elements == 0 ? std::string("the device has no texture memory")
                                          : fmt::format("texel buffers hold at most {} texels", device.max_texel_elements);
  }
  if (what.path == "local" && bytes > device.local_memory_bytes) {
    return fmt::format("the region takes {} of local memory, a work-group has {}", format_bytes(bytes),
                       format_bytes(device.local_memory_bytes));
  }
  if (bytes > kLargestRegion) return fmt::format("regions larger than {} are not tested", format_bytes(kLargestRegion));
  if (what.form == "masked" && !std::has_single_bit(elements)) return "a mask needs a power of two as the number of elements";
  if (auto reason = group_unsupported(device, what.group_size, what.subgroup_size)) return reason;
  if (group_count(device, what) > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  return std::nullopt;
}

Trial unit_bandwidth_trial(Device& device, const UnitBandwidth& what, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const std::uint32_t lanes = row_lanes(info);
  const std::uint32_t groups = group_count(info, what);
  const std::uint32_t invocations = groups * what.group_size;
  const std::uint64_t elements = region_elements(info, what);
  const DataWords words(seed);

  const auto kernel = device.create(describe(info, what));
  const auto data = device.create(BufferDesc{elements * what.width});
  const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
  const auto stamps = device.create(BufferDesc{groups * sizeof(GroupStamp)});
  Binding region{data, nullptr};
  if (what.path == "texture") {
    region = {nullptr, device.create(ImageDesc{data, what.width == 4   ? TexelFormat::r32_uint
                                                     : what.width == 8 ? TexelFormat::rg32_uint
                                                                       : TexelFormat::rgba32_uint})};
  }

  Trial trial;
  trial.setup = fill(device, data, words);
  const std::uint64_t warm = turns_per_lap(what);
  const bool one_turn = is_chase(what) || what.rows == what.unroll;
  trial.timed.dispatch = {kernel,
                          {region, {out, nullptr}, {stamps, nullptr}},
                          {{"loops", 0},
                           {"warm_loops", static_cast<std::uint32_t>(warm)},
                           {"stride", what.stride},
                           {"advance", one_turn ? 0 : what.unroll * lanes},
                           {"wrap", one_turn ? kNeverWraps : static_cast<std::uint32_t>(what.rows * lanes)},
                           {"mask", static_cast<std::uint32_t>(elements - 1)}},
                          groups};
  trial.timed.ops_per_loop = loads_per_loop(what);
  trial.timed.turn = {{.path = memory_path(what), .kind = AccessKind::read, .width = what.width, .count = loads_per_loop(what)}};
  // The copy into local memory loops too.
  trial.timed.max_loops = max_loops(info, warm + (what.path == "local" ? elements / what.group_size + 1 : 0));
  trial.timed.verify = [out, lanes, invocations, warm, group_size = what.group_size, passes = passes(what),
                        value = lane_value(info, what, [words](std::uint64_t index) { return words.word(index); })](
                           Device& on, std::uint64_t loops) {
    const std::uint64_t turns = warm + loops * passes;
    const auto expected = row_values(lanes, value, turns);
    std::vector<std::uint32_t> found(invocations);
    on.read(*out, 0, std::as_writable_bytes(std::span(found)));
    for (std::uint32_t i = 0; i < invocations; ++i) {
      if (const std::uint32_t right = expected[i % group_size % lanes]; found[i] != right) {
        return Outcome{Status::invalid,
                       fmt::format("invocation {} ended with {:#x} instead of {:#x} after {} turns", i, found[i], right, turns)};
      }
    }
    return Outcome{};
  };
  trial.group_stamps = GroupStamps{stamps, 0, groups};
  trial.repeatable = true;
  if (!is_chase(what)) {
    trial.work = Work{.bytes_per_op = std::uint64_t{invocations} * what.width,
                      .group_bytes_per_op = std::uint64_t{what.group_size} * what.width};
  }
  observe_execution(trial, device);
  return trial;
}

std::vector<DispatchShape> possible_shapes(const DeviceInfo& device, std::vector<DispatchShape> shapes,
                                           std::optional<std::uint32_t> subgroup_size) {
  const std::uint32_t most = largest_group(device, subgroup_size);
  std::erase_if(shapes, [&](const DispatchShape& shape) { return shape.group_size > most; });
  if (shapes.empty()) shapes.push_back({most, 8});
  return shapes;
}

std::vector<std::uint32_t> possible_unrolls(std::uint64_t rows, std::size_t most) {
  std::vector<std::uint32_t> unrolls;
  for (const std::uint32_t unroll : {32u, 16u, 8u, 4u}) {
    if (rows % unroll == 0 && unrolls.size() < most) unrolls.push_back(unroll);
  }
  return unrolls;
}

}  // namespace percycle
