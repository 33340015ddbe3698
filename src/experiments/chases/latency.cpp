#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/gapless_walks.hpp"
#include "analysis/geometry.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/second_look.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/optimization.hpp"
#include "experiments/common/path_words.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/latency.hpp"

namespace percycle::latency_experiment {
namespace {

constexpr std::uint32_t kMostPerOctave = 256;  // neighbours 0.3 % apart
constexpr std::uint64_t kLeastStride = 16;     // no known line is shorter
constexpr std::uint64_t kDeclaredStep = 4096;  // at least a word for each invocation

/// Refinement of the grid where the curve rises.
struct Refinement {
  std::size_t most;     ///< added points per path; a third per generation
  double finest_ratio;  ///< of neighbours that nothing comes between
  double least_step;    ///< rise between neighbours, as a share: quick has few points
};

Refinement refinement(Preset preset) { return by_preset<Refinement>(preset, {30, 1.06, 0.05}, {24, 1.06, 0.1}, {96, 1.03, 0.1}); }

std::vector<std::string> path_names() {
  std::vector<std::string> names;
  for (const auto& path : chase_paths()) names.push_back(path.name);
  return names;
}

const WordsParameter kPaths{parameter::kPath, path_names(), "memory paths to walk"};
const WordParameter kForm{parameter::kForm,
                          {ParameterSpec::kAutomatic, "pointer", "offset32", "index", "byte-offset"},
                          "how a node names the next one; auto: pointer for global, index for the others"};
const WordParameter kLanes{
    parameter::kLanes, {latency_lanes::kOne, latency_lanes::kSubgroup}, "invocations that follow one chain in lockstep"};
const WordParameter kOrder{
    parameter::kOrder, {latency_order::kRandom, latency_order::kSequential}, "order of the nodes in the chain"};
const BytesParameter kStride{parameter::kStride,
                             "bytes from node to node; auto: 128 on GPUs, 64 on CPUs and for the paths constant and local"};
const BytesParameter kMin{"min", "smallest footprint", "1K"};
const BytesParameter kMax{
    "max",
    "largest footprint; auto: 1G on GPUs with at least 8 GiB, 512M elsewhere (quick on CPUs: 64M), or the capacity of the path; "
    "constant: 64K"};
const NumberParameter kPointsPerOctave{"points_per_octave",
                                       "footprints per doubling before refinement; auto: 1 (quick), 4, 8 (full)", kMostPerOctave};
const BytesParameter kLocalBytes{
    parameter::kLocalBytes,
    "local memory that the walking kernel declares but does not use (global, global-index, texture); auto: none"};

/// The largest footprint with auto.
std::uint64_t default_max_bytes(const DeviceInfo& device, Preset preset, const std::string& path) {
  // Every known constant bank holds this. Some runtimes report megabytes of ordinary memory, and
  // each footprint needs its own program.
  if (path == "constant") return 64 * kKiB;
  if (preset == Preset::quick && device.type == DeviceType::cpu) return 64 * kMiB;
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

/// The paths and the lanes that walk.
std::vector<ValueWords> chart_words_of_latency() {
  std::vector<ValueWords> words = path_words();
  words.push_back({parameter::kLanes, latency_lanes::kOne, "one lane"});
  words.push_back({parameter::kLanes, latency_lanes::kSubgroup, "a whole subgroup"});
  return words;
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
                        .title = "Latency of a load in cycles",
                        .without = {parameter::kDivisor},
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kCyclesPerOp},
                        .y_scale = AxisScale::doubled,
                        .split = {parameter::kPath, parameter::kLanes},
                        .first = "global",
                        .follows = {parameter::kAgain},
                        .level_edges = true},
                       {.name = "latency-ns",
                        .title = "Latency of a load in nanoseconds",
                        .without = {parameter::kDivisor},
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kNsPerOp},
                        .y_scale = AxisScale::doubled,
                        .split = {parameter::kPath, parameter::kLanes},
                        .first = "global",
                        .follows = {parameter::kAgain},
                        .level_edges = true},
                       {.name = "latency-paths",
                        .title = "Latency of a load through each path",
                        .only = {{parameter::kLanes, latency_lanes::kOne}, {parameter::kOrder, latency_order::kRandom}},
                        .only_named = true,
                        .without = {parameter::kDivisor},
                        .x = parameter::kFootprint,
                        .x_title = "footprint",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                        .y_scale = AxisScale::doubled,
                        .per_device = true,
                        .follows = {parameter::kAgain}}},
            .words = chart_words_of_latency(),
            .leads = true,
            .hierarchy_points = {{parameter::kPath, "global"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kPaths,           kForm,       kLanes,    kOrder,        kStride, kMin, kMax,
            kPointsPerOctave, kLocalBytes, kOptimize, kSubgroupSize, kWgpMode};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& level : optimization_levels(options)) add_points(points, level, device, options, done);
    return points;
  }

  /// Only --set local_bytes and --set max lead to these programs.
  std::vector<Point> conditional_points(const DeviceInfo& device) const override {
    std::vector<Point> points;
    for (const char* name : {"global", "global-index", "texture"}) {
      points.push_back({this->name(),
                        {{parameter::kPath, name},
                         {parameter::kForm, chase_path(name).forms.front()},
                         {parameter::kLanes, latency_lanes::kOne},
                         {parameter::kOrder, latency_order::kRandom},
                         {parameter::kStride, default_stride(device, name)},
                         {parameter::kFootprint, kKiB},
                         {parameter::kLocalBytes, 16 * kKiB}}});
    }
    // Larger buffers hold all that a sweep walks.
    if (constant_buffers_for(device, device.constant_bytes + 1) > 1 && device.constant_bytes <= 64 * kKiB) {
      const std::uint64_t stride = default_stride(device, "constant");
      const std::uint64_t step = constant_step(device, device.constant_bytes + 1, stride);
      points.push_back({this->name(),
                        {{parameter::kPath, "constant"},
                         {parameter::kForm, "index"},
                         {parameter::kLanes, latency_lanes::kOne},
                         {parameter::kOrder, latency_order::kRandom},
                         {parameter::kStride, stride},
                         {parameter::kFootprint, (device.constant_bytes / step + 1) * step}}});
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (auto reason = declared_unsupported(device, point)) return reason;
    if (auto reason = constants_unsupported(device, point)) return reason;
    const auto footprint = number(point, parameter::kFootprint);
    return chase_unsupported(device, word(point, parameter::kPath), word(point, parameter::kForm),
                             word(point, parameter::kLanes) == latency_lanes::kSubgroup, required_subgroup_size(point),
                             number(point, parameter::kStride), footprint / constant_buffers(device, point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const auto stride = number(point, parameter::kStride);
    const auto nodes = number(point, parameter::kFootprint) / stride;
    const auto order = word(point, parameter::kOrder) == latency_order::kSequential ? ChainOrder::sequential : ChainOrder::random;
    const std::uint32_t buffers = constant_buffers(device.info(), point);
    return chase_trial(device,
                       Chase{.path = word(point, parameter::kPath),
                             .form = word(point, parameter::kForm),
                             .whole_subgroup = word(point, parameter::kLanes) == latency_lanes::kSubgroup,
                             .subgroup_size = required_subgroup_size(point),
                             .chain = buffers > 1 ? chain_through_buffers(nodes, buffers, seed) : Chain(nodes, order, seed),
                             .stride_bytes = stride,
                             .optimize = is_optimized(point),
                             .elsewhere = point.parameters.contains(parameter::kAgain),
                             .declared_local_bytes = declared_bytes(point),
                             .constant_buffers = buffers},
                       seed);
  }

 private:
  static std::uint32_t constant_buffers(const DeviceInfo& device, const Point& point) {
    if (word(point, parameter::kPath) != "constant") return 1;
    return constant_buffers_for(device, number(point, parameter::kFootprint));
  }

  /// Limits of a chain through several buffers of constants.
  static std::optional<std::string> constants_unsupported(const DeviceInfo& device, const Point& point) {
    const std::uint32_t buffers = constant_buffers(device, point);
    if (buffers == 1) return std::nullopt;
    const auto footprint = number(point, parameter::kFootprint);
    const auto stride = number(point, parameter::kStride);
    if (footprint > most_constant_bytes(device))
      return fmt::format("the constant path holds at most {}, in {} buffers", format_bytes(most_constant_bytes(device)), buffers);
    if (word(point, parameter::kForm) != "index" || word(point, parameter::kOrder) != latency_order::kRandom)
      return fmt::format("constants beyond {} need form=index and order=random", format_bytes(device.constant_bytes));
    if (footprint % constant_step(device, footprint, stride) != 0)
      return fmt::format("{} do not fill {} buffers evenly", format_bytes(footprint), buffers);
    return std::nullopt;
  }

  /// The largest footprint of a path with these settings.
  static std::uint64_t capacity(const DeviceInfo& device, const Point& point) {
    const std::string& path = word(point, parameter::kPath);
    const bool several_buffers = path == "constant" && word(point, parameter::kForm) == "index" &&
                                 word(point, parameter::kOrder) == latency_order::kRandom;
    return several_buffers ? most_constant_bytes(device) : chase_capacity(device, path);
  }

  /// The footprints that the path can have: beyond one buffer of constants only multiples of
  /// constant_step. Ascending, each once.
  static std::vector<std::uint64_t> even_footprints(const DeviceInfo& device, const Point& point,
                                                    const std::vector<std::uint64_t>& sizes) {
    if (word(point, parameter::kPath) != "constant") return sizes;
    const auto stride = number(point, parameter::kStride);
    std::vector<std::uint64_t> even;
    for (const std::uint64_t size : sizes) {
      const std::uint64_t rounded = size - size % constant_step(device, size, stride);
      if (rounded < size && rounded <= device.constant_bytes) continue;
      if (even.empty() || rounded > even.back()) even.push_back(rounded);
    }
    return even;
  }

  static std::uint64_t declared_bytes(const Point& point) { return number_or(point, parameter::kLocalBytes, std::uint64_t{0}); }

  static std::optional<std::string> declared_unsupported(const DeviceInfo& device, const Point& point) {
    const std::uint64_t bytes = declared_bytes(point);
    if (bytes == 0) return std::nullopt;
    const ChasePath& path = chase_path(word(point, parameter::kPath));
    if (path.memory != MemoryPath::global && path.memory != MemoryPath::texture)
      return "local_bytes is for paths that may share their first cache with local memory: global, global-index and texture";
    if (word(point, parameter::kForm) != path.forms.front())
      return fmt::format("with local_bytes the {} path has only the form '{}'", path.name, path.forms.front());
    if (bytes % kDeclaredStep != 0) return fmt::format("local_bytes must be a multiple of {} B", kDeclaredStep);
    if (bytes > device.local_memory_bytes)
      return fmt::format("a work-group has at most {} of local memory", format_bytes(device.local_memory_bytes));
    return std::nullopt;
  }

  void add_points(std::vector<Point>& points, const std::string& level, const DeviceInfo& device, const Options& options,
                  std::span<const PointResult> done) const {
    for (const std::string& name : options[kPaths]) {
      const ChasePath& path = chase_path(name);
      const std::string& form = options[kForm];
      const std::uint64_t stride = options[kStride].value_or(default_stride(device, path.name));
      Point point{this->name(),
                  {{parameter::kPath, path.name},
                   {parameter::kForm, form == ParameterSpec::kAutomatic ? path.forms.front() : form},
                   {parameter::kLanes, options[kLanes]},
                   {parameter::kOrder, options[kOrder]},
                   {parameter::kStride, stride}}};
      require_execution_mode(point, options);
      if (const auto bytes = options[kLocalBytes]) point.parameters[parameter::kLocalBytes] = *bytes;
      // Only points that are not optimised say so, as in earlier records.
      if (level == optimization::kOff) point.parameters[parameter::kOptimization] = level;
      std::uint64_t min = std::max(options[kMin].value_or(kKiB), 2 * stride);
      if (path.name == "constant" && min > device.constant_bytes) {
        const std::uint64_t step = constant_step(device, min, stride);
        min = (min + step - 1) / step * step;
      }
      point.parameters[parameter::kFootprint] = min;
      const std::uint64_t automatic_max = std::max(min, default_max_bytes(device, options.preset, path.name));
      const std::uint64_t max = std::min(options[kMax].value_or(automatic_max), capacity(device, point));
      // If the smallest footprint is unsupported, all are: one point reports it.
      if (unsupported(device, point)) {
        points.push_back(point);
        continue;
      }
      const auto sweep = max < min ? FootprintSweep{} : plan_sweep(device, options, point, min, max, done);
      if (sweep.sizes.empty()) {
        throw UsageError(fmt::format("latency, path {}: no footprint between min={} and max={} is a multiple of the stride of {}",
                                     path.name, format_bytes(min), format_bytes(max), format_bytes(stride)));
      }
      for (const std::uint64_t footprint : sweep.sizes) {
        point.parameters[parameter::kFootprint] = footprint;
        points.push_back(point);
      }
      points.insert(points.end(), sweep.looks.begin(), sweep.looks.end());
      points.insert(points.end(), sweep.gapless.begin(), sweep.gapless.end());
    }
  }

  struct FootprintSweep {
    std::vector<std::uint64_t> sizes;  ///< footprints
    std::vector<Point> looks;          ///< second looks
    std::vector<Point> gapless;        ///< walks without gaps
  };

  /// The footprints of the sweep: the preset's grid, refined by finished points generation by
  /// generation. Except at quick, points that contradict their neighbours get a second look before
  /// the next generation. The walks without gaps come last.
  FootprintSweep plan_sweep(const DeviceInfo& device, const Options& options, Point point, std::uint64_t min, std::uint64_t max,
                            std::span<const PointResult> done) const {
    const auto stride = number(point, parameter::kStride);
    const unsigned per_octave = options[kPointsPerOctave].value_or(by_preset(options.preset, 1u, 4u, 8u));
    FootprintSweep sweep{even_footprints(device, point, octave_grid(min, max, per_octave, stride)), {}, {}};
    point.parameters.erase(parameter::kFootprint);
    const auto first_looks = results_by_footprint(point, done);
    point.parameters[parameter::kAgain] = 1;
    const auto second = results_by_footprint(point, done);
    for (const auto& [footprint, result] : second) sweep.looks.push_back(result->point);
    const auto [most, finest_ratio, least_step] = refinement(options.preset);
    const std::size_t limit = sweep.sizes.size() + most;
    for (;;) {
      std::vector<const PointResult*> finished;
      for (const std::uint64_t size : sweep.sizes) {
        const auto found = first_looks.find(static_cast<std::int64_t>(size));
        if (found == first_looks.end()) return sweep;  // this generation is still to be measured
        if (found->second->outcome.status == Status::ok && found->second->measurement) finished.push_back(found->second);
      }
      if (options.preset != Preset::quick && add_second_looks(sweep.looks, finished)) return sweep;
      auto middles = refine(curve_of(finished, second), {.step = least_step,
                                                         .finest_ratio = finest_ratio,
                                                         .multiple = stride,
                                                         .most = std::min(most / 3, limit - sweep.sizes.size())});
      // To the nearest: the middle of two steps is just below the step between them.
      for (std::uint64_t& size : middles) {
        if (word(point, parameter::kPath) == "constant" && size > device.constant_bytes)
          size += constant_step(device, size, stride) / 2;
      }
      auto added = even_footprints(device, point, middles);
      std::erase_if(added, [&](std::uint64_t size) { return std::ranges::binary_search(sweep.sizes, size); });
      if (added.empty()) {
        if (options.preset != Preset::quick) {
          point.parameters.erase(parameter::kAgain);
          sweep.gapless = gapless_walks(point, stride, done);
        }
        return sweep;
      }
      sweep.sizes.insert(sweep.sizes.end(), added.begin(), added.end());
      std::sort(sweep.sizes.begin(), sweep.sizes.end());
    }
  }

  /// Constants need a program for each walk, and local memory has no lines.
  static bool has_gaps(const Point& point) {
    const std::string& path = word(point.parameters, parameter::kPath);
    return path != "constant" && path != "local" && is_optimized(point) && !point.parameters.contains(parameter::kLocalBytes) &&
           word(point.parameters, parameter::kLanes) == latency_lanes::kOne &&
           word(point.parameters, parameter::kOrder) == latency_order::kRandom;
  }

  /// Walks that ask for lines shorter than the stride: those that are done, then the next one of
  /// each level that the sweep shows.
  static std::vector<Point> gapless_walks(Point point, std::uint64_t stride, std::span<const PointResult> done) {
    std::vector<Point> walks;
    if (!has_gaps(point)) return walks;
    for (const auto& result : done) {
      Parameters others = result.point.parameters;
      if (others.erase(parameter::kDivisor) == 0 || result.point.experiment != experiment::kLatency) continue;
      others.erase(parameter::kFootprint);
      others[parameter::kStride] = stride;
      if (others == point.parameters) walks.push_back(result.point);
    }
    const GeometryReader reader(done, word(point.parameters, parameter::kPath));
    if (reader.curves().stride_bytes != stride) return walks;
    for (std::size_t level = 0; level < reader.random_reading().levels.size(); ++level) {
      const AskedLevel asked = asked_level(reader.curves(), reader.random_reading(), level);
      const auto divisor = next_divisor(asked);
      const std::uint64_t finer = divisor ? stride / (2 * *divisor) : 0;
      if (finer < kLeastStride || finer % kLeastStride != 0) continue;
      const auto nodes = static_cast<std::uint64_t>(kFilled * asked.size / static_cast<double>(*divisor * finer));
      point.parameters[parameter::kStride] = finer;
      point.parameters[parameter::kFootprint] = nodes * finer;
      point.parameters[parameter::kDivisor] = *divisor;
      if (std::ranges::find(walks, point) == walks.end()) walks.push_back(point);  // else it failed
    }
    return walks;
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
    const auto ns_of = [](const PointResult& result) { return result.measurement->statistics.at(figures::kNsPerOp); };
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
