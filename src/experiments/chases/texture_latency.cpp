#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/chases.hpp"

namespace percycle::texture_latency_experiment {
namespace {

constexpr const char* kWidth = "width";
constexpr const char* kHeight = "height";

/// Four channels of 16 bits: a texel holds the place of the next one, and every driver has the
/// format.
constexpr TexelFormat kFormat = TexelFormat::rgba16_uint;
constexpr std::uint64_t kTexelBytes = 8;
/// A node has the texels of a square. Its 128 B are the longest known line. NVIDIA (block linear)
/// and AMD (64 KiB and 256 B swizzles) keep these squares together.
constexpr std::uint32_t kSide = 4;
constexpr std::uint64_t kNodeBytes = std::uint64_t{kSide} * kSide * kTexelBytes;
constexpr std::uint64_t kLeastFootprint = 2 * kNodeBytes;
constexpr std::uint32_t kMostTexturesPerOctave = 64;

const std::vector<KernelParameter> kTextureLatencyParameters{{"loops", "timed turns of 31 loads"},
                                                             {"warm_loops", "turns before the clocks are read"},
                                                             {"lanes", "lanes that walk"},
                                                             {"width", "texels of a row"}};

const BytesParameter kMin{"min", "smallest footprint", "4K"};
const BytesParameter kMax{"max",
                          "largest footprint; auto: 1G on GPUs with at least 8 GiB, 512M elsewhere (quick: 256M, on CPUs 16M), "
                          "or the largest image"};
const NumberParameter kPointsPerOctave{"points_per_octave", "footprints per doubling; auto: 1 (quick), 4, 8 (full)",
                                       kMostTexturesPerOctave};

/// Nodes in rows: an image about as wide as it is high.
struct TextureShape {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;

  std::uint64_t nodes() const { return std::uint64_t{columns} * rows; }
  std::uint64_t bytes() const { return nodes() * kNodeBytes; }
  std::uint32_t width() const { return columns * kSide; }
  std::uint32_t height() const { return rows * kSide; }
};

/// The largest image of at most so many bytes whose longer side is at most twice the shorter one.
/// Its rows have a power of two of nodes.
TextureShape shape_of(std::uint64_t footprint) {
  const std::uint64_t nodes = footprint / kNodeBytes;
  auto columns = std::bit_floor(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(nodes))));
  if (nodes / columns >= 2 * columns) columns *= 2;
  return {static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(nodes / columns)};
}

std::uint64_t most_bytes(const DeviceInfo& device, Preset preset) {
  if (preset != Preset::quick) return beyond_caches(device);
  return (device.type == DeviceType::cpu ? 16 : 256) * kMiB;
}

/// The largest footprint of the device: an image is made of a buffer, and both exist at once.
std::uint64_t most_bytes(const DeviceInfo& device) {
  const std::uint64_t side = std::min<std::uint64_t>(device.max_image_side.value_or(0), 1u << 16u) / kSide;
  const std::uint64_t memory =
      std::min(device.max_allocation_bytes.value_or(UINT64_MAX), device.memory_bytes.value_or(UINT64_MAX) / 4);
  return std::min({side * side * kNodeBytes, memory, device.max_storage_bytes});
}

class TextureLatency final : public Experiment {
 public:
  std::string name() const override { return "texture-latency"; }
  Presentation presentation() const override {
    return {.title = "Latency of a texel",
            .question = "How long does a dependent load from a two-dimensional texture take, by footprint?",
            .method =
                "Each texel holds the column and the row of the next one. The chain is one random cycle with one node per "
                "square of 4 x 4 texels (128 B), in the driver's tiling and without a filter. One lane walks it.",
            .metric = "load-to-use latency: ns and cycles per load",
            .operation = "load",
            .order = 112,
            .configuration = {kWidth, kHeight},
            .sizes = {parameter::kFootprint},
            .curves = {{.name = "texture-latency",
                        .title = "Latency of a texel by the size of the texture",
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                        .y_scale = AxisScale::doubled,
                        .follows = {kWidth, kHeight}}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kMin, kMax, kPointsPerOctave, kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult>) const override {
    const std::uint64_t min = std::max(options[kMin].value_or(0), kLeastFootprint);
    const std::uint64_t automatic = std::max(min, most_bytes(device, options.preset));
    const std::uint64_t max = std::min(options[kMax].value_or(automatic), std::max(most_bytes(device), min));
    if (max < min) throw options.refusal(kMax, "texture-latency begins at " + format_bytes(min));
    const unsigned per_octave = options[kPointsPerOctave].value_or(by_preset(options.preset, 1u, 4u, 8u));
    std::vector<Point> points;
    for (const std::uint64_t size : octave_grid(min, max, per_octave, kNodeBytes)) {
      const TextureShape shape = shape_of(size);
      Point point{name(), {{parameter::kFootprint, shape.bytes()}, {kWidth, shape.width()}, {kHeight, shape.height()}}};
      require_execution_mode(point, options);
      if (points.empty() || points.back() != point) points.push_back(std::move(point));
      // If the smallest texture is unsupported, all are: one point reports it.
      if (unsupported(device, points.front())) break;
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (!device.max_image_side) return "the device has no textures of two dimensions";
    const auto side = std::max(number<std::uint32_t>(point, kWidth), number<std::uint32_t>(point, kHeight));
    if (side > *device.max_image_side)
      return fmt::format("textures have at most {} texels in a row or a column", *device.max_image_side);
    const auto subgroup = required_subgroup_size(point);
    return group_unsupported(device, chase_group_size(device, "texture", 1, subgroup), subgroup);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const DeviceInfo& info = device.info();
    const TextureShape shape{number<std::uint32_t>(point, kWidth) / kSide, number<std::uint32_t>(point, kHeight) / kSide};
    const std::uint64_t nodes = shape.nodes();
    const ChainImage image{Chain(nodes, ChainOrder::random, seed),
                           {.stride_bytes = kSide * kTexelBytes,
                            .columns = shape.columns,
                            .row_stride_bytes = std::uint64_t{kSide} * shape.width() * kTexelBytes,
                            .texel_step = kSide}};
    const auto state = device.create(BufferDesc{sizeof(std::uint64_t)});
    const auto out = result_buffer(device, sizeof(std::uint64_t));
    const Binding texture{nullptr, texture_of(device, image, shape, state)};
    const auto subgroup = required_subgroup_size(point);

    Trial trial;
    if (nodes > kWarmLapNodes) trial.setup = touch_chain(device, texture, BindingKind::image2d, image);
    const std::uint64_t warm_loops = warm_turns(nodes);
    trial.timed.dispatch = {
        device.create(KernelDesc{.name = "texture_latency",
                                 .local_size = chase_group_size(info, "texture", 1, subgroup),
                                 .bindings = {{"chain", BindingKind::image2d}, {"state"}, {"out"}},
                                 .parameters = kTextureLatencyParameters,
                                 .subgroup_size = subgroup}),
        {texture, {state, nullptr}, {out, nullptr}},
        {{"loops", 0}, {"warm_loops", static_cast<std::uint32_t>(warm_loops)}, {"lanes", 1}, {"width", shape.width()}},
        1};
    trial.timed.ops_per_loop = kLoadsPerTurn;
    // A kernel gets two channels of 32 bits.
    trial.timed.turn = {
        {.path = MemoryPath::texture, .kind = AccessKind::read, .width = 2 * sizeof(std::uint32_t), .count = kLoadsPerTurn}};
    trial.timed.max_loops = max_loops(info, warm_loops);
    trial.timed.verify = [out, image, shape, warm_loops, walked = std::uint64_t{0}](Device& on, std::uint64_t loops) mutable {
      walked += (warm_loops + loops) * kLoadsPerTurn;
      const std::uint32_t node = image.chain.place(walked);
      const std::uint64_t expected =
          std::uint64_t{node / shape.columns} * kSide * shape.width() + std::uint64_t{node % shape.columns} * kSide;
      const std::uint64_t found = read_results<std::uint64_t>(on, *out, 1).front();
      if (found == expected) return Outcome{};
      return Outcome{Status::invalid,
                     fmt::format("the walk ended at texel {} instead of {} after {} loads", found, expected, walked)};
    };
    trial.clocks = ClockReadings{out, 0};
    trial.ops_per_lap = nodes;
    observe_subgroup_size(trial, device);
    return trial;
  }

 private:
  /// The chain as an image, and its first link in `state`. The device copies the buffer when it
  /// makes the image, so the chain must be there before.
  static std::shared_ptr<Image> texture_of(Device& device, const ChainImage& image, const TextureShape& shape,
                                           const std::shared_ptr<Buffer>& state) {
    const auto texels = device.create(BufferDesc{shape.bytes()});
    for (const Dispatch& dispatch : build_chain(device, texels, state, image)) device.run(dispatch);
    return device.create(ImageDesc{.buffer = texels, .format = kFormat, .width = shape.width()});
  }
};

const RegisterExperiment registered(std::make_unique<TextureLatency>());

}  // namespace
}  // namespace percycle::texture_latency_experiment
