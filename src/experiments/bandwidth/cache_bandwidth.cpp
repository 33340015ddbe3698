#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/configuration.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/cache_bandwidth.hpp"
#include "experiments/bandwidth/parts/stores.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/slow_device.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"

namespace percycle::cache_bandwidth_experiment {
namespace {

/// The configurations of a search: work-group size and loads of a lane per loop turn. One group per
/// unit must keep enough loads in flight: 16 to 128 KiB.
Axis shapes(Preset preset) {
  const auto shape = [](int size, int unroll) { return Parameters{{"group_size", size}, {"unroll", unroll}}; };
  return Axis(by_preset<std::vector<Parameters>>(
      preset, {shape(256, 4), shape(1024, 4)}, {shape(256, 4), shape(512, 4), shape(1024, 4), shape(1024, 8)},
      {shape(256, 4), shape(256, 8), shape(512, 4), shape(512, 8), shape(1024, 4), shape(1024, 8)}));
}

// A tile is the part that a group reads in one turn: here of the smallest and of the largest shape.
constexpr std::uint64_t kSmallestTile = std::uint64_t{256} * 4 * 16;
constexpr std::uint64_t kLargestTile = std::uint64_t{1024} * 8 * 16;
/// Largest tile of slices. A larger one would leave no slice between 256 and 512 KiB.
constexpr std::uint64_t kLargestSliceTile = std::uint64_t{1024} * 4 * 16;
constexpr std::uint64_t kSmallestFootprint = 4 * kKiB;

/// Above this footprint there is no search. The host needs 0.1 s or more to check a configuration,
/// and on an H200 the largest group with fewer loads per turn is the fastest at every footprint.
constexpr std::uint64_t kSearchUpTo = 64 * kMiB;

/// The group sizes of test=units, which must not differ between points. The first that the device
/// supports is used.
constexpr std::array kUnitsGroups{512, 256};
constexpr std::uint64_t kUnitsTile = std::uint64_t{512} * 4 * 16;
/// Fits the second level of nearly every device since 2014.
constexpr std::uint64_t kUnitsFootprint = 4 * kMiB;

/// Laps from `least` to `most` bytes. A lap is a multiple of every tile up to half of it and up to
/// `largest_tile`, so that all points of a curve can use the same shapes.
std::vector<std::uint64_t> laps(std::uint64_t least, std::uint64_t most, unsigned per_octave, std::uint64_t largest_tile) {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t bytes : octave_grid(least, most, per_octave, least)) {
    const std::uint64_t tile = std::clamp(std::bit_floor(bytes / 2), kSmallestTile, largest_tile);
    const std::uint64_t whole = bytes < kSmallestTile ? std::bit_floor(bytes) : bytes - bytes % tile;
    if (all.empty() || whole > all.back()) all.push_back(whole);
  }
  return all;
}

const WordsParameter kTests{
    "test", {"footprint", "units"}, "footprint: all units, by footprint; units: one slice per work-group, by their number"};
const WordsParameter kModes{
    "mode",
    {"shared", "private"},
    "for test footprint: all units walk the whole region (shared), or each walks its own slice with loads that its own cache "
    "cannot serve (private)"};
const BytesParameter kMaxFootprint{
    "max_footprint", "largest footprint; auto: 256M (quick), else 1G on GPUs with at least 8 GiB, 512M on others, less on CPUs"};
const BytesParameter kUnitsFootprints{
    "units_footprint",
    "for test units: bytes of all slices together, at least 32 KiB each; auto: two sizes, 4 MiB and up to 256 MiB"};

constexpr std::uint64_t kMostSlowlyStored = 16 * kMiB;  // on slow devices

std::uint64_t largest_footprint(const DeviceInfo& device, const Options& options) {
  const std::uint64_t most = is_slow(device)                   ? by_preset(options.preset, 16 * kMiB, 64 * kMiB, 256 * kMiB)
                             : options.preset == Preset::quick ? 256 * kMiB
                                                               : beyond_caches(device);
  return options[kMaxFootprint].value_or(std::min(most, chase_capacity(device, "global")));
}

/// Bandwidth of shared caches and memory (docs/experiments/bandwidth.md). One work-group per unit
/// reads each line once per lap. A region of several times a unit's own cache therefore gets no
/// hits there (LRU), or a share of exp(-region / cache) (random replacement).
class CacheBandwidth final : public Experiment {
 public:
  std::string name() const override { return "cache-bandwidth"; }
  Presentation presentation() const override {
    return {
        .title = "Bandwidth of the shared caches",
        .question =
            "How many bytes per second do shared caches and memory deliver, by footprint, by sharing and by number of units?",
        .method =
            "All units read one region together (shared), or each unit reads its own slice with loads that its first cache "
            "cannot serve (private). The footprint is the sum over all units. If units request one line at the same time, one "
            "access can serve them all, so `shared` can exceed the bandwidth of the L2 and of the memory. Stores and copies "
            "(operation) write the slices; the loads of a copy come from slices of another region.",
        .metric = "bandwidth: GB/s and bytes per unit and cycle; a copy counts the bytes that it reads and writes",
        .operation = "load",
        .order = 230,
        .configuration = {"group_size", "groups_per_unit", "unroll"},
        .sizes = {"footprint"},
        // All private slices come through the L2. A shared region also comes from the units'
        // own caches, so the load path of a unit limits it.
        .limits = {{.only = {{"mode", "private"}}, .quantity = Quantity::l2},
                   {.only = {{"mode", "private"}}, .quantity = Quantity::l2_device},
                   {.only = {{"mode", "shared"}}, .quantity = Quantity::load}},
        .below_full_rate = {{"test", "units"}},
        .curves = {{.name = "cache-bandwidth-footprint",
                    .title = "Bandwidth of shared caches and memory by footprint: each unit reads its own slice",
                    .only = {{"test", "footprint"}, {"mode", "private"}},
                    .x = "footprint",
                    .x_title = "footprint",
                    .x_scale = AxisScale::bytes,
                    .y = {figures::kGbPerS}},
                   {.name = "cache-bandwidth-together",
                    .title = "Bytes that all units take while they read one region together",
                    .only = {{"test", "footprint"}, {"mode", "shared"}},
                    .only_named = true,
                    .x = "footprint",
                    .x_title = "footprint",
                    .x_scale = AxisScale::bytes,
                    .y = {figures::kGbPerS}},
                   {.name = "cache-bandwidth-stores",
                    .title = "Stores and copies to slices of the units by footprint",
                    .without = {"test"},
                    .x = "footprint",
                    .x_title = "bytes that all units write",
                    .x_scale = AxisScale::bytes,
                    .y = {figures::kGbPerS}},
                   {.name = "cache-bandwidth-groups",
                    .title = "Bandwidth by number of work-groups",
                    .only = {{"test", "units"}},
                    .x = "groups",
                    .x_title = "work-groups",
                    .y = {figures::kGbPerS},
                    .follows = {"footprint"},
                    .rounded = "footprint"}},
        .published = {{.published = {{"level", "L2"}, {"mode", "private"}, {"test", "footprint"}},
                       .measured = {{"mode", "private"}, {"test", "footprint"}}}},
        .place = HierarchyPlace::shared_caches,
        .place_only = {{"mode", "private"}, {"test", "footprint"}},
        .leads = true,
        .summary = {{.line = "bandwidth",
                     .only = {{"mode", "private"}, {"test", "footprint"}},
                     .figure = figures::kGbPerS,
                     .key = "shared caches",
                     .words = "bandwidth of the shared caches"}},
        .ceilings = {{.level = "shared caches", .only = {{"mode", "private"}, {"test", "footprint"}}, .roof = "shared caches"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kTests, kOperations, kModes, kMaxFootprint, kUnitsFootprints, kSubgroupSize, kWgpMode};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> questions;
    for (const std::string& test : options[kTests]) {
      if (!measures_reads(options)) break;
      if (test == "units") {
        add_units(questions, device, options);
      } else {
        for (const std::string& mode : options[kModes]) add_footprints(questions, device, options, mode);
      }
    }
    if (options.has(kTests, "footprint") && options.has(kModes, "private")) add_stores(questions, device, options);
    if (questions.empty())
      throw UsageError(fmt::format("--set operation={}: cache-bandwidth stores with test=footprint and mode=private",
                                   options.text(kOperations)));
    std::vector<Point> points;
    for (Point& question : questions) {
      require_execution_mode(question, options);
      append(points, best_configurations(all_configurations(device, options.preset, question), done, 1, Merit::device));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (is_store(point)) return stores_unsupported(device, stores_of(point));
    return cache_laps_unsupported(device, config_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial =
        is_store(point) ? stores_trial(device, stores_of(point), seed) : cache_laps_trial(device, config_of(point), seed);
    apply_role(trial, point);
    return trial;
  }

 private:
  Point question(const char* test, const std::string& mode, std::uint64_t footprint, std::uint32_t groups) const {
    return {name(), {{"test", test}, {"mode", mode}, {"footprint", footprint}, {"groups", groups}}};
  }

  void add_footprints(std::vector<Point>& questions, const DeviceInfo& device, const Options& options,
                      const std::string& mode) const {
    const std::uint64_t largest = largest_footprint(device, options);
    const unsigned per_octave = by_preset(options.preset, 1u, 2u, 4u);
    const std::uint32_t groups = all_units(device);
    if (largest < kSmallestFootprint)
      throw options.refusal(kMaxFootprint, "cache-bandwidth begins at " + format_bytes(kSmallestFootprint));
    if (mode == "private") {
      if (options[kMaxFootprint] && largest < groups * kSmallestTile)
        throw options.refusal(kMaxFootprint,
                              fmt::format("slices of {} for {} work-groups take {} (--set mode=shared leaves them out)",
                                          format_bytes(kSmallestTile), groups, format_bytes(groups * kSmallestTile)));
      const std::uint64_t slice = std::max(largest / groups, kSmallestTile);
      for (const std::uint64_t bytes : laps(kSmallestTile, slice, per_octave, kLargestSliceTile))
        questions.push_back(question("footprint", mode, bytes * groups, groups));
      return;
    }
    for (const std::uint64_t bytes : laps(kSmallestFootprint, largest, per_octave, kLargestTile))
      questions.push_back(question("footprint", mode, bytes, groups));
  }

  /// Stores and copies to slices of the units, without the memory behind the caches, which
  /// dram-bandwidth writes. Their points name neither test nor mode.
  void add_stores(std::vector<Point>& questions, const DeviceInfo& device, const Options& options) const {
    const std::uint32_t groups = all_units(device);
    const std::uint64_t largest =
        std::min(largest_footprint(device, options), is_slow(device) ? kMostSlowlyStored : kMostStoredBytes);
    for (const std::string& operation : store_operations(options)) {
      for (const std::uint64_t bytes : laps(kSmallestTile, std::max(largest / groups, kSmallestTile), 1, kLargestSliceTile))
        questions.push_back({name(), {{kOperation, operation}, {"footprint", bytes * groups}, {"groups", groups}}});
    }
  }

  void add_units(std::vector<Point>& questions, const DeviceInfo& device, const Options& options) const {
    const auto wanted = options[kUnitsFootprints];
    if (wanted && *wanted < kUnitsTile)
      throw options.refusal(kUnitsFootprints, "cache-bandwidth takes slices of at least " + format_bytes(kUnitsTile));
    const std::vector<std::uint64_t> footprints =
        wanted ? std::vector{*wanted} : std::vector{kUnitsFootprint, std::min(largest_footprint(device, options), 256 * kMiB)};
    const std::uint32_t units = all_units(device);
    std::vector<std::uint64_t> counts = octave_grid(1, 2 * std::uint64_t{units}, options.preset == Preset::full ? 4 : 1, 1);
    counts.push_back(units);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    for (const std::uint64_t footprint : footprints) {
      for (const std::uint64_t groups : counts) {
        const std::uint64_t slice = std::max(footprint / groups / kUnitsTile, std::uint64_t{1}) * kUnitsTile;
        questions.push_back(question("units", "private", slice * groups, static_cast<std::uint32_t>(groups)));
      }
    }
  }

  /// The question in each configuration that its laps and the device allow; only the first if none
  /// is possible.
  std::vector<Point> all_configurations(const DeviceInfo& device, Preset preset, const Point& question) const {
    if (is_store(question)) return configurations(*this, device, question, {shapes(Preset::quick)});
    if (word(question, "test") == "units")
      return {configurations(*this, device, question, {{"group_size", kUnitsGroups}, {"unroll", std::array{4}}}).front()};
    const std::vector<Point> points = configurations(*this, device, question, {shapes(preset)});
    if (number(question, "footprint") <= kSearchUpTo) return points;
    return {*std::ranges::find_if(points, [&](const Point& point) {
      return point.parameters.at("group_size") == points.back().parameters.at("group_size");
    })};
  }

  static Stores stores_of(const Point& point) {
    Stores made{.copies = word(point, kOperation) == kCopyOperation,
                .slices = true,
                .region_bytes = number(point, "footprint") / number(point, "groups"),
                .unroll = number<std::uint32_t>(point, "unroll"),
                .groups = number<std::uint32_t>(point, "groups"),
                .group_size = number<std::uint32_t>(point, "group_size"),
                .subgroup_size = required_subgroup_size(point)};
    made.tile_lanes = made.group_size;
    // The smallest slices are less than one store of a large group.
    if (made.region_bytes <= kAlwaysInFirstLevel)
      made.tile_lanes = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(made.group_size, made.region_bytes / (std::uint64_t{made.width} * made.unroll)));
    return made;
  }

  static CacheLaps config_of(const Point& point) {
    const bool own = word(point, "mode") == "private";
    return {.coherent = own,
            .slices = own,
            .footprint = number(point, "footprint"),
            .groups = number<std::uint32_t>(point, "groups"),
            .group_size = number<std::uint32_t>(point, "group_size"),
            .unroll = number<std::uint32_t>(point, "unroll"),
            .subgroup_size = required_subgroup_size(point)};
  }
};

const RegisterExperiment registered(std::make_unique<CacheBandwidth>());

}  // namespace
}  // namespace percycle::cache_bandwidth_experiment
