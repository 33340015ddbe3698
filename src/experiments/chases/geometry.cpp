#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "analysis/geometry.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/geometry.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/second_look.hpp"
#include "experiments/common/path_words.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/geometry.hpp"
#include "vocabulary/latency.hpp"

namespace percycle::geometry_experiment {
namespace {

using namespace geometry_test;

// Nodes within this many bytes are visited together, so that they share a TLB look-up. A page has
// at least 4 KiB, so 64 KiB are at most 16 entries, fewer than any TLB has.
constexpr std::uint64_t kMostTogether = 64 * kKiB;
constexpr std::uint64_t kLeastTogether = 4 * kKiB;
constexpr std::uint64_t kLeastFetchTogether = 512;
constexpr std::uint64_t kFetchTogether = 8 * kKiB;  // fetch test: a few of the largest strides
constexpr std::uint64_t kLargestFetch = 1024;       // no known cache fetches more at once
constexpr std::uint64_t kLargestLine = 4096;
constexpr std::uint64_t kMostGaps = 4;
// Strides of a line test, in lines. Several, because one may divide the number of sets.
constexpr std::array<std::uint64_t, 3> kLineFactors{3, 5, 7};
constexpr double kMostAssociative = 512;
constexpr double kOverrun = 1.5;               // least nodes of a line test, in inner lines
constexpr std::uint64_t kMostWaysAtOnce = 13;  // counts per generation of the search
constexpr std::size_t kMostZoomed = 48;        // sizes added to the sweep for each level of a path

const WordsParameter kPaths{parameter::kPath, {"global", "texture", "constant"}, "memory paths to examine"};

std::uint64_t floor_power(double value) { return value < 1 ? 1 : std::bit_floor(static_cast<std::uint64_t>(value)); }

/// One chase of the experiment: number, layout and order of its nodes.
struct Shape {
  std::uint64_t nodes = 2;
  std::uint64_t stride = 128;
  std::uint64_t columns = 0;
  std::uint64_t row_stride = 0;
  std::uint64_t group = 1;
};

/// Plans for one path.
class PathPlan {
 public:
  PathPlan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done, const std::string& path)
      : device_(device), options_(options), done_(done), path_(path), form_(chase_path(path).forms.front()), reader_(done, path) {
    for (const auto& result : done) known_.insert(to_string(result.point));
  }

  /// The next points; empty if no question is left.
  std::vector<Point> next() {
    add_sweep();
    if (!points_.empty()) return points_;
    for (std::size_t level = 0; level < reader_.levels(); ++level) add_level(level);
    if (reader_.levels() > 0) add_first_touch();
    return points_;
  }

 private:
  std::uint64_t granule() const { return path_ == "constant" ? 16 : form_ == "pointer" ? 8 : 4; }
  std::uint64_t capacity() const {
    return path_ == "constant" ? std::min<std::uint64_t>(chase_capacity(device_, path_), 64 * kKiB)
                               : chase_capacity(device_, path_);
  }
  double size(std::size_t level) const { return reader_.size(level); }

  Point point(const char* test, const Shape& shape, Parameters more) const {
    Point point{experiment::kGeometry, std::move(more)};
    auto& parameters = point.parameters;
    parameters[parameter::kPath] = path_;
    parameters[parameter::kForm] = form_;
    parameters[parameter::kTest] = test;
    parameters[parameter::kNodes] = shape.nodes;
    parameters[parameter::kStride] = shape.stride;
    parameters[parameter::kGroup] = shape.group;
    if (shape.columns != 0) {
      parameters[parameter::kColumns] = shape.columns;
      parameters[parameter::kRowStride] = shape.row_stride;
    }
    return point;
  }

  /// Adds the point unless it is done or larger than the path's capacity.
  void add(const char* test, const Shape& shape, const Parameters& more) {
    const ChainLayout layout{.stride_bytes = shape.stride, .columns = shape.columns, .row_stride_bytes = shape.row_stride};
    if (shape.nodes < 2 || layout.span(shape.nodes) > capacity()) return;
    Point candidate = point(test, shape, more);
    if (known_.insert(to_string(candidate)).second) points_.push_back(std::move(candidate));
  }

  // --- the curve, with neighbours visited together

  /// Bytes of neighbours to visit together: at most 1/64 of the footprint, so that the curve stays
  /// fine.
  static std::uint64_t together(std::uint64_t footprint) {
    return std::clamp(std::bit_floor(footprint / 64), std::uint64_t{0}, kMostTogether);
  }

  void add_sweep_point(std::uint64_t footprint, std::uint64_t stride) {
    std::uint64_t group = together(footprint) < kLeastTogether ? 1 : together(footprint) / stride;
    const std::uint64_t unit = group * stride;
    footprint -= footprint % unit;
    if (footprint < 2 * unit) return;
    add(kSweep, {.nodes = footprint / stride, .stride = stride, .group = group}, {{parameter::kFootprint, footprint}});
  }

  void add_sweep() {
    const auto& random = reader_.curves().random;
    if (random.empty()) return;
    const std::uint64_t stride = sweep_stride();
    // A path with little memory needs no sweep against TLBs, but its edges still need a closer
    // look.
    const auto max = static_cast<std::uint64_t>(random.back().bytes);
    const std::uint64_t first = 64 * kLeastTogether;
    if (options_.preset == Preset::quick) {
      for (const CurveSample& sample : random) {
        const auto footprint = static_cast<std::uint64_t>(sample.bytes);
        if (footprint >= first) add_sweep_point(footprint, stride);
      }
      return;
    }
    if (max >= first) {
      for (const std::uint64_t footprint : octave_grid(first, max, 4, kMostTogether)) add_sweep_point(footprint, stride);
    }
    if (!points_.empty()) return;
    plan_second_looks();
    if (!points_.empty()) return;
    add_zoom(stride);
  }

  /// Looks again at points that contradict their neighbours, before a generation builds on them.
  void plan_second_looks() {
    std::vector<const PointResult*> sweep;
    std::vector<Point> looks;
    for (const auto& result : done_) {
      const auto& parameters = result.point.parameters;
      if (result.point.experiment != experiment::kGeometry || word(parameters, parameter::kPath) != path_ ||
          word(parameters, parameter::kTest) != kSweep || integer_or(parameters, parameter::kGroup, 1) == 1)
        continue;
      if (parameters.contains(parameter::kAgain)) {
        looks.push_back(result.point);
      } else {
        sweep.push_back(&result);
      }
    }
    const std::size_t before = looks.size();
    if (!add_second_looks(looks, sweep)) return;
    points_.assign(looks.begin() + static_cast<std::ptrdiff_t>(before), looks.end());
    for (const auto& look : points_) known_.insert(to_string(look));
  }

  /// Finer steps where the curve rises and around apparent edges.
  void add_zoom(std::uint64_t stride) {
    const auto& curve = reader_.curves().best();
    const std::size_t sweep_points =
        static_cast<std::size_t>(std::count_if(done_.begin(), done_.end(), [&](const PointResult& result) {
          return result.point.experiment == experiment::kGeometry && word(result.point.parameters, parameter::kPath) == path_ &&
                 word(result.point.parameters, parameter::kTest) == kSweep;
        }));
    const std::size_t grid =
        octave_grid(64 * kLeastTogether,
                    std::max<std::uint64_t>(64 * kLeastTogether, static_cast<std::uint64_t>(curve.back().bytes)), 4,
                    kMostTogether)
            .size();
    if (sweep_points >= grid + kMostZoomed * (reader_.levels() + 1)) return;
    std::vector<CurvePoint> points;
    for (const auto& sample : curve) points.push_back({static_cast<std::uint64_t>(sample.bytes), sample.value, sample.error});
    for (const std::uint64_t footprint : refine(points, {.step = 0.03, .finest_ratio = 1.03, .multiple = stride, .most = 24})) {
      add_sweep_point(footprint, stride);
    }
    for (const auto& level : reader_.reading().levels) {
      for (std::size_t i = 1; i < points.size(); ++i) {
        const double low = static_cast<double>(points[i - 1].size);
        const double high = static_cast<double>(points[i].size);
        if (high < 0.9 * level.size || low > 1.1 * level.size || high / low < 1.035) continue;
        add_sweep_point(static_cast<std::uint64_t>(std::sqrt(low * high)), stride);
      }
    }
  }

  std::uint64_t sweep_stride() const {
    for (const auto& result : done_) {
      const auto& parameters = result.point.parameters;
      if (result.point.experiment == experiment::kLatency && word(parameters, parameter::kPath) == path_ &&
          !parameters.contains(parameter::kDivisor)) {
        return number(result.point, parameter::kStride);
      }
    }
    return 128;
  }

  // --- the questions about one level

  void add_level(std::size_t level) {
    const std::uint64_t number = level + 1;
    add_fetch(level, number);
    const auto fetch = reader_.fetch(level);
    if (!fetch) return;
    add_gaps(level, number, fetch->bytes);
    const auto gaps = reader_.gaps(level);
    if (!gaps) return;
    const std::uint64_t longest = *gaps > 1 ? reader_.curves().stride_bytes / *gaps : kLargestLine;
    add_lines(level, number, fetch->bytes, longest);
    const auto line = reader_.line(level);
    if (!line) return;
    if (*gaps > 1 && *line == longest) return;  // hashed sets: no distance maps lines to one set
    add_aliases(level, number, *line);
    const auto alias = reader_.alias(level);
    if (!alias) return;
    add_factors(level, number, *line);
    const auto whole = reader_.alias_with_factors(level);
    if (!whole) return;
    add_ways(level, number, *line, *whole);
    const auto ways = reader_.ways(level, *whole);
    if (ways) add_second_pass(number, *line, *whole, *ways);
  }

  /// Bytes that exceed the level but fit the next; 0 if there is none.
  std::uint64_t beyond(std::size_t level) const {
    double bytes = 4 * size(level);
    if (level + 1 < reader_.levels()) bytes = std::min(bytes, std::max(1.3 * size(level), 0.75 * size(level + 1)));
    bytes = std::min(bytes, static_cast<double>(capacity()));
    return bytes < 1.25 * size(level) ? 0 : static_cast<std::uint64_t>(bytes);
  }

  void add_fetch(std::size_t level, std::uint64_t number) {
    // The level must hold the lines that are visited together, and they must exceed the longest
    // line.
    const std::uint64_t together =
        std::min(floor_power(size(level) / 4), std::clamp(floor_power(size(level) / 16), kLeastFetchTogether, kFetchTogether));
    const std::uint64_t bytes = beyond(level) / together * together;
    if (bytes == 0) return;
    for (std::uint64_t stride = granule(); stride <= std::min(kLargestFetch, together / 2); stride *= 2) {
      add(kFetch, {.nodes = bytes / stride, .stride = stride, .group = together / stride}, {{parameter::kLevel, number}});
    }
  }

  void add_first_touch() {
    // Constants are never new to the caches: the upload has just written them.
    if (!device_.unit_clock || path_ == "constant") return;
    const auto evict = static_cast<std::uint64_t>(2 * size(reader_.levels() - 1));
    add(kFirstTouch, {.nodes = kFineSteps, .stride = granule()}, {{parameter::kEvict, evict}});
  }

  void add_gaps(std::size_t level, std::uint64_t number, std::uint64_t fetch) {
    if (fetch >= reader_.curves().stride_bytes) return;
    const double apparent = reader_.reading().levels[level].size;
    for (std::uint64_t divisor = 1; divisor <= kMostGaps && !reader_.gaps(level); divisor *= 2) {
      auto nodes = static_cast<std::uint64_t>(kFilled * apparent / static_cast<double>(divisor * fetch));
      const std::uint64_t group =
          std::bit_floor(std::clamp<std::uint64_t>(kMostTogether / fetch, 1, std::max<std::uint64_t>(1, nodes / 8)));
      nodes -= nodes % group;
      add(kGaps, {.nodes = nodes, .stride = fetch, .group = group},
          {{parameter::kLevel, number}, {parameter::kDivisor, divisor}});
      // One divisor per generation.
      if (!points_.empty() && points_.back().parameters.contains(parameter::kDivisor)) return;
    }
  }

  double inner_lines(std::size_t level) const { return size(level - 1) / static_cast<double>(reader_.tag_bytes(level - 1)); }

  void add_lines(std::size_t level, std::uint64_t number, std::uint64_t fetch, std::uint64_t longest) {
    for (const std::uint64_t factor : kLineFactors) {
      for (std::uint64_t candidate = fetch; candidate <= longest && static_cast<double>(candidate) <= size(level) / 8;
           candidate *= 2) {
        const std::uint64_t stride = factor * candidate;
        auto nodes = static_cast<std::uint64_t>(kFilled * size(level) / static_cast<double>(candidate));
        const std::uint64_t group =
            std::bit_floor(std::clamp<std::uint64_t>(kMostTogether / stride, 1, std::max<std::uint64_t>(1, nodes / 8)));
        nodes -= nodes % group;
        // Fewer nodes would mostly hit the inner level and show nothing of this one.
        if (level > 0 && static_cast<double>(nodes) < kOverrun * inner_lines(level)) break;
        add(kLine, {.nodes = nodes, .stride = stride, .group = group},
            {{parameter::kLevel, number}, {parameter::kCandidate, candidate}, {parameter::kFactor, factor}});
        if (candidate >= 16 * fetch) break;
      }
      // One factor may divide the number of sets, so use two, and a third if neither shows a line.
      if (factor == kLineFactors[1] && (!reader_.line_tried(level, factor) || reader_.line(level))) return;
    }
  }

  /// Adds a chase over `blocks` blocks of `block` bytes at a distance of `apart` bytes.
  void add_blocks(const char* test, std::uint64_t number, std::uint64_t line, std::uint64_t block, std::uint64_t apart,
                  std::uint64_t blocks) {
    const std::uint64_t lines = block / line;
    // A group is a power of two: this part of a block in each of several blocks.
    const std::uint64_t part = std::uint64_t{1} << std::countr_zero(lines);
    std::uint64_t blocks_together =
        std::bit_floor(std::clamp<std::uint64_t>(kMostTogether / apart, 1, std::max<std::uint64_t>(1, blocks / 4)));
    if (std::string_view(test) == kWays) blocks_together = 1;  // the count must stay exact
    blocks -= blocks % blocks_together;
    Shape shape{.nodes = blocks * lines, .stride = line, .columns = lines, .row_stride = apart, .group = blocks_together * part};
    if (lines == 1) shape = {.nodes = blocks, .stride = apart, .group = blocks_together};
    add(test, shape,
        {{parameter::kLevel, number}, {parameter::kBlock, block}, {parameter::kApart, apart}, {parameter::kBlocks, blocks}});
  }

  /// Block sizes for the search for aliases, largest first. Blocks that overflow a set of this
  /// level must not fit the level before. Large blocks weaken the effects of TLBs and prefetchers.
  std::vector<std::uint64_t> alias_blocks(std::size_t level, std::uint64_t line) const {
    const std::uint64_t largest =
        level == 0 ? 16 * line : std::max(line, std::bit_ceil(static_cast<std::uint64_t>(0.6 * size(level - 1))));
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t block = largest; block >= line && blocks.size() < 4; block /= 4) {
      if (static_cast<double>(block) <= size(level) / 2) blocks.push_back(block);
    }
    return blocks;
  }

  void add_aliases(std::size_t level, std::uint64_t number, std::uint64_t line) {
    for (const std::uint64_t block : alias_blocks(level, line)) {
      add_blocks(kAlias, number, line, block, 2 * block, reader_.alias_count(level, 2 * block));
    }
    const auto block = reader_.alias_block(level);
    if (!block || *block == 0) return;
    // Larger distances, until only one block fits.
    for (std::uint64_t apart = 4 * *block; 1.25 * static_cast<double>(apart) <= 2 * size(level); apart *= 2) {
      add_blocks(kAlias, number, line, reader_.alias_test_block(level, *block, apart), apart, reader_.alias_count(level, apart));
    }
  }

  void add_factors(std::size_t level, std::uint64_t number, std::uint64_t line) {
    const auto alias = reader_.untested_factors(level);
    const auto test = alias ? reader_.factor_test(level, *alias) : std::nullopt;
    if (!test) return;
    for (const std::uint64_t factor : kSetFactors) {
      if (static_cast<double>(factor) > alias->blocks * 1.1) continue;
      add_blocks(kFactor, number, line, test->block, factor * alias->apart, test->blocks);
    }
  }

  void add_ways(std::size_t level, std::uint64_t number, std::uint64_t line, const GeometryReader::Alias& alias) {
    // If no distance maps lines to one set, only a fully associative cache has countable ways. No
    // known one has more than kMostAssociative.
    if (!alias.any && (alias.block != line || alias.blocks > kMostAssociative)) return;
    auto [fits, misses] = reader_.bracket(level, alias);
    std::uint64_t low = std::max<std::uint64_t>(2, static_cast<std::uint64_t>(0.88 * alias.blocks) - (alias.blocks >= 3 ? 1 : 0));
    std::uint64_t high = static_cast<std::uint64_t>(std::ceil(1.12 * alias.blocks)) + 1;
    if (alias.blocks < 1.6) low = 1;
    if (fits != 0) low = fits;
    if (misses != 0) high = misses;
    if (misses != 0 && fits == 0) return;                  // the smallest count does not fit
    if (fits != 0 && misses == 0 && fits >= high) return;  // the largest fits
    if (fits != 0 && misses == fits + 1) return;
    const std::uint64_t step = std::max<std::uint64_t>(1, (high - low + kMostWaysAtOnce - 1) / kMostWaysAtOnce);
    for (std::uint64_t blocks = low; blocks <= high; blocks += step)
      add_blocks(kWays, number, line, alias.block, alias.apart, blocks);
  }

  void add_second_pass(std::uint64_t number, std::uint64_t line, const GeometryReader::Alias& alias,
                       const GeometryReader::Ways& ways) {
    const std::uint64_t blocks = ways.ways + 1;
    if (!device_.unit_clock || blocks * (alias.block / line) > kFineSteps / 2) return;
    add_blocks(kSecondPass, number, line, alias.block, alias.apart, blocks);
  }

  const DeviceInfo& device_;
  const Options& options_;
  std::span<const PointResult> done_;
  std::string path_;
  std::string form_;
  GeometryReader reader_;
  std::set<std::string> known_;  // finished or planned points
  std::vector<Point> points_;
};

bool is_fine(const Point& point) {
  const auto& test = word(point, parameter::kTest);
  return test == kFirstTouch || test == kSecondPass;
}

Chase chase_of(const Point& point, std::uint64_t seed) {
  const auto order = word(point, parameter::kTest) == kFirstTouch ? ChainOrder::sequential : ChainOrder::random;
  const auto get = [&](const char* name, std::uint64_t otherwise) { return number_or(point, name, otherwise); };
  return Chase{.path = word(point, parameter::kPath),
               .form = word(point, parameter::kForm),
               .whole_subgroup = false,
               .chain = Chain(get(parameter::kNodes, 2), order, seed, get(parameter::kGroup, 1)),
               .stride_bytes = get(parameter::kStride, 128),
               .columns = get(parameter::kColumns, 0),
               .row_stride_bytes = get(parameter::kRowStride, 0),
               .elsewhere = point.parameters.contains(parameter::kAgain)};
}

class Geometry final : public Experiment {
 public:
  std::string name() const override { return experiment::kGeometry; }
  Presentation presentation() const override {
    return {
        .title = "Geometry of the caches",
        .question = "What is each cache level made of: size, line, sector (bytes per miss), ways, sets and replacement?",
        .method =
            "Each pointer chase is laid out so that one property of a cache decides whether it hits: line, sector, sets, "
            "ways or replacement. The results of each step decide the next step.",
        .metric = "load-to-use latency of chases that hit or miss by design: ns and cycles per load",
        .operation = "load",
        .order = 120,
        .sizes = {parameter::kFootprint},
        .curves = {{.name = "geometry-sweep",
                    .title = "Latency of a load if neighbours are visited together",
                    .only = {{parameter::kTest, kSweep}},
                    .x = parameter::kFootprint,
                    .x_title = "footprint",
                    .x_scale = AxisScale::bytes,
                    .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                    .y_scale = AxisScale::doubled,
                    .split = {parameter::kPath},
                    .follows = {parameter::kNodes, parameter::kStride, parameter::kGroup, parameter::kColumns,
                                parameter::kRowStride, parameter::kLevel, parameter::kAgain}}},
        .positions = {{.name = "first-touch",
                       .title = "Each load of a walk through memory that no cache holds",
                       .only = {{parameter::kTest, kFirstTouch}},
                       .line = parameter::kPath,
                       .series = series::kTicks,
                       .value_title = "ticks of the unit's counter",
                       .remark =
                           "Points are medians of all samples; a band reaches from the lowest to the highest. Each time includes "
                           "the reading of the counter. High points are first loads of a sector; the other loads hit."}},
        .words = path_words()};
  }

  std::vector<ParameterSpec> parameters() const override { return {kPaths}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& path : options[kPaths]) append(points, latency_prerequisite(device, options, done, path));
    if (!points.empty()) return points;
    for (const std::string& path : options[kPaths]) append(points, PathPlan(device, options, done, path).next());
    return points;
  }

  /// plan() emits a second pass of constants only after a constant cache has shown its ways.
  std::vector<Point> conditional_points(const DeviceInfo& device) const override {
    if (!device.unit_clock) return {};
    return {{experiment::kGeometry,
             {{parameter::kPath, "constant"},
              {parameter::kForm, "index"},
              {parameter::kTest, kSecondPass},
              {parameter::kNodes, 8},
              {parameter::kStride, 64},
              {parameter::kGroup, 1}}}};
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const Chase chase = chase_of(point, 0);
    const auto span = chase_image(device, chase).layout.span(chase.chain.nodes());
    return chase_unsupported(device, chase.path, chase.form, false, std::nullopt, chase.stride_bytes, span);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const Chase chase = chase_of(point, seed);
    if (!is_fine(point)) return chase_trial(device, chase, seed);
    return fine_chase_trial(device, chase,
                            word(point, parameter::kTest) == kFirstTouch ? FineChase::first_touch : FineChase::second_pass,
                            number_or(point, parameter::kEvict, std::uint64_t{0}), seed);
  }
};

const RegisterExperiment registered(std::make_unique<Geometry>());

}  // namespace
}  // namespace percycle::geometry_experiment
