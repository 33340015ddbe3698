#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/chase.hpp"
#include "experiments/chases/parts/second_look.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/optimization.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/latency.hpp"

namespace percycle::latency_experiment {
namespace {

constexpr std::uint32_t kMostPerOctave = 256;  // neighbours 0.3 % apart
constexpr std::uint64_t kDeclaredStep = 4096;  // at least a word for each invocation
constexpr std::size_t kMaxRefined = 24;        // added points per path; a third per generation

/// The value of an option of type bytes; `automatic` for auto.
std::uint64_t bytes_or(const Options& options, const std::string& name, std::uint64_t automatic) {
  const auto& value = options.value(name);
  return value == "auto" ? automatic : parse_bytes(value);
}

/// The largest footprint with auto.
std::uint64_t default_max_bytes(const DeviceInfo& device, Preset preset, const std::string& path) {
  // Every known constant bank holds this. Some runtimes report megabytes of ordinary memory, and
  // each footprint needs its own program.
  if (path == "constant") return 64 * kKiB;
  if (preset == Preset::quick) return 64 * kMiB;
  return beyond_caches(device);
}

std::uint64_t default_stride(const DeviceInfo& device, const std::string& path) {
  if (path == "local") return 64;  // no lines: only the addresses differ
  // The line of NVIDIA's constant L1 (T4 report, table 3.1); others are at least as long.
  if (path == "constant") return 64;
  // With a stride of at least a line each node has its own line. The longest known line of a first
  // level has 128 B (NVIDIA, RDNA).
  return device.type == DeviceType::cpu ? 64 : 128;
}

class Latency final : public Experiment {
 public:
  std::string name() const override { return experiment::kLatency; }
  Presentation presentation() const override {
    return {.title = "Load-to-use latency",
            .question = "How long does a dependent load take, by footprint and by memory path?",
            .method =
                "Each load returns the address of the next one. The chain is one random cycle with one node per stride of the "
                "footprint. "
                "The steps of the curve are the levels of the memory hierarchy. "
                "`net` is the latency minus the time of the same loop without its loads.",
            .metric = "load-to-use latency: ns and cycles per load",
            .operation = "load",
            .order = 110,
            .sizes = {parameter::kFootprint},
            .curves = {{.name = "latency-cycles",
                        .title = "Latency in cycles",
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_along = Along::bytes,
                        .y = {"cycles_per_op"},
                        .y_along = Along::doubled,
                        .split = {parameter::kPath, parameter::kLanes},
                        .first = "global",
                        .follows = {parameter::kAgain},
                        .level_edges = true},
                       {.name = "latency-ns",
                        .title = "Latency in nanoseconds",
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_along = Along::bytes,
                        .y = {"ns_per_op"},
                        .y_along = Along::doubled,
                        .split = {parameter::kPath, parameter::kLanes},
                        .first = "global",
                        .follows = {parameter::kAgain},
                        .level_edges = true},
                       {.name = "latency-paths",
                        .title = "Latency of all paths",
                        .only = {{parameter::kLanes, latency_lanes::kOne}, {parameter::kOrder, latency_order::kRandom}},
                        .only_named = true,
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_along = Along::bytes,
                        .y = {"cycles_per_op", "ns_per_op"},
                        .y_along = Along::doubled,
                        .per_device = true,
                        .follows = {parameter::kAgain}}},
            .leads = true};
  }

  std::vector<ParameterSpec> parameters() const override {
    std::vector<std::string> names;
    std::string all;
    for (const auto& path : chase_paths()) {
      names.push_back(path.name);
      all += (all.empty() ? "" : ",") + path.name;
    }
    using Type = ParameterSpec::Type;
    return {
        {parameter::kPath, Type::words, names, all, "memory paths to walk"},
        {parameter::kForm,
         Type::word,
         {"auto", "pointer", "offset32", "index", "byte-offset"},
         "auto",
         "how a node names the next one; auto: pointer for global, index for the others"},
        {parameter::kLanes,
         Type::word,
         {latency_lanes::kOne, latency_lanes::kSubgroup},
         latency_lanes::kOne,
         "invocations that follow one chain in lockstep"},
        {parameter::kOrder,
         Type::word,
         {latency_order::kRandom, latency_order::kSequential},
         latency_order::kRandom,
         "order of the nodes in the chain"},
        {parameter::kStride,
         Type::bytes,
         {},
         "auto",
         "bytes from node to node; auto: 128 on GPUs, 64 on CPUs and for the paths constant and local"},
        {"min", Type::bytes, {}, "1K", "smallest footprint"},
        {"max",
         Type::bytes,
         {},
         "auto",
         "largest footprint; auto: 64M (quick), else 1G on GPUs with at least 8 GiB, 512M elsewhere, or the capacity of the "
         "path"},
        {"points_per_octave",
         Type::number,
         {},
         "auto",
         "footprints per doubling before refinement; auto: 1 (quick), 4, 8 (full)",
         kMostPerOctave},
        {parameter::kLocalBytes,
         Type::bytes,
         {},
         "auto",
         "local memory that the walking kernel declares but does not use (global, global-index, texture); auto: none"},
        optimize_parameter(),
        subgroup_size_parameter(),
        wgp_mode_parameter(),
    };
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& level : optimization_levels(options)) add_points(points, level, device, options, done);
    return points;
  }

  /// Only --set local_bytes leads to these programs.
  std::vector<Point> rare_points(const DeviceInfo& device) const override {
    std::vector<Point> points;
    for (const char* name : {"global", "global-index", "texture"}) {
      points.push_back({this->name(),
                        {{parameter::kPath, name},
                         {parameter::kForm, chase_path(name).forms.front()},
                         {parameter::kLanes, latency_lanes::kOne},
                         {parameter::kOrder, latency_order::kRandom},
                         {parameter::kStride, static_cast<std::int64_t>(default_stride(device, name))},
                         {parameter::kFootprint, static_cast<std::int64_t>(kKiB)},
                         {parameter::kLocalBytes, static_cast<std::int64_t>(16 * kKiB)}}});
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (auto reason = declared_unsupported(device, point)) return reason;
    return chase_unsupported(device, word(point.parameters, parameter::kPath), word(point.parameters, parameter::kForm),
                             word(point.parameters, parameter::kLanes) == latency_lanes::kSubgroup, required_subgroup_size(point),
                             static_cast<std::uint64_t>(integer(point.parameters, parameter::kStride)),
                             static_cast<std::uint64_t>(integer(point.parameters, parameter::kFootprint)));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const auto stride = static_cast<std::uint64_t>(integer(point.parameters, parameter::kStride));
    const auto nodes = static_cast<std::uint64_t>(integer(point.parameters, parameter::kFootprint)) / stride;
    const auto order =
        word(point.parameters, parameter::kOrder) == latency_order::kSequential ? ChainOrder::sequential : ChainOrder::random;
    return chase_trial(device,
                       Chase{.path = word(point.parameters, parameter::kPath),
                             .form = word(point.parameters, parameter::kForm),
                             .whole_subgroup = word(point.parameters, parameter::kLanes) == latency_lanes::kSubgroup,
                             .subgroup_size = required_subgroup_size(point),
                             .chain = Chain(nodes, order, seed),
                             .stride_bytes = stride,
                             .optimize = is_optimized(point),
                             .elsewhere = point.parameters.contains(parameter::kAgain),
                             .declared_local_bytes = declared_bytes(point)},
                       seed);
  }

 private:
  static std::uint64_t declared_bytes(const Point& point) {
    return static_cast<std::uint64_t>(integer_or(point.parameters, parameter::kLocalBytes, 0));
  }

  static std::optional<std::string> declared_unsupported(const DeviceInfo& device, const Point& point) {
    const std::uint64_t bytes = declared_bytes(point);
    if (bytes == 0) return std::nullopt;
    const ChasePath& path = chase_path(word(point.parameters, parameter::kPath));
    if (path.memory != MemoryPath::global && path.memory != MemoryPath::texture)
      return "local_bytes is for paths that may share their first cache with local memory: global, global-index and texture";
    if (word(point.parameters, parameter::kForm) != path.forms.front())
      return fmt::format("with local_bytes the {} path has only the form '{}'", path.name, path.forms.front());
    if (bytes % kDeclaredStep != 0) return fmt::format("local_bytes must be a multiple of {} B", kDeclaredStep);
    if (bytes > device.local_memory_bytes)
      return fmt::format("a work-group has at most {} of local memory", format_bytes(device.local_memory_bytes));
    return std::nullopt;
  }

  void add_points(std::vector<Point>& points, const std::string& level, const DeviceInfo& device, const Options& options,
                  std::span<const PointResult> done) const {
    for (const auto& name : word_list(options.value(parameter::kPath))) {
      const ChasePath& path = chase_path(name);
      const auto& form = options.value(parameter::kForm);
      Point point{this->name(),
                  {{parameter::kPath, path.name},
                   {parameter::kForm, form == "auto" ? path.forms.front() : form},
                   {parameter::kLanes, options.value(parameter::kLanes)},
                   {parameter::kOrder, options.value(parameter::kOrder)}}};
      const std::uint64_t stride = bytes_or(options, parameter::kStride, default_stride(device, path.name));
      point.parameters[parameter::kStride] = static_cast<std::int64_t>(stride);
      require_execution_mode(point, options);
      if (const std::uint64_t bytes = bytes_or(options, parameter::kLocalBytes, 0); bytes > 0)
        point.parameters[parameter::kLocalBytes] = static_cast<std::int64_t>(bytes);
      // Only points that are not optimised say so, as in earlier records.
      if (level == optimization::kOff) point.parameters[parameter::kOptimization] = level;
      const std::uint64_t min = std::max(bytes_or(options, "min", kKiB), 2 * stride);
      point.parameters[parameter::kFootprint] = static_cast<std::int64_t>(min);
      const std::uint64_t automatic_max = std::max(min, default_max_bytes(device, options.preset, path.name));
      const std::uint64_t max = std::min(bytes_or(options, "max", automatic_max), chase_capacity(device, path.name));
      // If the smallest footprint is unsupported, all are: one point reports it.
      if (unsupported(device, point)) {
        points.push_back(point);
        continue;
      }
      const auto sweep = max < min ? FootprintSweep{} : plan_sweep(options, point, min, max, stride, done);
      if (sweep.sizes.empty()) {
        throw UsageError(fmt::format("latency, path {}: no footprint between min={} and max={} is a multiple of the stride of {}",
                                     path.name, format_bytes(min), format_bytes(max), format_bytes(stride)));
      }
      for (const std::uint64_t footprint : sweep.sizes) {
        point.parameters[parameter::kFootprint] = static_cast<std::int64_t>(footprint);
        points.push_back(point);
      }
      points.insert(points.end(), sweep.looks.begin(), sweep.looks.end());
    }
  }

  struct FootprintSweep {
    std::vector<std::uint64_t> sizes;  ///< footprints
    std::vector<Point> looks;          ///< second looks
  };

  /// The footprints of the sweep: the preset's grid, refined by finished points generation by
  /// generation. Points that contradict their neighbours get a second look before the next
  /// generation.
  FootprintSweep plan_sweep(const Options& options, Point point, std::uint64_t min, std::uint64_t max, std::uint64_t stride,
                            std::span<const PointResult> done) const {
    const unsigned automatic = options.preset == Preset::quick ? 1 : options.preset == Preset::standard ? 4 : 8;
    const auto& wanted = options.value("points_per_octave");
    const unsigned per_octave = wanted == "auto" ? automatic : static_cast<unsigned>(std::stoul(wanted));
    FootprintSweep sweep{octave_grid(min, max, per_octave, stride), {}};
    if (options.preset == Preset::quick) return sweep;

    point.parameters.erase(parameter::kFootprint);
    const auto first_looks = results_by_footprint(point, done);
    point.parameters[parameter::kAgain] = 1;
    const auto second = results_by_footprint(point, done);
    for (const auto& [footprint, result] : second) sweep.looks.push_back(result->point);
    const std::size_t most = (options.preset == Preset::full ? 4 : 1) * kMaxRefined;
    const std::size_t limit = sweep.sizes.size() + most;
    for (;;) {
      std::vector<const PointResult*> finished;
      for (const std::uint64_t size : sweep.sizes) {
        const auto found = first_looks.find(static_cast<std::int64_t>(size));
        if (found == first_looks.end()) return sweep;  // this generation is still to be measured
        if (found->second->outcome.status == Status::ok && found->second->measurement) finished.push_back(found->second);
      }
      if (add_second_looks(sweep.looks, finished)) return sweep;
      const auto added = refine(curve_of(finished, second), {.step = 0.1,
                                                             .finest_ratio = options.preset == Preset::full ? 1.03 : 1.06,
                                                             .multiple = stride,
                                                             .most = std::min(most / 3, limit - sweep.sizes.size())});
      if (added.empty()) return sweep;
      sweep.sizes.insert(sweep.sizes.end(), added.begin(), added.end());
      std::sort(sweep.sizes.begin(), sweep.sizes.end());
    }
  }

  using Results = std::map<std::int64_t, const PointResult*>;

  /// Results of points that differ from this one only in their footprint.
  Results results_by_footprint(const Point& point, std::span<const PointResult> done) const {
    Results found;
    for (const auto& result : done) {
      if (result.point.experiment != name() || result.point.parameters.size() != point.parameters.size() + 1) continue;
      Parameters others = result.point.parameters;
      others.erase(parameter::kFootprint);
      if (others == point.parameters) found[integer(result.point.parameters, parameter::kFootprint)] = &result;
    }
    return found;
  }

  /// The curve of finished points. A second look counts if it is faster.
  static std::vector<CurvePoint> curve_of(std::span<const PointResult* const> finished, const Results& second) {
    std::vector<CurvePoint> curve;
    const auto ns_of = [](const PointResult& result) { return result.measurement->statistics.at("ns_per_op"); };
    for (const auto* result : finished) {
      const std::int64_t size = integer(result->point.parameters, parameter::kFootprint);
      Summary ns = ns_of(*result);
      const auto look = second.find(size);
      if (look != second.end() && look->second->measurement && ns_of(*look->second).median < ns.median) ns = ns_of(*look->second);
      curve.push_back({static_cast<std::uint64_t>(size), ns.median, ns.mad.value()});
    }
    return curve;
  }
};

const RegisterExperiment registered(std::make_unique<Latency>());

}  // namespace
}  // namespace percycle::latency_experiment
