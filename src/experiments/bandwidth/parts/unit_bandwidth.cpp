#include "experiments/bandwidth/parts/unit_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/max_loops.hpp"

namespace percycle {
namespace {

// Constants and parameters of kernel pair `unit_bandwidth`.
constexpr std::uint32_t kChaseSteps = 31;  // per loop turn
constexpr std::uint32_t kChaseRows = 67;   // a prime: fewer turns never end where they began
constexpr std::uint32_t kNeverWraps = 0xffffffff;
const std::vector<KernelParameter> kUnitBandwidthParameters{
    {"loops", "timed loops of PASSES turns"},           {"warm_loops", "turns before the clocks are read"},
    {"stride", "elements from one lane to the next"},   {"advance", "elements by which the base moves per turn"},
    {"wrap", "element at which the base starts again"}, {"mask", "FORM_MASKED: elements - 1"}};

// The host computes the sums of this region in half a second. A unit's own memory is far smaller.
constexpr std::uint64_t kLargestRegion = 64 * kMiB;

bool is_chase(const UnitBandwidth& config) { return config.form == "chase"; }

std::uint64_t turns_per_lap(const UnitBandwidth& config) {
  return is_chase(config) ? (kChaseRows + kChaseSteps - 1) / kChaseSteps : config.rows / config.unroll;
}

/// Turns per pass of the loop.
std::uint32_t passes(const UnitBandwidth& config) { return is_chase(config) ? 1 : config.loads / config.unroll; }

std::uint32_t loads_per_loop(const UnitBandwidth& config) {
  return is_chase(config) ? kChaseSteps : passes(config) * config.unroll;
}

std::uint32_t channels_of(const UnitBandwidth& config) { return config.width * 8 / config.channel_bits; }

TexelFormat texel_format(const UnitBandwidth& config) {
  if (config.channel_bits == 8) return config.float_channels ? TexelFormat::rgba8_unorm : TexelFormat::rgba8_uint;
  if (config.channel_bits == 16) return config.float_channels ? TexelFormat::rgba16_float : TexelFormat::rgba16_uint;
  return config.width == 4 ? TexelFormat::r32_uint : config.width == 8 ? TexelFormat::rg32_uint : TexelFormat::rgba32_uint;
}

KernelDesc describe(const DeviceInfo& device, const UnitBandwidth& config) {
  static const std::map<std::string, std::pair<const char*, BindingKind>> paths{{"global", {"PATH_GLOBAL", BindingKind::address}},
                                                                                {"texture", {"PATH_TEXTURE", BindingKind::texel}},
                                                                                {"local", {"PATH_LOCAL", BindingKind::storage}}};
  static const std::map<std::string, const char*> forms{
      {"plain", "FORM_PLAIN"}, {"masked", "FORM_MASKED"}, {"chase", "FORM_CHASE"}};
  const auto& [definition, binding] = paths.at(config.path);
  KernelDesc desc{.name = "unit_bandwidth",
                  .definitions = {{"PATH", definition},
                                  {"FORM", forms.at(config.form)},
                                  {"WIDTH", std::to_string(config.width)},
                                  {"LANES", std::to_string(row_lanes(device))},
                                  {"UNROLL", std::to_string(config.unroll)},
                                  {"PASSES", std::to_string(passes(config))}},
                  .local_size = config.group_size,
                  .bindings = {{"data", binding}, {"out"}, {"stamps"}},
                  .parameters = kUnitBandwidthParameters,
                  .subgroup_size = config.subgroup_size};
  if (config.channel_bits != 32) desc.definitions["CHANNELS"] = std::to_string(channels_of(config));
  if (config.float_channels) desc.definitions["FLOAT_TEXELS"] = "1";
  if (config.path == "local") desc.definitions["ELEMENTS"] = std::to_string(region_elements(device, config));
  return desc;
}

/// The expected value of a lane after `turns` turns.
using LaneValue = std::function<std::uint32_t(std::uint32_t lane, std::uint64_t turns)>;

LaneValue lane_value(const DeviceInfo& device, const UnitBandwidth& config,
                     const std::function<std::uint32_t(std::uint64_t)>& word) {
  const std::uint32_t lanes = row_lanes(device);
  if (is_chase(config)) {
    return [lanes, stride = config.stride](std::uint32_t lane, std::uint64_t turns) {
      const std::uint64_t elements = std::uint64_t{kChaseRows} * lanes;
      return static_cast<std::uint32_t>((std::uint64_t{lane} * stride + turns * kChaseSteps * lanes) % elements);
    };
  }
  const SweepShape shape{
      .channels = channels_of(config), .lanes = lanes, .stride = config.stride, .rows = config.rows, .unroll = config.unroll};
  const auto channel = [&, bits = config.channel_bits](std::uint64_t index) {
    return config.float_channels ? float_channel_of(bits, index, word) : channel_of(bits, index, word);
  };
  return [sum = std::make_shared<const SweepSum>(shape, channel)](std::uint32_t lane, std::uint64_t turns) {
    return sum->value(lane, turns);
  };
}

/// The values of the first row of lanes; all rows have the same values.
std::vector<std::uint32_t> row_values(std::uint32_t lanes, const LaneValue& value, std::uint64_t turns) {
  std::vector<std::uint32_t> values(lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) values[lane] = value(lane, turns);
  return values;
}

MemoryPath memory_path(const UnitBandwidth& config) {
  return config.path == "local" ? MemoryPath::local : config.path == "texture" ? MemoryPath::texture : MemoryPath::global;
}

}  // namespace

std::uint32_t row_lanes(const DeviceInfo& device) {
  return std::clamp(device.subgroup_sizes.empty() ? 32u : device.subgroup_sizes.back(), 32u, 64u);
}

std::uint32_t all_units(const DeviceInfo& device) {
  if (device.units) return device.units->value;
  return device.type == DeviceType::cpu ? 4 : kUnitsWhenUnknown;
}

std::uint64_t region_elements(const DeviceInfo& device, const UnitBandwidth& config) {
  const std::uint64_t lanes = row_lanes(device);
  if (is_chase(config)) return kChaseRows * lanes;
  return (lanes - 1) * config.stride + (config.rows - 1) * lanes + 1;
}

std::uint32_t group_count(const DeviceInfo& device, const UnitBandwidth& config) {
  if (is_chase(config)) return 1;
  return config.groups.value_or((device.units ? device.units->value : kUnitsWhenUnknown) * config.groups_per_unit);
}

std::optional<std::string> unit_bandwidth_unsupported(const DeviceInfo& device, const UnitBandwidth& config) {
  const std::uint64_t elements = region_elements(device, config);
  const std::uint64_t bytes = elements * config.width;
  if (config.path == "global" && !device.buffer_addresses) return "the device has no buffer addresses";
  if (config.path == "texture" && elements > device.max_texel_elements) {
    return device.max_texel_elements == 0 ? std::string("the device has no texture memory")
                                          : fmt::format("texel buffers hold at most {} texels", device.max_texel_elements);
  }
  if (config.path == "local" && bytes > device.local_memory_bytes) {
    return fmt::format("the region takes {} of local memory, a work-group has {}", format_bytes(bytes),
                       format_bytes(device.local_memory_bytes));
  }
  if (config.float_channels && (config.path != "texture" || config.channel_bits == 32))
    return "percycle reads float channels only from texels with channels of 16 or 8 bits";
  if (bytes > kLargestRegion) return fmt::format("percycle tests regions of at most {}", format_bytes(kLargestRegion));
  if (config.form == "masked" && !std::has_single_bit(elements)) return "a mask needs a power of two as the number of elements";
  if (auto reason = group_unsupported(device, config.group_size, config.subgroup_size)) return reason;
  if (group_count(device, config) > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  return std::nullopt;
}

/// The words of the region.
auto region_words(const UnitBandwidth& config, std::uint64_t seed) {
  return [words = DataWords(seed), is_float = config.float_channels, bits = config.channel_bits](std::uint64_t index) {
    return is_float ? zeros_and_ones(bits, words.word(index)) : words.word(index);
  };
}

/// Fills the region; the result are dispatches that do it.
std::vector<Dispatch> fill_region(Device& device, const std::shared_ptr<Buffer>& data, const UnitBandwidth& config,
                                  std::uint64_t seed) {
  if (!config.float_channels) return fill(device, data, DataWords(seed));
  const auto word_at = region_words(config, seed);
  std::vector<std::uint32_t> words(data->bytes() / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = word_at(i);
  write_values(device, *data, words);
  return {};
}

Trial unit_bandwidth_trial(Device& device, const UnitBandwidth& config, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const std::uint32_t lanes = row_lanes(info);
  const std::uint32_t groups = group_count(info, config);
  const std::uint32_t invocations = groups * config.group_size;
  const std::uint64_t elements = region_elements(info, config);
  const auto kernel = device.create(describe(info, config));
  const auto data = device.create(BufferDesc{elements * config.width});
  const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
  const auto stamps = device.create(BufferDesc{groups * sizeof(GroupStamp)});
  const Binding region =
      config.path == "texture" ? Binding{nullptr, device.create(ImageDesc{data, texel_format(config)})} : Binding{data, nullptr};

  Trial trial;
  trial.setup = fill_region(device, data, config, seed);
  const std::uint64_t warm = turns_per_lap(config);
  const bool one_turn = is_chase(config) || config.rows == config.unroll;
  trial.timed.dispatch = {kernel,
                          {region, {out, nullptr}, {stamps, nullptr}},
                          {{"loops", 0},
                           {"warm_loops", static_cast<std::uint32_t>(warm)},
                           {"stride", config.stride},
                           {"advance", one_turn ? 0 : config.unroll * lanes},
                           {"wrap", one_turn ? kNeverWraps : static_cast<std::uint32_t>(config.rows * lanes)},
                           {"mask", static_cast<std::uint32_t>(elements - 1)}},
                          groups};
  trial.timed.ops_per_loop = loads_per_loop(config);
  trial.timed.turn = {
      // A kernel gets 32 bits of each channel.
      {.path = memory_path(config), .kind = AccessKind::read, .width = 4 * channels_of(config), .count = loads_per_loop(config)}};
  // The copy into local memory loops too.
  trial.timed.max_loops = max_loops(info, warm + (config.path == "local" ? elements / config.group_size + 1 : 0));
  trial.timed.verify = [out, lanes, invocations, warm, group_size = config.group_size, passes = passes(config),
                        value = lane_value(info, config, region_words(config, seed))](Device& on, std::uint64_t loops) {
    const std::uint64_t turns = warm + loops * passes;
    const auto expected = row_values(lanes, value, turns);
    const auto found = read_values<std::uint32_t>(on, *out, invocations);
    return check_invocations(
        found, [&](std::size_t i) { return expected[i % group_size % lanes]; }, turns, "turns");
  };
  trial.group_stamps = GroupStamps{stamps, 0, groups};
  trial.repeatable = true;
  if (!is_chase(config)) {
    trial.work = Work{.bytes_per_op = std::uint64_t{invocations} * config.width,
                      .group_bytes_per_op = std::uint64_t{config.group_size} * config.width};
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

std::vector<DispatchShape> full_shapes() {
  return {{64, 8},  {64, 16}, {64, 32}, {128, 4}, {128, 8}, {128, 16}, {256, 1}, {256, 2},
          {256, 4}, {256, 8}, {512, 1}, {512, 2}, {512, 4}, {1024, 1}, {1024, 2}};
}

Axis shape_axis(const DeviceInfo& device, std::vector<DispatchShape> shapes) {
  return Axis([&device, shapes = std::move(shapes)](const Point& point) {
    std::vector<Parameters> all;
    for (const DispatchShape& shape : possible_shapes(device, shapes, required_subgroup_size(point)))
      all.push_back({{"group_size", shape.group_size}, {"groups_per_unit", shape.groups_per_unit}});
    return all;
  });
}

std::vector<std::uint32_t> possible_unrolls(std::uint64_t rows, std::size_t most) {
  std::vector<std::uint32_t> unrolls;
  for (const std::uint32_t unroll : {32u, 16u, 8u, 4u}) {
    if (rows % unroll == 0 && unrolls.size() < most) unrolls.push_back(unroll);
  }
  return unrolls;
}

}  // namespace percycle
