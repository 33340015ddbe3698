#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "analysis/known_readings.hpp"
#include "analysis/tlb.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/chase.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

using namespace tlb_test;

constexpr std::uint64_t kLine = 128;     // apart: no line of a first-level cache known is longer
constexpr std::uint64_t kFewApart = 32;  // so few lines that leaving out multiples of 5 and 7, too, would leave large gaps
constexpr std::uint64_t kFewestLines = 1024;
constexpr std::uint64_t kMostLines = 4096;  // as many pages can be told apart
constexpr std::uint64_t kLongestSpan =
    16 * kGiB;  // four times the longest reach known (8 GiB, T4 report, table 3.1), less what fits no card
constexpr std::uint64_t kSmallestPage = 4096;
constexpr double kPastEdge = 1.25;  // times the end of an edge: far enough past it
constexpr double kPastReach =
    1.75;  // times the reach that a level seems to have: noise can make that a third too small, but not twice too large
constexpr double kAsTranslation = 0.5;     // of what a TLB of the smallest pages costs more in random order than by neighbours
constexpr double kFewestEntries = 0.75;    // of the entries that a level seems to have: the search for its reach begins there
constexpr std::uint64_t kNeighbours = 5;   // page counts to either side of a step
constexpr std::uint64_t kMostAtOnce = 13;  // page counts measured in one generation of the search for the reach

/// How much memory a span may take: nearly all of a card's; of a CPU's, where others live too, a quarter.
std::uint64_t longest_span(const DeviceInfo& device, Preset preset) {
  if (preset == Preset::quick) return std::min<std::uint64_t>(256 * kMiB, chase_capacity(device, "global"));
  if (device.type != DeviceType::gpu) return std::min<std::uint64_t>(4 * kGiB, chase_capacity(device, "global"));
  const auto most = static_cast<std::uint64_t>(0.85 * static_cast<double>(device.memory_bytes.value_or(0)));
  return std::min({kLongestSpan, device.max_allocation_bytes.value_or(0), most});
}

/// The value of a curve at the last of its places up to `bytes`.
std::optional<double> value_at(std::span<const CurveSample> curve, double bytes) {
  const auto beyond =
      std::upper_bound(curve.begin(), curve.end(), bytes, [](double b, const CurveSample& sample) { return b < sample.bytes; });
  if (beyond == curve.begin()) return std::nullopt;
  return std::prev(beyond)->value;
}

/// Whether an edge is that of a TLB of small pages, which shows even where neighbours are walked together. Each load of the random walk that misses pays
/// all of the penalty, of neighbours one to a page; what outgrows a cache costs both the same.
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
    const Lines lines = line_counts();
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
  struct Lines {
    std::uint64_t fewest = 0;
    std::uint64_t most = 0;
    bool roomy = false;        ///< what outgrows one cache stays well within the next, and there are kMostLines
    std::uint64_t enough = 1;  ///< so few that hardly a load is still served by the cache they are to outgrow
    double longest_dense = 0;  ///< bytes over which as few may lie at any distance: half of the cache that holds them
  };

  /// How many lines: `inside`, up to half of the first cache; `beyond`, too many for one and up to half of the one behind it, the first pair
  /// with room for kMostLines, else for kFewestLines, else too many for all; `outside`, where that was no roomy choice, too many for all.
  Lines line_counts() const {
    const auto& levels = reading_.levels;
    if (levels.empty())
      return place_ == tlb_place::kBeyond ? Lines{kFewestLines, kFewestLines, false, kFewestLines / 3, 0} : Lines{};
    if (place_ == tlb_place::kInside) {
      const auto half = std::min(kMostLines, std::bit_floor(static_cast<std::uint64_t>(levels.front().size / 2) / kLine));
      return {half / 2, half, false, 1, levels.front().size / 2};
    }
    const auto outside = std::max(kMostLines, static_cast<std::uint64_t>(8 * levels.back().size) / kLine);
    const Lines outside_lines{outside, outside, false, outside / 3, 0};
    Lines best;
    for (std::size_t i = 1; i < levels.size() && !best.roomy; ++i) {
      const Lines here = between(levels[i - 1], levels[i].size);
      if (here.most >= kFewestLines && (here.roomy || best.most == 0)) best = here;
    }
    if (place_ == tlb_place::kOutside) return best.most == 0 || best.roomy ? Lines{} : outside_lines;
    return best.most == 0 ? outside_lines : best;
  }

  /// How many lines outgrow one cache and stay in the next. Eight times as many as fit: random replacement would keep more than a few of less,
  /// and each load that a virtually addressed cache serves is one that the TLB does not see. Where there is no room for as many, more than half
  /// of the next cache, though some of its sets may overflow.
  static Lines between(const CurveLevel& inner, double outer) {
    const auto least = static_cast<std::uint64_t>(8 * inner.size) / kLine;
    const auto most = static_cast<std::uint64_t>(0.4 * outer) / kLine;
    // Past the end of its edge a cache serves 5 % of the loads at most; a third of the eight times that are best will do in any case.
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
    all[parameter::kNodes] = static_cast<std::int64_t>(nodes);
    all[parameter::kStride] = static_cast<std::int64_t>(stride);
    if (columns != 0) all[parameter::kColumns] = static_cast<std::int64_t>(columns);
    if (known_.insert(to_string(point)).second) points_.push_back(std::move(point));
  }

  void add_spans(std::uint64_t lines) {
    const std::uint64_t longest = longest_span(device_, options_.preset);
    const std::uint64_t shortest = std::max<std::uint64_t>(8 * kSmallestPage, 2 * lines * kLine);
    if (longest < 2 * shortest) return;
    for (const std::uint64_t span : octave_grid(shortest, longest, options_.preset == Preset::quick ? 1 : 2, kLine)) {
      // A number of lines apart that has no small factor (2 * 3, 2 * 3 * 5 * 7), so that the nodes fill all sets of a cache alike.
      std::uint64_t apart = span / lines / kLine;
      while (std::gcd(apart, apart < kFewApart ? std::uint64_t{6} : std::uint64_t{210}) != 1) --apart;
      const std::uint64_t stride = apart * kLine;
      add(kSpan, lines, stride, 0, {{parameter::kSpan, static_cast<std::int64_t>(stride * lines)}});
    }
  }

  /// Spans too short for as many lines, over fewer of them: a TLB of small pages reaches no further. Any distance will do, for so few lines
  /// that they leave half of the cache free.
  void add_short_spans(Lines lines) {
    const std::uint64_t few = place_ == tlb_place::kInside ? std::max<std::uint64_t>(lines.most / 16, 16) : lines.enough;
    const double longest = std::min(static_cast<double>(2 * lines.most * kLine), lines.longest_dense);
    if (options_.preset == Preset::quick || few < 16) return;
    for (double apart = 1; apart * static_cast<double>(few * kLine) < longest; apart *= std::sqrt(2)) {
      const std::uint64_t stride = static_cast<std::uint64_t>(std::lround(apart)) * kLine;
      add(kSpan, few, stride, 0, {{parameter::kSpan, static_cast<std::int64_t>(stride * few)}});
    }
  }

  /// Lines of each of so many places, at most `room` bytes, that all together stay in the cache: a power of two, so that the lines of no place
  /// lie across the end of a page. More, up to all of a step, where it takes those to outgrow the cache before.
  static std::uint64_t rows_of(Lines among, std::uint64_t room, double columns, std::uint64_t step) {
    const double lines = std::sqrt(static_cast<double>(among.fewest) * static_cast<double>(among.most));
    const double nearest = std::exp2(std::round(std::log2(std::max(1.0, lines / columns))));
    auto rows = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(nearest), 1, std::max<std::uint64_t>(1, room / kLine));
    while (static_cast<double>(rows) * kFewestEntries * columns < static_cast<double>(among.enough) && 2 * rows * kLine <= step)
      rows *= 2;
    return rows;
  }

  /// `columns` places `step` bytes apart, one after the other, then the next line of each. The rows make the places a little more than a step
  /// apart, so that they fill all sets of a cache alike; rows of a whole step do so as they are.
  void add_columns(const char* test, Lines among, std::uint64_t step, std::uint64_t columns, std::uint64_t rows,
                   Parameters parameters) {
    // Pages too short for as many lines as it takes to outgrow a cache would show the cache.
    if (columns * rows < among.enough) return;
    parameters[parameter::kStep] = static_cast<std::int64_t>(step);
    const std::uint64_t row_bytes = rows * kLine;
    add(test, columns * rows, row_bytes == step ? step : step + row_bytes, columns, std::move(parameters));
  }

  void add_pages(Lines lines, const TlbLevel& level) {
    const double walked =
        std::min(kPastReach * level.rough_reach, static_cast<double>(longest_span(device_, options_.preset)) / 1.03);
    for (std::uint64_t step = std::bit_floor(static_cast<std::uint64_t>(walked / 4)); step >= kSmallestPage; step /= 2) {
      const auto columns = static_cast<std::uint64_t>(std::lround(walked / static_cast<double>(step)));
      if (columns > lines.most) return;  // more data than ever, which a cache may not hold
      add_columns(kPage, lines, step, columns, rows_of(lines, step / 4, static_cast<double>(columns), step),
                  {{parameter::kLevel, static_cast<std::int64_t>(level.number)}});
    }
  }

  void add_entries(Lines lines, const TlbLevel& level, std::uint64_t page, TlbReader::Bracket bracket) {
    const double entries = level.rough_reach / static_cast<double>(page);
    const auto [fits, misses] = bracket;
    // As many rows for all, so that no cache sees more of them than one page more.
    std::uint64_t rows = rows_of(lines, page / 2, entries, page);
    // Nor so many that the longest walk leaves little room in the cache that holds them, whatever that replaces.
    while (lines.longest_dense > 0 && static_cast<double>(rows * kLine) * kPastReach * entries > lines.longest_dense &&
           static_cast<double>(rows >> 1) * kFewestEntries * entries >= static_cast<double>(lines.enough))
      rows >>= 1;
    const auto try_columns = [&](std::uint64_t columns) {
      add_columns(kEntries, lines, page, columns, rows, {{parameter::kLevel, static_cast<std::int64_t>(level.number)}});
    };
    if (fits != 0 && misses == fits + 1) {  // found; whether it is a step, and of what height, its neighbours tell
      for (std::uint64_t apart = 1; apart <= kNeighbours; ++apart) {
        if (fits >= apart + 2) try_columns(fits - apart);
        try_columns(misses + apart);
      }
      return;
    }
    std::uint64_t low = std::max<std::uint64_t>(2, static_cast<std::uint64_t>(kFewestEntries * entries) - 1);
    std::uint64_t high = static_cast<std::uint64_t>(std::ceil(kPastReach * entries)) + 1;  // as far as the page test
    // Not even the fewest fit: the random walk made too much of it.
    if (misses != 0 && fits == 0) low = std::max<std::uint64_t>(2, misses * 2 / 5);
    if (misses != 0 && misses <= low + 1 && fits == 0) return;
    if (fits != 0 && misses == 0 && fits >= high) return;
    if (fits != 0) low = fits;
    if (misses != 0) high = misses;
    const std::uint64_t stride = std::max<std::uint64_t>(1, (high - low + kMostAtOnce - 1) / kMostAtOnce);
    for (std::uint64_t columns = low; columns <= high; columns += stride) try_columns(columns);
    try_columns(high);
    // A single count that misses would pass for a spike, or one that fits.
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
  const auto get = [&](const char* name) { return static_cast<std::uint64_t>(integer(parameters, name)); };
  return Chase{.path = word(parameters, parameter::kPath),
               .form = word(parameters, parameter::kForm),
               .whole_subgroup = false,
               .subgroup_size = std::nullopt,
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
                "A chase walks the same number of lines while the memory over which they are spread grows, so that no cache can "
                "pose as a TLB. "
                "The steps of the curve are the reaches of the TLB levels. "
                "The height of a step is the cost of a miss.",
            .metric = "load-to-use latency of a constant number of lines over a growing span: ns and cycles per load",
            .operation = "load",
            .order = 130,
            .curves = {{.name = "tlb-span",
                        .title = "Translation: the same lines spread over more and more memory",
                        .only = {{parameter::kTest, parameter::kSpan}},
                        .x = parameter::kSpan,
                        .x_title = "span",
                        .x_along = Along::bytes,
                        .y = {"cycles_per_op", "ns_per_op"},
                        .y_along = Along::doubled,
                        .split = {parameter::kPath},
                        .follows = {parameter::kNodes, parameter::kStride, parameter::kColumns}}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {{parameter::kPath, ParameterSpec::Type::words, {"global", "texture"}, "global", "memory paths to walk"}};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    const auto paths = word_list(options.value(parameter::kPath));
    for (const auto& path : paths) {
      const auto open = latency_prerequisite(device, options, done, path);
      points.insert(points.end(), open.begin(), open.end());
    }
    if (!points.empty()) return points;
    for (const auto& path : paths) {
      for (const char* place : {tlb_place::kInside, tlb_place::kBeyond, tlb_place::kOutside}) {
        const auto open = PlacePlan(device, options, done, path, place).next();
        points.insert(points.end(), open.begin(), open.end());
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const Chase chase = chase_of(point, 0);
    const std::uint64_t span = chase_image(device, chase).layout.span(chase.chain.nodes());
    if (chase.path == "texture" && span > device.max_texel_elements * 4)
      return fmt::format("the texture path holds at most {}", format_bytes(device.max_texel_elements * 4));
    // Elsewhere the span is planned within what the card has, beyond what a sweep would take of it.
    return chase_unsupported(device, chase.path, chase.form, false, std::nullopt, chase.stride_bytes, 0);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    return chase_trial(device, chase_of(point, seed), seed);
  }
};

const RegisterExperiment registered(std::make_unique<Tlb>());

}  // namespace
}  // namespace percycle
