#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/dram_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/slow_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::dram_bandwidth_experiment {
namespace {

// An H200 starts 1.66 work-groups per ns. Smaller chunks would make that the limit.
constexpr std::uint64_t kSmallestChunk = 4 * kKiB;
constexpr std::uint64_t kLargestChunk = 16 * kKiB;  // with preset standard, to save time
constexpr std::uint64_t kArrayGranule = kMiB;

/// Work-group size and accesses of an invocation to each array.
struct StreamShape {
  std::uint32_t group_size = 0;
  std::uint32_t unroll = 0;
};

std::vector<StreamShape> shapes_for(const DeviceInfo& device, Preset preset) {
  if (preset == Preset::full)
    return {{256, 1}, {256, 2}, {256, 4}, {256, 8}, {512, 1}, {512, 2}, {512, 4}, {1024, 1}, {1024, 2}, {1024, 4}};
  if (preset == Preset::quick || device.type != DeviceType::gpu) return {{256, 4}};
  // The last shape is for a width of 4 bytes: the others keep too few bytes in flight.
  return {{256, 1}, {256, 2}, {256, 4}, {256, 8}};
}

/// The shapes, or the largest one of a device whose work-groups are smaller than all of them.
std::vector<StreamShape> fitting(std::vector<StreamShape> shapes, const DeviceInfo& device) {
  const auto fits = [&](const StreamShape& shape) { return shape.group_size <= device.max_group_size; };
  if (std::ranges::any_of(shapes, fits)) return shapes;
  return {{std::bit_floor(std::max(device.max_group_size, 1u)), 8}};
}

const WordsParameter kOps{"op",
                          {"read", "write", "copy", "scale", "triad"},
                          "read: sum of a; write: c = hash; copy: c = a; scale: c = f a; triad: c = a + f b; on 32-bit integers"};
const WordsParameter kWidths{
    "width", {"4", "8", "16"}, ParameterSpec::kAutomatic, "bytes that an invocation moves at once; auto: all (quick: 16)"};
const BytesParameter kFootprints{
    "footprint",
    "bytes of the array (read, write) or of two arrays (copy, scale; triad has a third one); auto: 4 GiB on GPUs (quick: 1 "
    "GiB) or the largest buffer, 64 MiB on CPUs and simulated devices (quick: 16 MiB, full: 256 MiB)"};

/// At least four times the largest last level (256 MiB Infinity Cache of an MI300X). More hides the
/// ends of a pass: on an H200 0.5 GiB reads 3 % slower than 4 GiB. Time limits CPUs and simulated
/// devices, which are a hundred times slower.
std::uint64_t automatic_footprint(const DeviceInfo& device, const Options& options) {
  if (!is_slow(device)) return options.preset == Preset::quick ? kGiB : 4 * kGiB;
  return by_preset(options.preset, 16 * kMiB, 64 * kMiB, 256 * kMiB);
}

/// Bytes of each array: the user's choice, even if no buffer holds it. With auto, one buffer and
/// one dispatch with chunks of up to `largest_chunk` must hold it.
std::uint64_t array_bytes(const DeviceInfo& device, const Options& options, const std::string& op, std::uint64_t largest_chunk) {
  const std::uint64_t arrays = array_count(op) == 1 ? 1 : 2;
  if (const auto wanted = options[kFootprints]) {
    if (*wanted % (arrays * kArrayGranule) != 0)
      throw options.refusal(kFootprints,
                            fmt::format("dram-bandwidth's {} takes multiples of {}", op, format_bytes(arrays * kArrayGranule)));
    return *wanted / arrays;
  }
  const std::uint64_t most = std::min(chase_capacity(device, "global"), device.max_groups * largest_chunk);
  const std::uint64_t array = std::min(automatic_footprint(device, options) / arrays, most);
  return array - array % kArrayGranule;
}

/// STREAM's operations (McCalpin) on arrays larger than all caches. As in STREAM, each array counts
/// once per pass.
class DramBandwidth final : public Experiment {
 public:
  std::string name() const override { return "dram-bandwidth"; }
  Presentation presentation() const override {
    return {.title = "Bandwidth of device memory",
            .question = "How many bytes per second does memory move, for read, write, copy, scale and triad?",
            .method =
                "Each sample makes one or more passes over arrays that are far larger than all caches. The requested bytes "
                "count, reads and writes added.",
            .metric = "memory bandwidth: GB/s, every array counted once per pass",
            .operation = "pass",
            .order = 240,
            .configuration = {"group_size", "unroll"},
            .sizes = {"footprint"},
            .limits = {{.quantity = Quantity::memory}},
            .takes_all_units = true,
            .place = HierarchyPlace::memory,
            .place_only = {{"op", "read"}},
            .leads = true,
            .summary = {{.line = "bandwidth",
                         .only = {{"op", "read"}},
                         .figure = figures::kGbPerS,
                         .key = "memory read",
                         .words = "bandwidth of reads from memory"},
                        {.line = "bandwidth",
                         .only = {{"op", "copy"}},
                         .figure = figures::kGbPerS,
                         .key = "memory copy",
                         .words = "bandwidth of copies in memory"}},
            .ceilings = {{.level = "memory", .only = {{"op", "read"}}, .roof = "memory"},
                         {.level = "memory", .only = {{"op", "copy"}}, .roof = "memory copy", .in_chart = false},
                         {.level = "memory"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kOps, kWidths, kFootprints, kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const auto widths =
        options.words_or(kWidths, options.preset == Preset::quick ? std::vector<std::string>{"16"} : kWidths.choices);
    Point question{name(), {}};
    require_execution_mode(question, options);
    std::vector<Point> points;
    for (const Point& each : product(question, {{"op", options[kOps]}, {"width", numbers(widths)}}))
      append(points, searched(*this, device, each, {{shapes_of(device, options, each)}, best_count(options.preset)}, done));
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    return memory_passes_unsupported(device, config_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = memory_passes_trial(device, config_of(point), seed);
    apply_role(trial, point);
    return trial;
  }

 private:
  /// The footprint and the shapes whose chunks have a useful size.
  static Axis shapes_of(const DeviceInfo& device, const Options& options, const Point& question) {
    const auto shapes = fitting(shapes_for(device, options.preset), device);
    const std::string& op = word(question, "op");
    const auto chunk_of = [width = number(question, "width")](const StreamShape& shape) {
      return std::uint64_t{shape.group_size} * shape.unroll * width;
    };
    std::uint64_t largest_chunk = 0;
    for (const auto& shape : shapes) {
      if (shape.group_size <= device.max_group_size) largest_chunk = std::max(largest_chunk, chunk_of(shape));
    }
    const std::uint64_t footprint = array_bytes(device, options, op, largest_chunk) * array_count(op);
    std::vector<Parameters> all;
    for (const auto& shape : shapes) {
      const std::uint64_t chunk = chunk_of(shape);
      const bool is_small = chunk < kSmallestChunk && shapes.size() > 1;
      if (is_small || (options.preset == Preset::standard && chunk > kLargestChunk)) continue;
      all.push_back({{"footprint", footprint}, {"group_size", shape.group_size}, {"unroll", shape.unroll}});
    }
    return Axis(all);
  }

  static MemoryPasses config_of(const Point& point) {
    const auto& op = word(point, "op");
    return {.op = op,
            .width = number<std::uint32_t>(point, "width"),
            .array_bytes = number(point, "footprint") / array_count(op),
            .group_size = number<std::uint32_t>(point, "group_size"),
            .unroll = number<std::uint32_t>(point, "unroll"),
            .subgroup_size = required_subgroup_size(point)};
  }
};

const RegisterExperiment registered(std::make_unique<DramBandwidth>());

}  // namespace
}  // namespace percycle::dram_bandwidth_experiment
