#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/texture_bandwidth.hpp"
#include "expected/texture_filter.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::texture_bandwidth_experiment {
namespace {

constexpr const char* kTest = "test";
constexpr const char* kBlock = "block";
constexpr const char* kStride = "stride";
constexpr const char* kFilter = "filter";
constexpr const char* kFormat = "format";
constexpr const char* kWidth = "width";
constexpr const char* kFootprint = "footprint";
constexpr const char* kGroupSize = "group_size";
constexpr const char* kGroupsPerUnit = "groups_per_unit";

constexpr const char* kLinear = "linear";
constexpr const char* kNearest = "nearest";

/// The block of test stride and test filter.
constexpr const char* kUsualBlock = "4x8";
/// A sum of samples counts quarters, and a float holds 2^24 of them.
constexpr std::uint64_t kMostFilteredTurns = 1 << 19;
constexpr std::uint32_t kMostStride = 16;
/// The smallest first cache of known GPUs (GCN, RDNA).
constexpr std::uint64_t kMostFootprint = 16 * kKiB;

const std::vector<KernelParameter> kTextureBandwidthParameters{{"loops", "timed turns"},
                                                               {"warm_loops", "turns before the clocks are read"},
                                                               {"advance", "rows by which the base moves per turn: 0"}};

struct TexelKind {
  const char* name;
  TexelFormat format;
  std::uint32_t width;     ///< bytes of a texel
  std::uint32_t channels;  ///< 1, 2 or 4
  bool is_float;           ///< the kernel gets halves and fractions of 255 as floats

  std::uint32_t channel_bits() const { return 8 * width / channels; }
};

constexpr std::array<TexelKind, 10> kTexelKinds{{{"r32-uint", TexelFormat::r32_uint, 4, 1, false},
                                                 {"rg32-uint", TexelFormat::rg32_uint, 8, 2, false},
                                                 {"rgba32-uint", TexelFormat::rgba32_uint, 16, 4, false},
                                                 {"rgba16-uint", TexelFormat::rgba16_uint, 8, 4, false},
                                                 {"rgba16-float", TexelFormat::rgba16_float, 8, 4, true},
                                                 {"rgba8-uint", TexelFormat::rgba8_uint, 4, 4, false},
                                                 {"rgba8-unorm", TexelFormat::rgba8_unorm, 4, 4, true},
                                                 {"r32-float", TexelFormat::r32_float, 4, 1, true},
                                                 {"rgba32-float", TexelFormat::rgba32_float, 16, 4, true},
                                                 {"r8-unorm", TexelFormat::r8_unorm, 1, 1, true}}};

const TexelKind& kind_of(const std::string& name) { return *std::ranges::find(kTexelKinds, name, &TexelKind::name); }

using Words = std::vector<std::string>;

Words names_of_kinds() {
  Words names;
  for (const TexelKind& kind : kTexelKinds) names.emplace_back(kind.name);
  return names;
}

const Words kFiltered{"r8-unorm", "rgba8-unorm", "r32-float", "rgba16-float", "rgba32-float"};

const WordsParameter kTests{
    kTest,
    {kBlock, kStride, kFilter},
    "block: by the shape of the block that 32 lanes read at once; stride: by the distance of the columns, blocks of 4x8; "
    "filter: through a sampler, blocks of 4x8"};
const WordsParameter kFormats{
    kFormat, names_of_kinds(), ParameterSpec::kAutomatic,
    "channels and their type; auto: r32-uint, rgba32-uint, rgba16-float, rgba8-unorm (quick: without rgba16-float; full: all); "
    "for test filter: r8-unorm, rgba8-unorm, r32-float, rgba16-float, rgba32-float (quick: rgba8-unorm, rgba16-float)"};
const WordsParameter kBlocks{kBlock,
                             {"32x1", "8x4", "4x8", "1x32"},
                             ParameterSpec::kAutomatic,
                             "for test block: width x height; auto: 32x1, 4x8, 1x32 (full: all)"};
const NumberParameter kStrides{
    kStride, "for test stride: columns from one texel of a row to the next; auto: 1, 2, 4 while the texture has at most 16 KiB",
    kMostStride};

const WordsParameter kFilters{
    kFilter, {kNearest, kLinear}, "for test filter: nearest: the texel in which a sample lies; linear: the mean of four"};

std::uint64_t image_bytes(const TexelKind& kind, std::uint32_t stride) {
  return std::uint64_t{TexelBlocks{.stride = stride}.texels()} * kind.width;
}

TexelBlocks blocks_of(const DeviceInfo& device, const Point& point) {
  const std::string& block = word(point, kTest) == kFilter ? kUsualBlock : word(point, kBlock);
  return {.block_width = static_cast<std::uint32_t>(std::stoul(block)),
          .stride = number_or(point, kStride, 1u),
          .lanes = row_lanes(device) > TexelBlocks::kSide ? 2 * TexelBlocks::kSide : TexelBlocks::kSide,
          .channels = kind_of(word(point, kFormat)).channels};
}

std::uint32_t group_size_of(const Point& point) { return number<std::uint32_t>(point, kGroupSize); }

std::uint32_t groups_of(const DeviceInfo& device, const Point& point) {
  return all_units(device) * number<std::uint32_t>(point, kGroupsPerUnit);
}

std::vector<DispatchShape> shapes_for(Preset preset) {
  return by_preset<std::vector<DispatchShape>>(preset, {{256, 2}, {256, 8}}, {{256, 2}, {256, 4}, {256, 8}},
                                               {{256, 1}, {256, 2}, {256, 4}, {256, 8}, {1024, 1}, {1024, 2}});
}

/// The words of the image: texels of floats are zeros and ones, which every driver reads exactly.
std::vector<std::uint32_t> image_words(const TexelKind& kind, const TexelBlocks& blocks, std::uint64_t seed) {
  const DataWords data(seed);
  std::vector<std::uint32_t> words(std::size_t{blocks.texels()} * kind.width / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = kind.is_float ? zeros_and_ones(kind.channel_bits(), data.word(i)) : data.word(i);
  }
  return words;
}

SweepSum sums_of(const TexelKind& kind, const TexelBlocks& blocks, const std::vector<std::uint32_t>& words) {
  return blocks.sums([&](std::uint64_t index) {
    const auto word_at = [&](std::uint64_t i) { return words[i]; };
    return kind.is_float ? float_channel_of(kind.channel_bits(), index, word_at)
                         : channel_of(kind.channel_bits(), index, word_at);
  });
}

/// Each lane adds this to its sum of samples in one turn.
std::vector<double> sample_sums(const TexelKind& kind, const TexelBlocks& blocks, bool is_linear,
                                const std::vector<std::uint32_t>& words) {
  const auto channel = [&](std::uint64_t index) {
    return channel_of(kind.channel_bits(), index, [&](std::uint64_t i) { return words[i]; }) == 0 ? 0.0 : 1.0;
  };
  std::vector<double> sums;
  for (std::uint32_t lane = 0; lane < blocks.lanes; ++lane) sums.push_back(filtered_sum(blocks, lane, is_linear, channel));
  return sums;
}

/// A sampler may round a mean: each sample may be off by 1/255.
Outcome check_samples(const std::vector<float>& found, std::uint32_t group_size, const std::vector<double>& of_lane,
                      const TexelBlocks& blocks, std::uint64_t turns) {
  const auto all_turns = static_cast<double>(turns);
  const double allowed = channel_factors(blocks.channels) * blocks.loads() * all_turns / 255;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double right = of_lane[i % group_size % of_lane.size()] * all_turns;
    if (!(std::abs(found[i] - right) <= allowed))
      return {Status::invalid,
              fmt::format("invocation {} sampled {:.1f} instead of {:.1f} in {} turns", i, found[i], right, turns)};
  }
  return {};
}

/// Texels of two dimensions: a driver tiles them so that neighbours in both directions share a
/// line.
class TextureBandwidth final : public Experiment {
 public:
  std::string name() const override { return "texture-bandwidth"; }
  Presentation presentation() const override {
    return {
        .title = "Bandwidth of textures",
        .question = "How many texels of a two-dimensional texture does a unit read per cycle, by format, block shape and filter?",
        .method =
            "All lanes read the texels of a small texture in the driver's tiling again and again. "
            "Each load of 32 lanes reads a block: a row, a rectangle or a column. Other points read every second or "
            "fourth column, or read through a sampler, with and without a filter. A search finds the best number of work-groups. "
            "Texels and bytes per unit and cycle come from the counters of the units.",
        .metric = "texel rate: 1e9 per second and texels per unit and cycle, and bandwidth: GB/s and bytes per unit and cycle",
        .operation = "texel",
        .order = 215,
        .configuration = {kGroupSize, kGroupsPerUnit},
        .sizes = {kFootprint},
        .limits = {{.only = {}, .without = kFilter, .quantity = Quantity::texel, .texel_bytes = kWidth}},
        .curves = {{.name = "texture-bandwidth-stride",
                    .title = "Bandwidth of textures by stride from column to column",
                    .only = {{kTest, kStride}},
                    .x = kStride,
                    .x_title = "stride in texels",
                    .y = {figures::kBytesPerUnitCycle, figures::kGbPerS},
                    .follows = {kFootprint},
                    .after_bars = true}},
        .bars = {{.name = "texels", .y = {figures::kOpsPerUnitCycle, figures::kGopsPerS}, .without = {kStride, kFilter}},
                 {.name = "bytes", .y = {figures::kBytesPerUnitCycle, figures::kGbPerS}, .without = {kStride, kFilter}},
                 {.name = "filter",
                  .title = "Samples of textures by filter and format",
                  .y = {figures::kOpsPerUnitCycle, figures::kGopsPerS},
                  .without = {kBlock}}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kTests, kFormats, kBlocks, kStrides, kFilters, kSubgroupSize, kWgpMode};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const auto formats =
        options.words_or(kFormats, by_preset(options.preset, Words{"r32-uint", "rgba32-uint", "rgba8-unorm"},
                                             Words{"r32-uint", "rgba32-uint", "rgba16-float", "rgba8-unorm"}, names_of_kinds()));
    const auto filtered_formats =
        options.words_or(kFormats, by_preset(options.preset, Words{"rgba8-unorm", "rgba16-float"}, kFiltered, kFiltered));
    const auto blocks =
        options.words_or(kBlocks, options.preset == Preset::full ? kBlocks.choices : Words{"32x1", "4x8", "1x32"});
    const Search search{{shape_axis(device, shapes_for(options.preset))}, by_preset<std::size_t>(options.preset, 1, 1, 3)};
    const auto strides_of = [&](const Point& point) { return strides(options, kind_of(word(point, kFormat))); };
    std::vector<Point> points;
    for (const std::string& test : options[kTests]) {
      Point first{name(), {{kTest, test}}};
      require_execution_mode(first, options);
      std::vector<Axis> axes{{kFormat, test == kFilter ? filtered_formats : formats}};
      if (test != kFilter) axes.emplace_back(kBlock, test == kBlock ? blocks : Words{kUsualBlock});
      if (test == kStride) axes.emplace_back(kStride, strides_of);
      if (test == kFilter) axes.emplace_back(kFilter, options[kFilters]);
      for (Point& question : product(first, axes)) {
        const TexelKind& kind = kind_of(word(question, kFormat));
        question.parameters[kWidth] = kind.width;
        question.parameters[kFootprint] = image_bytes(kind, number_or(question, kStride, 1u));
        append(points, searched(*this, device, question, search, done));
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const TexelBlocks blocks = blocks_of(device, point);
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (word(point, kTest) == kFilter && !kind_of(word(point, kFormat)).is_float) return "texels of integers have no filter";
    if (!device.max_image_side) return "the device has no textures of two dimensions";
    if (*device.max_image_side < blocks.image_width())
      return fmt::format("textures have at most {} texels in a row", *device.max_image_side);
    if (auto reason = group_unsupported(device, group_size_of(point), required_subgroup_size(point))) return reason;
    if (groups_of(device, point) > device.max_groups)
      return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const DeviceInfo& info = device.info();
    const TexelKind& kind = kind_of(word(point, kFormat));
    const TexelBlocks blocks = blocks_of(info, point);
    const std::uint32_t group_size = group_size_of(point);
    const std::uint32_t groups = groups_of(info, point);
    const std::uint32_t invocations = groups * group_size;
    constexpr std::uint32_t kWarmTurns = 1;
    const bool is_filtered = word(point, kTest) == kFilter;

    const auto words = image_words(kind, blocks, seed);
    const auto texels = buffer_of(device, words);
    const auto image = device.create(ImageDesc{
        .buffer = texels, .format = kind.format, .width = blocks.image_width(), .is_filtered = is_filtered && is_linear(point)});
    const auto kernel = device.create(kernel_of(point, kind, blocks));
    const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
    const auto stamps = device.create(BufferDesc{groups * sizeof(GroupStamp)});

    Trial trial;
    trial.timed.dispatch = {kernel,
                            {{nullptr, image}, {out, nullptr}, {stamps, nullptr}},
                            {{"loops", 0}, {"warm_loops", kWarmTurns}, {"advance", 0}},
                            groups};
    trial.timed.ops_per_loop = blocks.loads();
    // A kernel gets 32 bits of each channel.
    trial.timed.turn = {
        {.path = MemoryPath::texture, .kind = AccessKind::read, .width = 4 * blocks.channels, .count = blocks.loads()}};
    trial.timed.max_loops = max_loops(info, kWarmTurns);
    if (is_filtered) {
      trial.timed.max_loops = std::min(trial.timed.max_loops, kMostFilteredTurns);
      trial.timed.verify = [out, invocations, group_size, blocks, kind, is_linear = is_linear(point), words](
                               Device& on, std::uint64_t loops) {
        const auto found = read_values<float>(on, *out, invocations);
        return check_samples(found, group_size, sample_sums(kind, blocks, is_linear, words), blocks, loops + kWarmTurns);
      };
    } else {
      trial.timed.verify = [out, invocations, group_size, lanes = blocks.lanes,
                            sums = std::make_shared<const SweepSum>(sums_of(kind, blocks, words))](Device& on,
                                                                                                   std::uint64_t loops) {
        const auto found = read_values<std::uint32_t>(on, *out, invocations);
        std::vector<std::uint32_t> of_lane;
        for (std::uint32_t lane = 0; lane < lanes; ++lane) of_lane.push_back(sums->value(lane, loops + kWarmTurns));
        const auto right = [&](std::uint32_t i) { return of_lane[i % group_size % lanes]; };
        return check_invocations(found, right, loops, "turns");
      };
    }
    trial.group_stamps = GroupStamps{stamps, 0, groups};
    trial.repeatable = true;
    trial.work = Work{.bytes_per_op = std::uint64_t{invocations} * kind.width,
                      .group_bytes_per_op = std::uint64_t{group_size} * kind.width};
    trial.participants = Participants{.dispatch = invocations, .group = group_size};
    observe_execution(trial, device);
    apply_role(trial, point);
    return trial;
  }

 private:
  static bool is_linear(const Point& point) { return word(point, kFilter) == kLinear; }

  static KernelDesc kernel_of(const Point& point, const TexelKind& kind, const TexelBlocks& blocks) {
    KernelDesc desc{.name = "texture_bandwidth",
                    .definitions = {{"BLOCK_WIDTH", std::to_string(blocks.block_width)},
                                    {"CHANNELS", std::to_string(blocks.channels)},
                                    {"LOADS", std::to_string(blocks.loads())}},
                    .local_size = group_size_of(point),
                    .bindings = {{"data", BindingKind::image2d}, {"out"}, {"stamps"}},
                    .parameters = kTextureBandwidthParameters,
                    .subgroup_size = required_subgroup_size(point)};
    if (word(point, kTest) == kFilter) {
      desc.name = "texture_filter";
      desc.bindings.front().kind = is_linear(point) ? BindingKind::linear2d : BindingKind::nearest2d;
      desc.definitions["LINEAR"] = is_linear(point) ? "1" : "0";
      return desc;
    }
    desc.definitions["STRIDE"] = std::to_string(blocks.stride);
    if (kind.is_float) desc.definitions["FLOAT_TEXELS"] = "1";
    return desc;
  }

  /// Formats whose second stride no longer fits have none.
  static std::vector<std::uint32_t> strides(const Options& options, const TexelKind& kind) {
    if (const auto wanted = options[kStrides]) return {*wanted};
    std::vector<std::uint32_t> all{1, 2, 4};
    std::erase_if(all, [&](std::uint32_t stride) { return image_bytes(kind, stride) > kMostFootprint; });
    return all.size() > 1 ? all : std::vector<std::uint32_t>{};
  }
};

const RegisterExperiment registered(std::make_unique<TextureBandwidth>());

}  // namespace
}  // namespace percycle::texture_bandwidth_experiment
