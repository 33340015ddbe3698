#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "analysis/known_readings.hpp"
#include "analysis/tlb.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/path_words.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle::tlb_experiment {
namespace {

using namespace tlb_test;

constexpr std::uint64_t kLine = 128;     // no known line of a first-level cache is longer
constexpr std::uint64_t kFewApart = 32;  // below, avoiding multiples of 5 and 7 leaves large gaps
constexpr std::uint64_t kFewestLines = 1024;
constexpr std::uint64_t kMostLines = 4096;         // as many pages can be distinguished
constexpr std::uint64_t kLongestSpan = 16 * kGiB;  // twice the longest known reach (T4 report)
constexpr std::uint64_t kSmallestPage = 4096;
constexpr double kPastEdge = 1.25;  // times the end of an edge: safely past it
// Times the apparent reach of a level. Noise can make the reach a third too small, but not twice
// too large.
constexpr double kPastReach = 1.75;
// Share of the additional cost of random order that a TLB of the smallest pages would cause.
constexpr double kAsTranslation = 0.5;
constexpr double kFewestEntries = 0.75;    // share of the apparent entries where the search starts
constexpr std::uint64_t kNeighbours = 5;   // page counts on each side of a step
constexpr std::uint64_t kMostAtOnce = 13;  // page counts per generation of the search for the reach

const WordsParameter kPaths{parameter::kPath, {"global", "texture"}, "global", "memory paths to walk"};

/// The most memory of a span: nearly all of a card's, or a quarter of a CPU's, which others use
/// too.
std::uint64_t longest_span(const DeviceInfo& device, Preset preset) {
  if (preset == Preset::quick) return std::min<std::uint64_t>(256 * kMiB, chase_capacity(device, "global"));
  if (device.type != DeviceType::gpu) return std::min<std::uint64_t>(4 * kGiB, chase_capacity(device, "global"));
  const auto most = static_cast<std::uint64_t>(0.85 * static_cast<double>(device.memory_bytes.value_or(0)));
  return std::min({kLongestSpan, device.max_allocation_bytes.value_or(0), most});
}

/// The value of the last point of a curve up to `bytes`.
std::optional<double> value_at(std::span<const CurveSample> curve, double bytes) {
  const auto beyond =
      std::upper_bound(curve.begin(), curve.end(), bytes, [](double b, const CurveSample& sample) { return b < sample.bytes; });
  if (beyond == curve.begin()) return std::nullopt;
  return std::prev(beyond)->value;
}

/// Whether an edge comes from a TLB with small pages, which shows even with neighbours together.
/// Each load of the random walk pays the penalty, but only one per page of a walk by neighbours. A
/// cache edge costs both walks the same.
bool is_translation(const PathCurves& curves, const CurveLevel& level) {
  if (curves.local.empty()) return false;
  const double beyond = 2 * level.size;
  const auto rise = [&](std::span<const CurveSample> curve) {
    const auto low = value_at(curve, level.size_low);
    const auto high = value_at(curve, beyond);
    return low && high ? std::optional(*high - *low) : std::nullopt;
  };
  const auto alone = rise(curves.random);
  const auto together = rise(curves.local);
  if (!alone || !together || *together <= 0) return false;
  const double loads_to_a_page = static_cast<double>(kSmallestPage) / static_cast<double>(curves.stride_bytes);
  return *alone > kAsTranslation * loads_to_a_page * (1 - level.size / beyond) * *together;
}

/// Plans for one path and place.
class PlacePlan {
 public:
  PlacePlan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done, const std::string& path,
            const std::string& place)
      : device_(device), options_(options), path_(path), place_(place), reader_(done, path, place) {
    for (const auto& result : done) known_.insert(to_string(result.point));
    const PathCurves curves = path_curves(done, path);
    reading_ = known_reading(curves.best());
    std::erase_if(reading_.levels, [&](const CurveLevel& level) { return is_translation(curves, level); });
  }

  std::vector<Point> next() {
    const LineCounts lines = line_counts();
    if (lines.most < 16) return {};
    add_spans(lines.most);
    add_short_spans(lines);
    if (!points_.empty()) return points_;
    for (std::size_t level = 0; level < reader_.levels().size(); ++level) {
      const auto& found = reader_.levels()[level];
      add_pages(lines, found);
      if (found.page) add_entries(lines, found, *found.page, reader_.bracket(level));
    }
    return points_;
  }

 private:
  struct LineCounts {
    std::uint64_t fewest = 0;
    std::uint64_t most = 0;
    bool roomy = false;        ///< kMostLines exceed one cache and stay well within the next
    std::uint64_t enough = 1;  ///< fewest lines of which the exceeded cache serves hardly any
    double longest_dense = 0;  ///< longest span at any distance: half of the outer cache
  };

  /// The numbers of lines at this place:
  /// - inside: up to half of the first cache
  /// - beyond: more than one cache holds and at most 0.4 of the next one, for the first pair of
  ///   caches with room for 4096 lines, else for 1024; else more lines than all caches hold
  /// - outside: more lines than all caches hold, if `beyond` found room only for fewer than 4096
  LineCounts line_counts() const {
    const auto& levels = reading_.levels;
    if (levels.empty())
      return place_ == tlb_place::kBeyond ? LineCounts{kFewestLines, kFewestLines, false, kFewestLines / 3, 0} : LineCounts{};
    if (place_ == tlb_place::kInside) {
      const auto half = std::min(kMostLines, std::bit_floor(static_cast<std::uint64_t>(levels.front().size / 2) / kLine));
      return {half / 2, half, false, 1, levels.front().size / 2};
    }
    const auto outside = std::max(kMostLines, static_cast<std::uint64_t>(8 * levels.back().size) / kLine);
    const LineCounts outside_lines{outside, outside, false, outside / 3, 0};
    LineCounts best;
    for (std::size_t i = 1; i < levels.size() && !best.roomy; ++i) {
      const LineCounts here = between(levels[i - 1], levels[i].size);
      if (here.most >= kFewestLines && (here.roomy || best.most == 0)) best = here;
    }
    if (place_ == tlb_place::kOutside) return best.most == 0 || best.roomy ? LineCounts{} : outside_lines;
    return best.most == 0 ? outside_lines : best;
  }

  /// The numbers of lines that exceed one cache and stay in the next. Eight times the inner cache
  /// is best: with fewer lines, random replacement keeps some of them, and the TLB does not see
  /// loads that a virtually addressed cache serves. If the next cache has no room for so many
  /// lines, they fill up to 0.65 of it, and some of its sets may overflow.
  static LineCounts between(const CurveLevel& inner, double outer) {
    const auto least = static_cast<std::uint64_t>(8 * inner.size) / kLine;
    const auto most = static_cast<std::uint64_t>(0.4 * outer) / kLine;
    // Past its edge a cache serves at most 5 % of the loads. A third of the best number is always
    // enough.
    const auto enough = [&](std::uint64_t fewest) {
      return std::min(fewest / 3, static_cast<std::uint64_t>(kPastEdge * inner.edge_end) / kLine);
    };
    if (least <= most) return {least, std::min(most, std::max(kMostLines, least)), most >= kMostLines, enough(least), outer / 2};
    if (outer < 3.5 * inner.size) return {};
    const auto tight = std::min(least, static_cast<std::uint64_t>(0.65 * outer) / kLine);
    return {tight, tight, false, enough(tight), outer / 2};
  }

  void add(const char* test, std::uint64_t nodes, std::uint64_t stride, std::uint64_t columns, Parameters parameters) {
    const ChainLayout layout{.stride_bytes = stride, .columns = columns, .row_stride_bytes = kLine};
    if (nodes < 2 || layout.span(nodes) > longest_span(device_, options_.preset) + kMiB) return;
    Point point{experiment::kTlb, std::move(parameters)};
    auto& all = point.parameters;
    all[parameter::kPath] = path_;
    all[parameter::kForm] = chase_path(path_).forms.front();
    all[parameter::kPlace] = place_;
    all[parameter::kTest] = test;
    all[parameter::kNodes] = nodes;
    all[parameter::kStride] = stride;
    if (columns != 0) all[parameter::kColumns] = columns;
    if (known_.insert(to_string(point)).second) points_.push_back(std::move(point));
  }

  void add_spans(std::uint64_t lines) {
    const std::uint64_t longest = longest_span(device_, options_.preset);
    const std::uint64_t shortest = std::max<std::uint64_t>(8 * kSmallestPage, 2 * lines * kLine);
    if (longest < 2 * shortest) return;
    for (const std::uint64_t span : octave_grid(shortest, longest, options_.preset == Preset::quick ? 1 : 2, kLine)) {
      // The distance in lines has no small factor (2 * 3, 2 * 3 * 5 * 7), so that the nodes fill
      // all sets of a cache evenly.
      std::uint64_t apart = span / lines / kLine;
      while (std::gcd(apart, apart < kFewApart ? std::uint64_t{6} : std::uint64_t{210}) != 1) --apart;
      const std::uint64_t stride = apart * kLine;
      add(kSpan, lines, stride, 0, {{parameter::kSpan, stride * lines}});
    }
  }

  /// Spans too short for all lines, with fewer lines: a TLB of small pages has a short reach. Any
  /// distance works, because so few lines leave half of the cache free.
  void add_short_spans(LineCounts lines) {
    const std::uint64_t few = place_ == tlb_place::kInside ? std::max<std::uint64_t>(lines.most / 16, 16) : lines.enough;
    const double longest = std::min(static_cast<double>(2 * lines.most * kLine), lines.longest_dense);
    if (options_.preset == Preset::quick || few < 16) return;
    for (double apart = 1; apart * static_cast<double>(few * kLine) < longest; apart *= std::sqrt(2)) {
      const std::uint64_t stride = static_cast<std::uint64_t>(std::lround(apart)) * kLine;
      add(kSpan, few, stride, 0, {{parameter::kSpan, stride * few}});
    }
  }

  /// Lines per place, at most `room` bytes, so that all places stay in the cache. A power of two,
  /// so that no place crosses a page. More, up to a whole step, if the places must exceed the cache
  /// before.
  static std::uint64_t rows_of(LineCounts among, std::uint64_t room, double columns, std::uint64_t step) {
    const double lines = std::sqrt(static_cast<double>(among.fewest) * static_cast<double>(among.most));
    const double nearest = std::exp2(std::round(std::log2(std::max(1.0, lines / columns))));
    auto rows = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(nearest), 1, std::max<std::uint64_t>(1, room / kLine));
    while (static_cast<double>(rows) * kFewestEntries * columns < static_cast<double>(among.enough) && 2 * rows * kLine <= step)
      rows *= 2;
    return rows;
  }

  /// Walks one line of each of `columns` places at a distance of `step` bytes, then the next line
  /// of each. The rows of a place are added to the distance, so that the places fill all sets
  /// evenly. Rows of a whole step do so anyway.
  void add_columns(const char* test, LineCounts among, std::uint64_t step, std::uint64_t columns, std::uint64_t rows,
                   Parameters parameters) {
    // With too few lines to exceed the cache, the walk would show the cache.
    if (columns * rows < among.enough) return;
    parameters[parameter::kStep] = step;
    const std::uint64_t row_bytes = rows * kLine;
    add(test, columns * rows, row_bytes == step ? step : step + row_bytes, columns, std::move(parameters));
  }

  void add_pages(LineCounts lines, const TlbLevel& level) {
    const double walked =
        std::min(kPastReach * level.rough_reach, static_cast<double>(longest_span(device_, options_.preset)) / 1.03);
    for (std::uint64_t step = std::bit_floor(static_cast<std::uint64_t>(walked / 4)); step >= kSmallestPage; step /= 2) {
      const auto columns = static_cast<std::uint64_t>(std::lround(walked / static_cast<double>(step)));
      if (columns > lines.most) return;  // a cache may not hold so much data
      add_columns(kPage, lines, step, columns, rows_of(lines, step / 4, static_cast<double>(columns), step),
                  {{parameter::kLevel, level.number}});
    }
  }

  void add_entries(LineCounts lines, const TlbLevel& level, std::uint64_t page, Bracket bracket) {
    const double entries = level.rough_reach / static_cast<double>(page);
    const auto [fits, misses] = bracket;
    // All counts use the same rows, so that one more page is only a little more data for the
    // caches.
    std::uint64_t rows = rows_of(lines, page / 2, entries, page);
    // The longest walk must leave room in the cache that holds it, under any replacement.
    while (lines.longest_dense > 0 && static_cast<double>(rows * kLine) * kPastReach * entries > lines.longest_dense &&
           static_cast<double>(rows >> 1) * kFewestEntries * entries >= static_cast<double>(lines.enough))
      rows >>= 1;
    const auto try_columns = [&](std::uint64_t columns) {
      add_columns(kEntries, lines, page, columns, rows, {{parameter::kLevel, level.number}});
    };
    if (fits != 0 && misses == fits + 1) {  // found; the neighbours show the height of the step
      for (std::uint64_t apart = 1; apart <= kNeighbours; ++apart) {
        if (fits >= apart + 2) try_columns(fits - apart);
        try_columns(misses + apart);
      }
      return;
    }
    std::uint64_t low = std::max<std::uint64_t>(2, static_cast<std::uint64_t>(kFewestEntries * entries) - 1);
    // The end is the same as in the page test.
    std::uint64_t high = static_cast<std::uint64_t>(std::ceil(kPastReach * entries)) + 1;
    // If the fewest do not fit, the random walk overestimated the reach.
    if (misses != 0 && fits == 0) low = std::max<std::uint64_t>(2, misses * 2 / 5);
    if (misses != 0 && misses <= low + 1 && fits == 0) return;
    if (fits != 0 && misses == 0 && fits >= high) return;
    if (fits != 0) low = fits;
    if (misses != 0) high = misses;
    const std::uint64_t stride = std::max<std::uint64_t>(1, (high - low + kMostAtOnce - 1) / kMostAtOnce);
    for (std::uint64_t columns = low; columns <= high; columns += stride) try_columns(columns);
    try_columns(high);
    // A single missing or fitting count would look like a spike.
    if (misses == 0) try_columns(high + 1);
    if (fits == 0) try_columns(low + 1);
  }

  const DeviceInfo& device_;
  const Options& options_;
  std::string path_;
  std::string place_;
  TlbReader reader_;
  CurveReading reading_;
  std::set<std::string> known_;
  std::vector<Point> points_;
};

Chase chase_of(const Point& point, std::uint64_t seed) {
  const auto& parameters = point.parameters;
  const bool columns = parameters.contains(parameter::kColumns);
  const auto get = [&](const char* name) { return number(point, name); };
  return Chase{.path = word(parameters, parameter::kPath),
               .form = word(parameters, parameter::kForm),
               .whole_subgroup = false,
               .chain = Chain(get(parameter::kNodes), columns ? ChainOrder::sequential : ChainOrder::random, seed),
               .stride_bytes = get(parameter::kStride),
               .columns = columns ? get(parameter::kColumns) : 0,
               .row_stride_bytes = columns ? kLine : 0};
}

class Tlb final : public Experiment {
 public:
  std::string name() const override { return experiment::kTlb; }
  Presentation presentation() const override {
    return {.title = "Address translation",
            .question = "How much memory does each TLB level reach, with what page size, and what does a miss cost?",
            .method =
                "A chase walks a constant number of lines over a growing span of memory, so a cache cannot look like a TLB. "
                "The steps of the curve are the reaches of the TLB levels. "
                "The height of a step is the cost of a miss.",
            .metric = "load-to-use latency of a constant number of lines over a growing span: ns and cycles per load",
            .operation = "load",
            .order = 130,
            .curves = {{.name = "tlb-span",
                        .title = "Latency of the same lines by the span of their addresses",
                        .only = {{parameter::kTest, parameter::kSpan}},
                        .x = parameter::kSpan,
                        .x_title = "span",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                        .y_scale = AxisScale::doubled,
                        .split = {parameter::kPath},
                        .follows = {parameter::kNodes, parameter::kStride, parameter::kColumns}}},
            .words = path_words()};
  }

  std::vector<ParameterSpec> parameters() const override { return {kPaths}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& path : options[kPaths]) append(points, latency_prerequisite(device, options, done, path));
    if (!points.empty()) return points;
    for (const std::string& path : options[kPaths]) {
      for (const char* place : {tlb_place::kInside, tlb_place::kBeyond, tlb_place::kOutside})
        append(points, PlacePlan(device, options, done, path, place).next());
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const Chase chase = chase_of(point, 0);
    const std::uint64_t span = chase_image(device, chase).layout.span(chase.chain.nodes());
    if (chase.path == "texture" && span > device.max_texel_elements * 4)
      return fmt::format("the texture path holds at most {}", format_bytes(device.max_texel_elements * 4));
    // On other paths the plan keeps the span within the card's memory, above the capacity of
    // sweeps.
    return chase_unsupported(device, chase.path, chase.form, false, std::nullopt, chase.stride_bytes, 0);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    return chase_trial(device, chase_of(point, seed), seed);
  }
};

const RegisterExperiment registered(std::make_unique<Tlb>());

}  // namespace
}  // namespace percycle::tlb_experiment
