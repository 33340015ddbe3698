#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/intensity.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/slow_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::intensity_experiment {
namespace {

constexpr const char* kLevel = "level";
constexpr const char* kFmas = "fmas";
constexpr const char* kGroupSize = "group_size";
constexpr const char* kGroupsPerUnit = "groups_per_unit";
constexpr const char* kRows = "rows";
constexpr const char* kFootprint = "footprint";

constexpr const char* kL1 = "l1";
constexpr const char* kL2 = "l2";
constexpr const char* kDram = "dram";

constexpr std::uint32_t kMostFmas = 1024;
constexpr std::uint32_t kMostFmasOfCpu = 64;
// With fewer multiply-adds than this, a search also tries twice as many rows: more loads in flight,
// and a smaller share of a turn's other instructions.
constexpr std::uint32_t kFewFmasOfRows = 32;
// With fewer than this, it also tries larger groups for the L2.
constexpr std::uint32_t kFewFmasOfGroups = 8;

const WordsParameter kLevels{
    kLevel,
    {kL1, kL2, kDram},
    "l1: one tile that all subgroups load; l2: loads that no cache of a unit serves; dram: an array larger than all caches"};
const NumberParameter kAllFmas{
    kFmas, "multiply-adds per loaded word, a power of two; auto: 1, 2, 4, ... 1024, on CPUs 64 (quick: every third)", kMostFmas};
const BytesParameter kFootprints{
    kFootprint,
    "bytes of the array in memory; auto: 4 GiB on GPUs (quick: 1 GiB) or the largest buffer, else 16 MiB (full: 64 MiB)"};

Intensity intensity_of(const Point& point) {
  return {.level = word(point, kLevel),
          .fmas = number<std::uint32_t>(point, kFmas),
          .group_size = number_or<std::uint32_t>(point, kGroupSize, kIntensityGroup),
          .groups_per_unit = number_or(point, kGroupsPerUnit, 0u),
          .rows = number_or(point, kRows, 0u),
          .footprint = number_or(point, kFootprint, std::uint64_t{0})};
}

std::uint64_t automatic_footprint(const DeviceInfo& device, Preset preset) {
  const bool gpu = !is_slow(device);
  const std::uint64_t wanted = gpu ? (preset == Preset::quick ? kGiB : 4 * kGiB) : preset == Preset::full ? 64 * kMiB : 16 * kMiB;
  return std::min(wanted, most_intensity_bytes(device)) / kLargestIntensityTile * kLargestIntensityTile;
}

/// A roofline measured point by point (docs/experiments/bandwidth.md).
class IntensitySweep final : public Experiment {
 public:
  std::string name() const override { return "intensity"; }

  Presentation presentation() const override {
    return {
        .title = "Rate by operational intensity",
        .question = "How many multiply-adds per second remain if their operands come from a cache or from memory?",
        .method =
            "Each word that a lane loads takes part in 32-bit multiply-adds: few at one end of the sweep, hundreds at the "
            "other. With few, the bandwidth of the level that serves the loads limits the rate; with many, the execution units "
            "do. The host computes the same sums.",
        .metric = "rate of multiply-adds: 1e9 per second, and GB/s of the loads",
        .operation = "multiply-add",
        .order = 440,
        .configuration = {kGroupSize, kGroupsPerUnit, kRows},
        .sizes = {kGroupsPerUnit, kFootprint},
        .limits = {{.only = {{kLevel, kL1}}, .quantity = Quantity::load},
                   {.only = {{kLevel, kDram}}, .quantity = Quantity::memory}},
        .takes_all_units = true,
        .below_full_rate = {{kLevel, kL1}, {kLevel, kL2}, {kLevel, kDram}},
        .curves = {{.name = "intensity",
                    .title = "Rate by operational intensity",
                    .x = kFmas,
                    .x_title = "multiply-adds per loaded word of 4 bytes",
                    .y = {figures::kGopsPerS},
                    .y_scale = AxisScale::doubled,
                    .follows = {kFootprint}}},
        .intensity = {.parameter = kFmas,
                      .flops_per_byte = 2.0 / sizeof(float),
                      .flops_per_op = 2,
                      .level = kLevel,
                      .bandwidths = {{kL1, "L1"}, {kL2, "shared caches"}, {kDram, "memory"}},
                      .rate = "FP32"}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kLevels, kAllFmas, kFootprints}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (Point& question : product({name(), {}}, {{kLevel, options[kLevels]}, {kFmas, fmas_of(device, options)}})) {
      if (word(question, kLevel) == kDram)
        question.parameters[kFootprint] = options[kFootprints].value_or(automatic_footprint(device, options.preset));
      append(points, best_configurations(all_configurations(device, options.preset, question), done, 1, Merit::device));
      while (!options[kFootprints] && takes_too_long(question, done) && has_smaller(question)) {
        append(points, best_configurations(all_configurations(device, options.preset, question), done, 1, Merit::device));
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    return intensity_unsupported(device, intensity_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = intensity_trial(device, intensity_of(point), seed);
    apply_role(trial, point);
    return trial;
  }

 private:
  /// Whether the device would take too long for one pass of the question.
  static bool takes_too_long(const Point& question, std::span<const PointResult> done) {
    return std::ranges::any_of(done, [&](const PointResult& result) {
      const auto& found = result.point.parameters;
      const auto has = [&](const auto& parameter) {
        const auto at = found.find(parameter.first);
        return at != found.end() && at->second == parameter.second;
      };
      return result.point.experiment == question.experiment && std::ranges::all_of(question.parameters, has) &&
             result.outcome.status == Status::unsupported && result.outcome.reason.starts_with(kLongDispatch);
    });
  }

  /// Makes the question one of a quarter of the bytes, which still are larger than caches.
  static bool has_smaller(Point& question) {
    constexpr std::uint64_t kLeast = 16 * kMiB;
    const std::uint64_t bytes = number<std::uint64_t>(question, kFootprint) / 4 / kLargestIntensityTile * kLargestIntensityTile;
    if (bytes < kLeast) return false;
    question.parameters[kFootprint] = bytes;
    return true;
  }

  static std::vector<std::uint32_t> fmas_of(const DeviceInfo& device, const Options& options) {
    if (const auto fmas = options[kAllFmas]) {
      if (!std::has_single_bit(*fmas)) throw options.refusal(kAllFmas, "intensity takes powers of two");
      return {*fmas};
    }
    std::vector<std::uint32_t> all;
    const std::uint32_t step = options.preset == Preset::quick ? 3 : 1;
    const std::uint32_t most = device.type == DeviceType::cpu ? kMostFmasOfCpu : kMostFmas;
    for (std::uint32_t fmas = 1; fmas <= most; fmas <<= step) all.push_back(fmas);
    return all;
  }

  /// Work-groups of a unit. In the L2 a large group has a large tile, whose lines are spread more
  /// evenly over the slices.
  static std::vector<DispatchShape> shapes_for(const DeviceInfo& device, Preset preset, bool large_too) {
    if (preset == Preset::quick || device.type == DeviceType::cpu) return {{256, 4}};
    std::vector<DispatchShape> shapes{{256, 2}, {256, 4}, {256, 8}};
    if (large_too) shapes.insert(shapes.end(), {{1024, 1}, {1024, 2}});
    return possible_shapes(device, shapes);
  }

  /// The question with each shape and, for few multiply-adds, number of rows; without any for DRAM.
  static std::vector<Point> all_configurations(const DeviceInfo& device, Preset preset, const Point& question) {
    const std::string& level = word(question, kLevel);
    if (level == kDram) return {question};
    const auto fmas = number<std::uint32_t>(question, kFmas);
    const auto shapes = shapes_for(device, preset, fmas < kFewFmasOfGroups && level == kL2);
    std::vector<Parameters> lists;
    for (const DispatchShape& shape : shapes)
      lists.push_back({{kGroupSize, shape.group_size}, {kGroupsPerUnit, shape.groups_per_unit}});
    std::vector<Axis> axes{Axis(lists)};
    if (fmas < kFewFmasOfRows && shapes.size() > 1) axes.emplace_back(kRows, std::vector{kMostTileRows, 2 * kMostTileRows});
    return product(question, axes);
  }
};

const RegisterExperiment registered(std::make_unique<IntensitySweep>());

}  // namespace
}  // namespace percycle::intensity_experiment
