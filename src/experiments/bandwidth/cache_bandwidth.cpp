#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/configuration.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/cache_bandwidth.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"

namespace percycle::cache_bandwidth_experiment {
namespace {

/// Work-group size and loads of a lane per loop turn.
struct CacheShape {
  std::uint32_t group_size = 0;
  std::uint32_t unroll = 0;
};

/// One group per unit must keep enough loads in flight: 16 to 128 KiB.
std::vector<CacheShape> shapes_for(Preset preset) {
  if (preset == Preset::quick) return {{256, 4}, {1024, 4}};
  if (preset == Preset::standard) return {{256, 4}, {512, 4}, {1024, 4}, {1024, 8}};
  return {{256, 4}, {256, 8}, {512, 4}, {512, 8}, {1024, 4}, {1024, 8}};
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

/// The shapes of test=units, which must not differ between points. The first that the device
/// supports is used.
constexpr std::array<CacheShape, 2> kUnitsShapes{{{512, 4}, {256, 4}}};
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

/// CPUs and simulated devices read a hundred times slower than GPUs, so time limits their
/// footprint.
std::uint64_t largest_footprint(const DeviceInfo& device, const Options& options) {
  const auto& wanted = options.value("max_footprint");
  if (wanted != "auto") return parse_bytes(wanted);
  const bool gpu = device.type == DeviceType::gpu && device.model.empty();
  const std::uint64_t most = options.preset == Preset::quick      ? (gpu ? 256 : 16) * kMiB
                             : gpu                                ? beyond_caches(device)
                             : options.preset == Preset::standard ? 64 * kMiB
                                                                  : 256 * kMiB;
  return std::min(most, chase_capacity(device, "global"));
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
            "access can serve them all, so `shared` can exceed the bandwidth of the L2 and of the memory.",
        .metric = "load bandwidth: GB/s and bytes per unit and cycle",
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
                    .x_along = Along::bytes,
                    .y = {"gb_per_s"}},
                   {.name = "cache-bandwidth-together",
                    .title = "Bytes that all units take while they read one region together",
                    .only = {{"test", "footprint"}, {"mode", "shared"}},
                    .only_named = true,
                    .x = "footprint",
                    .x_title = "footprint",
                    .x_along = Along::bytes,
                    .y = {"gb_per_s"}},
                   {.name = "cache-bandwidth-groups",
                    .title = "Bandwidth by number of work-groups",
                    .only = {{"test", "units"}},
                    .x = "groups",
                    .x_title = "work-groups",
                    .y = {"gb_per_s"},
                    .follows = {"footprint"},
                    .rounded = "footprint"}},
        .place = HierarchyPlace::shared_caches,
        .place_only = {{"mode", "private"}, {"test", "footprint"}},
        .leads = true,
        .summary = {{.line = "bandwidth",
                     .name = "shared caches",
                     .only = {{"mode", "private"}, {"test", "footprint"}},
                     .figure = "gb_per_s"}},
        .ceilings = {{.level = "shared caches", .only = {{"mode", "private"}, {"test", "footprint"}}, .roof = "shared caches"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    using Type = ParameterSpec::Type;
    return {
        {"test",
         Type::words,
         {"footprint", "units"},
         "footprint,units",
         "footprint: all units, by footprint; units: one slice per work-group, by their number"},
        {"mode",
         Type::words,
         {"shared", "private"},
         "shared,private",
         "for test footprint: all units walk the whole region (shared), or each walks its own slice with loads that its own "
         "cache cannot serve (private)"},
        {"max_footprint",
         Type::bytes,
         {},
         "auto",
         "largest footprint; auto: 256M (quick), else 1G on GPUs with at least 8 GiB, 512M on others, less on CPUs"},
        {"units_footprint",
         Type::bytes,
         {},
         "auto",
         "for test units: bytes of all slices together, at least 32 KiB each; auto: two sizes, 4 MiB and up to 256 MiB"},
        subgroup_size_parameter(),
        wgp_mode_parameter(),
    };
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> questions;
    for (const auto& test : word_list(options.value("test"))) {
      if (test == "units") {
        add_units(questions, device, options);
      } else {
        for (const auto& mode : word_list(options.value("mode"))) add_footprints(questions, device, options, mode);
      }
    }
    std::vector<Point> points;
    for (auto& question : questions) {
      require_execution_mode(question, options);
      const auto some = best_configurations(configurations(device, options.preset, question), done, 1, Merit::device);
      points.insert(points.end(), some.begin(), some.end());
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    return cache_laps_unsupported(device, config_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = cache_laps_trial(device, config_of(point), seed);
    apply_role(trial, point);
    return trial;
  }

 private:
  Point question(const char* test, const std::string& mode, std::uint64_t footprint, std::uint32_t groups) const {
    return {name(),
            {{"test", std::string(test)},
             {"mode", mode},
             {"footprint", static_cast<std::int64_t>(footprint)},
             {"groups", std::int64_t{groups}}}};
  }

  void add_footprints(std::vector<Point>& questions, const DeviceInfo& device, const Options& options,
                      const std::string& mode) const {
    const std::uint64_t largest = largest_footprint(device, options);
    const unsigned per_octave = options.preset == Preset::full ? 4 : options.preset == Preset::standard ? 2 : 1;
    const std::uint32_t groups = all_units(device);
    if (largest < kSmallestFootprint)
      throw UsageError(fmt::format("--set max_footprint={}: cache-bandwidth begins at {}", options.value("max_footprint"),
                                   format_bytes(kSmallestFootprint)));
    if (mode == "private") {
      if (options.value("max_footprint") != "auto" && largest < groups * kSmallestTile)
        throw UsageError(fmt::format(
            "--set max_footprint={}: slices of {} for {} work-groups take {} (--set mode=shared leaves them out)",
            options.value("max_footprint"), format_bytes(kSmallestTile), groups, format_bytes(groups * kSmallestTile)));
      const std::uint64_t slice = std::max(largest / groups, kSmallestTile);
      for (const std::uint64_t bytes : laps(kSmallestTile, slice, per_octave, kLargestSliceTile))
        questions.push_back(question("footprint", mode, bytes * groups, groups));
      return;
    }
    for (const std::uint64_t bytes : laps(kSmallestFootprint, largest, per_octave, kLargestTile))
      questions.push_back(question("footprint", mode, bytes, groups));
  }

  void add_units(std::vector<Point>& questions, const DeviceInfo& device, const Options& options) const {
    const auto& wanted = options.value("units_footprint");
    if (wanted != "auto" && parse_bytes(wanted) < kUnitsTile) {
      throw UsageError(
          fmt::format("--set units_footprint={}: cache-bandwidth takes slices of at least {}", wanted, format_bytes(kUnitsTile)));
    }
    const std::vector<std::uint64_t> footprints =
        wanted != "auto" ? std::vector{parse_bytes(wanted)}
                         : std::vector{kUnitsFootprint, std::min(largest_footprint(device, options), 256 * kMiB)};
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
  std::vector<Point> configurations(const DeviceInfo& device, Preset preset, const Point& question) const {
    const bool units = word(question.parameters, "test") == "units";
    std::vector<Point> points;
    for (const auto& shape : units ? std::vector<CacheShape>(kUnitsShapes.begin(), kUnitsShapes.end()) : shapes_for(preset)) {
      Point point = question;
      point.parameters["group_size"] = std::int64_t{shape.group_size};
      point.parameters["unroll"] = std::int64_t{shape.unroll};
      points.push_back(std::move(point));
    }
    points = supported_configurations(*this, device, std::move(points));
    if (units) return {points.front()};
    if (integer(question.parameters, "footprint") > static_cast<std::int64_t>(kSearchUpTo)) {
      const auto largest = [&](const Point& point) {
        return point.parameters.at("group_size") == points.back().parameters.at("group_size");
      };
      return {*std::find_if(points.begin(), points.end(), largest)};
    }
    return points;
  }

  static CacheLaps config_of(const Point& point) {
    const auto number = [&](const char* name) { return static_cast<std::uint32_t>(integer(point.parameters, name)); };
    const bool own = word(point.parameters, "mode") == "private";
    return {.coherent = own,
            .slices = own,
            .footprint = static_cast<std::uint64_t>(integer(point.parameters, "footprint")),
            .groups = number("groups"),
            .group_size = number("group_size"),
            .unroll = number("unroll"),
            .subgroup_size = required_subgroup_size(point)};
  }
};

const RegisterExperiment registered(std::make_unique<CacheBandwidth>());

}  // namespace
}  // namespace percycle::cache_bandwidth_experiment
