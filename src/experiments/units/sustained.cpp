#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/arithmetic/parts/matrix_stream.hpp"
#include "experiments/bandwidth/parts/cache_bandwidth.hpp"
#include "experiments/bandwidth/parts/dram_bandwidth.hpp"
#include "experiments/bandwidth/parts/intensity.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::sustained_experiment {
namespace {

constexpr const char* kLoad = "load";
constexpr const char* kSeconds = "seconds";
constexpr const char* kRest = "rest_seconds";
constexpr const char* kAutomatic = ParameterSpec::kAutomatic;

constexpr const char* kFma = "fma";
constexpr const char* kFp64 = "fp64";
constexpr const char* kMatrix = "matrix";
constexpr const char* kLocal = "local";
constexpr const char* kL2 = "l2";
constexpr const char* kDram = "dram";
constexpr const char* kMixed = "mixed";

constexpr double kNsPerSecond = 1e9;
// Short enough to show a change, long enough that checks between samples do not cool the device.
constexpr double kSamplesOfLoad = 600;
constexpr double kShortestSampleNs = 10e6;
constexpr double kLongestSampleNs = 50e6;

// Near the best configurations of an H100.
constexpr std::uint32_t kLargestGroup = 1024;
constexpr std::uint32_t kFmaChains = 2;
constexpr std::uint32_t kMatrixChains = 4;
constexpr std::uint32_t kMatrixSubgroups = 8;
constexpr std::uint32_t kSubgroupsOfCpu = 2;
constexpr std::uint32_t kLocalRows = 8;
constexpr std::uint32_t kCacheUnroll = 4;
constexpr std::uint32_t kVector = 16;  // bytes of a load
constexpr DispatchShape kLocalShape{256, 8};
constexpr std::uint32_t kMemoryGroup = 256;
constexpr std::uint32_t kMemoryUnroll = 4;
// Multiply-adds per loaded word: about where the roofs of memory and FP32 cross on an H100 (41.6).
constexpr std::uint32_t kMixedFmas = 32;
constexpr std::uint64_t kMemoryStep = std::uint64_t{kMemoryGroup} * kMemoryUnroll * kVector;

const WordsParameter kLoads{
    kLoad,
    {kAutomatic, kFma, kFp64, kMatrix, kLocal, kL2, kDram, kMixed},
    kAutomatic,
    "fma: FP32 multiply-adds; fp64: FP64 multiply-adds; matrix: products of FP16 matrices; local: loads of local memory; l2: "
    "loads that no cache of a "
    "unit serves; dram: reads of memory; mixed: 32 multiply-adds on each word read from memory; auto: all (quick: fma and dram)"};
const NumberParameter kLoadSeconds{kSeconds, "duration of each load; auto: 3 (quick: 1, full: 30)", 3600};
const NumberParameter kRestSeconds{kRest, "rest before each load; auto: 2 (quick: 1, full: 20); CPUs do not rest", 3600};

/// One kind of load for seconds to minutes (docs/experiments/units.md).
class Sustained final : public Experiment {
 public:
  std::string name() const override { return "sustained"; }

  Presentation presentation() const override {
    return {
        .title = "Sustained load",
        .question = "Which rate, clock, power and temperature does a device hold under load, and how much energy does it take?",
        .method =
            "One kernel runs again and again for some seconds, after a rest without load. "
            "Every fourth run is a sample and is verified; its rate and clock, and the telemetry, give curves over time. Steady "
            "figures come from the last third. "
            "Energy comes from the card's counter, else from its power over time. percycle never sets a clock, a limit or a fan.",
        .metric = "rate over all samples, and steady rate; energy in pJ per byte or operation",
        .operation = "load",
        .order = 270,
        .sizes = {kSeconds, kRest},
        .limits = {{.only = {{kLoad, kDram}}, .quantity = Quantity::memory},
                   {.only = {{kLoad, kLocal}}, .quantity = Quantity::local},
                   {.only = {{kLoad, kFma}}, .quantity = Quantity::fp32},
                   {.only = {{kLoad, kFp64}}, .quantity = Quantity::fp64},
                   {.only = {{kLoad, kMatrix}}, .quantity = Quantity::matrix_fp16}},
        .takes_all_units = true,
        .bars = {{.title = "Energy under a sustained load",
                  .y = {figures::kPjPerByte, figures::kPjPerOperation},
                  .split = {kLoad}}},
        .words = {{kLoad, kFma, "FP32 multiply-adds"},
                  {kLoad, kFp64, "FP64 multiply-adds"},
                  {kLoad, kMatrix, "products of matrices"},
                  {kLoad, kLocal, "reads of local memory"},
                  {kLoad, kL2, "reads of the L2"},
                  {kLoad, kDram, "reads of memory"},
                  {kLoad, kMixed, "multiply-adds of operands from memory"},
                  {kSeconds, "", "for {} s"},
                  {kRest, "", "after {} s of rest"}},
        .summary = {steady(kFma, figures::kSteadyGopsPerS, "steady FP32", "FP32 rate under a steady load"),
                    steady(kDram, figures::kSteadyGbPerS, "steady memory", "memory bandwidth under a steady load")}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kLoads, kLoadSeconds, kRestSeconds}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult>) const override {
    std::vector<std::string> loads = options[kLoads];
    if (options.has(kLoads, kAutomatic)) {
      loads = options.preset == Preset::quick ? std::vector<std::string>{kFma, kDram}
                                              : std::vector<std::string>{kFma, kFp64, kMatrix, kLocal, kL2, kDram, kMixed};
    }
    Point question{name(), {{kSeconds, options[kLoadSeconds].value_or(by_preset(options.preset, 1, 3, 30))}}};
    if (device.type != DeviceType::cpu && device.model.empty())
      question.parameters[kRest] = options[kRestSeconds].value_or(by_preset(options.preset, 1, 2, 20));
    return product(question, {{kLoad, loads}});
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const std::string& load = word(point, kLoad);
    if (load == kFma || load == kFp64) return instruction_stream_unsupported(device, fma_of(device, load));
    if (load == kLocal) return unit_bandwidth_unsupported(device, local_of(device));
    if (load == kL2) return cache_laps_unsupported(device, laps_of(device));
    if (load == kDram) return memory_passes_unsupported(device, passes_of(device));
    if (load == kMixed) return intensity_unsupported(device, mixed_of(device));
    const MatrixShape* shape = matrix_shape(device);
    if (shape == nullptr) return "the device offers no products of FP16 matrices with FP32 sums";
    return matrix_stream_unsupported(device, matrix_of(device, *shape));
  }

  std::chrono::seconds planned_time(const Point& point) const override {
    return std::chrono::seconds(number(point, kSeconds) + number_or(point, kRest, 0u));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = load_trial(device, word(point, kLoad), seed);
    const double load_ns = kNsPerSecond * static_cast<double>(number(point, kSeconds));
    trial.sustained =
        SustainedLoad{.rest_ns = kNsPerSecond * static_cast<double>(number_or(point, kRest, 0u)), .load_ns = load_ns};
    trial.sample_ns = std::clamp(load_ns / kSamplesOfLoad, kShortestSampleNs, kLongestSampleNs);
    return trial;
  }

 private:
  static SummaryFigure steady(const char* load, const char* figure, const char* key, const char* words) {
    return {.line = "steady load", .only = {{kLoad, load}}, .figure = figure, .key = key, .words = words};
  }

  static Trial load_trial(Device& device, const std::string& load, std::uint64_t seed) {
    const DeviceInfo& info = device.info();
    if (load == kFma || load == kFp64) return instruction_stream_trial(device, fma_of(info, load));
    if (load == kLocal) return unit_bandwidth_trial(device, local_of(info), seed);
    if (load == kL2) return cache_laps_trial(device, laps_of(info), seed);
    if (load == kDram) return memory_passes_trial(device, passes_of(info), seed);
    if (load == kMixed) return intensity_trial(device, mixed_of(info), seed);
    return matrix_stream_trial(device, matrix_of(info, *matrix_shape(info)));
  }

  /// As many subgroups as a unit holds: two of the largest work-groups.
  static InstructionStream fma_of(const DeviceInfo& device, const std::string& load) {
    const std::uint32_t lanes = stream_lanes(device, std::nullopt);
    const bool is_cpu = device.type == DeviceType::cpu;
    const std::uint32_t most = std::max(std::min(kLargestGroup, largest_group(device, std::nullopt)) / lanes, 1u);
    const std::uint32_t of_group = is_cpu ? std::min(most, kSubgroupsOfCpu) : most;
    return {.operation = find_stream_operation(load == kFp64 ? "fp64-fma" : "fp32-fma"),
            .chains = kFmaChains,
            .subgroups = is_cpu ? of_group : 2 * of_group,
            .group_size = of_group * lanes};
  }

  static const MatrixShape* matrix_shape(const DeviceInfo& device) {
    const MatrixShape* best = nullptr;
    for (const MatrixShape& shape : device.matrix_shapes) {
      if (shape.factors != "fp16" || shape.sums != "fp32" || shape.invocations) continue;
      const auto size = [](const MatrixShape& one) { return one.rows * one.columns * one.depth; };
      if (best == nullptr || size(shape) > size(*best)) best = &shape;
    }
    return best;
  }

  static MatrixStream matrix_of(const DeviceInfo& device, const MatrixShape& shape) {
    const auto subgroup_size = matrix_subgroup_size(device, shape);
    const std::uint32_t lanes = stream_lanes(device, subgroup_size);
    const std::uint32_t of_group = std::clamp(largest_group(device, subgroup_size) / lanes, 1u, kMatrixSubgroups);
    return {.shape = shape,
            .chains = kMatrixChains,
            .subgroups = 2 * of_group,
            .group_size = of_group * lanes,
            .subgroup_size = subgroup_size};
  }

  static UnitBandwidth local_of(const DeviceInfo& device) {
    const DispatchShape shape = possible_shapes(device, {kLocalShape}).front();
    return {.path = "local",
            .width = kVector,
            .rows = kLocalRows,
            .group_size = shape.group_size,
            .groups_per_unit = shape.groups_per_unit,
            .unroll = kLocalRows};
  }

  /// Slices of one tile: all of them together fit the shared caches.
  static CacheLaps laps_of(const DeviceInfo& device) {
    const std::uint32_t size = std::min(kLargestGroup, largest_group(device, std::nullopt));
    const std::uint32_t groups = all_units(device);
    return {.coherent = true,
            .slices = true,
            .footprint = std::uint64_t{groups} * size * kVector * kCacheUnroll,
            .groups = groups,
            .group_size = size,
            .unroll = kCacheUnroll};
  }

  static MemoryPasses passes_of(const DeviceInfo& device) {
    const bool is_gpu = device.type == DeviceType::gpu && device.model.empty();
    const std::uint64_t wanted = is_gpu ? 4 * kGiB : device.model.empty() ? 64 * kMiB : 16 * kMiB;
    const std::uint64_t most = std::min({wanted, chase_capacity(device, "global"), device.max_groups * kMemoryStep});
    return {.op = "read",
            .width = kVector,
            .array_bytes = most - most % kMemoryStep,
            .group_size = kMemoryGroup,
            .unroll = kMemoryUnroll};
  }

  static Intensity mixed_of(const DeviceInfo& device) {
    static_assert(kMemoryStep % kLargestIntensityTile == 0);
    return {.fmas = kMixedFmas, .footprint = passes_of(device).array_bytes};
  }
};

const RegisterExperiment registered(std::make_unique<Sustained>());

}  // namespace
}  // namespace percycle::sustained_experiment
