#include "analysis/tlb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "analysis/set_ramp.hpp"
#include "analysis/thresholds.hpp"
#include "core/units.hpp"
#include "stats/least_squares.hpp"
#include "stats/summary.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

/// A walk over a span, with its number of nodes.
struct Span : CurveSample {
  double nodes = 0;
};

struct Level {
  double reach = 0;
  double page = 0;
};

/// The miss share of a walk over a span, node by node.
double miss_share(const Level& level, const Span& walk) {
  return translation_miss_share({level.reach, level.page, 0}, walk.bytes, walk.nodes, 0);
}

/// A fit of hit + sum of penalty * miss_share.
struct TlbFit {
  std::vector<Level> levels;
  std::vector<double> coefficients;  // hit, penalties
  double chi2 = INFINITY;
};

/// The misses of a level in each walk, weighted.
Column weighted_misses(const std::vector<Span>& curve, const Level& level) {
  Column column(curve.size());
  for (std::size_t walk = 0; walk < curve.size(); ++walk)
    column(static_cast<Eigen::Index>(walk)) = miss_share(level, curve[walk]) / curve[walk].error;
  return column;
}

/// Least squares for levels of which one is tried at many places: the others keep their columns.
/// Chi-square is infinite if levels cannot be distinguished or a penalty would be negative.
class LevelFits {
 public:
  /// `which`: the place of the one in `levels`; if it is their number, all keep their columns.
  LevelFits(const std::vector<Span>& curve, const std::vector<Level>& levels, std::size_t which)
      : curve_(curve), values_(curve.size()) {
    Column hits(curve.size());
    for (std::size_t walk = 0; walk < curve.size(); ++walk) {
      const auto row = static_cast<Eigen::Index>(walk);
      values_(row) = curve[walk].value / curve[walk].error;
      hits(row) = 1 / curve[walk].error;
    }
    differ_ = before_.add(hits);
    for (std::size_t i = 0; i < which; ++i) differ_ = differ_ && before_.add(weighted_misses(curve, levels[i]));
    for (std::size_t i = which + 1; i < levels.size(); ++i) after_.push_back(weighted_misses(curve, levels[i]));
  }

  /// The fit of `levels`, which differ from the levels before in the place `which` alone.
  TlbFit with(const std::vector<Level>& levels, std::size_t which) const {
    LeastSquares columns = before_;
    bool differ = differ_ && columns.add(weighted_misses(curve_, levels[which]));
    for (const Column& column : after_) differ = differ && columns.add(column);
    return differ ? fit_of(columns, levels) : TlbFit{levels, {}, INFINITY};
  }

  /// The fit of the levels that all keep their columns.
  TlbFit whole(const std::vector<Level>& levels) const {
    return differ_ ? fit_of(before_, levels) : TlbFit{levels, {}, INFINITY};
  }

 private:
  TlbFit fit_of(const LeastSquares& columns, const std::vector<Level>& levels) const {
    const auto fit = columns.fit(values_);
    const bool falls = (fit.coefficients.tail(fit.coefficients.size() - 1).array() <= 0).any();
    return {levels, {fit.coefficients.begin(), fit.coefficients.end()}, falls ? INFINITY : fit.chi_square};
  }

  const std::vector<Span>& curve_;
  Column values_;
  LeastSquares before_;
  std::vector<Column> after_;
  bool differ_ = false;
};

TlbFit fit_levels(const std::vector<Span>& curve, const std::vector<Level>& levels) {
  return LevelFits(curve, levels, levels.size()).whole(levels);
}

/// Adds one level to `fit`, then moves each in turn to the reach and page with the least
/// chi-square.
TlbFit with_one_more(const std::vector<Span>& curve, const TlbFit& fit) {
  const double low = curve.front().bytes;
  const double octaves = std::log2(curve.back().bytes / low);
  const auto better = [&](TlbFit best, std::size_t which) {
    auto levels = best.levels;
    const LevelFits fits(curve, levels, which);
    for (double page = tlb_thresholds.smallest_page; page <= tlb_thresholds.largest_page; page *= 2) {
      for (double step = 0; step < octaves * tlb_thresholds.grid_per_octave; ++step) {
        levels[which] = {low * std::exp2(step / tlb_thresholds.grid_per_octave), page};
        if (levels[which].reach < 2 * page) continue;
        TlbFit candidate = fits.with(levels, which);
        if (candidate.chi2 < best.chi2) best = std::move(candidate);
      }
    }
    return best;
  };
  TlbFit best = fit;
  best.levels.push_back({low, tlb_thresholds.smallest_page});
  best.chi2 = INFINITY;
  best = better(best, best.levels.size() - 1);
  for (int round = 0; round < tlb_thresholds.rounds && best.levels.size() > 1; ++round) {
    const double before = best.chi2;
    for (std::size_t i = 0; i < best.levels.size(); ++i) best = better(best, i);
    if (!(best.chi2 < before)) break;
  }
  return best;
}

/// The mean without the lowest and the highest quarter of the values.
double middle_half(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t quarter = values.size() / 4;
  const auto middle = std::span(values).subspan(quarter, values.size() - 2 * quarter);
  return std::accumulate(middle.begin(), middle.end(), 0.0) / static_cast<double>(middle.size());
}

/// The standard error of the mean, from the scatter of the values.
double mean_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares) / n;
}

/// The latency on one side of a step, at the step.
struct StepSide {
  double value = 0;
  double error = 0;  ///< standard error
};

/// `counts`: latencies by number of pages. If a cache serves fewer loads of each longer walk, they
/// lie on a line on either side. Their mean is then the latency of counts away from the step.
StepSide side_at(const std::vector<std::pair<double, double>>& counts, double step) {
  Eigen::MatrixXd line(counts.size(), 2);
  Column values(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    line.row(row) << 1, counts[i].first - step;
    values(row) = counts[i].second;
  }
  const std::vector<double> latencies(values.begin(), values.end());
  const StepSide level{middle_half(latencies), mean_error(latencies)};
  if (counts.size() < 3) return level;
  const auto fit = fit_columns(line, values);
  if (!fit) return level;
  const double scatter = std::sqrt(fit->chi_square / static_cast<double>(counts.size() - 2));
  const double slope = std::abs(fit->coefficients(1));
  if (slope > tlb_thresholds.clear_slope * scatter * fit->errors(1)) return {fit->coefficients(0), scatter * fit->errors(0)};
  if (slope < tlb_thresholds.likely_slope * scatter * fit->errors(1)) return level;
  // The slope may be noise: the mean counts, and its error includes the slope.
  return {level.value, std::max(level.error, std::abs(level.value - fit->coefficients(0)))};
}

/// The step in latencies by number of pages: the split that leaves the least squares in both parts.
struct Split {
  std::size_t first_above = 0;
  double rise = 0;  ///< between the means of the parts; 0 with fewer than two counts
};

Split best_split(const std::vector<std::pair<std::uint64_t, double>>& counts) {
  double right = 0;
  for (const auto& [pages, latency] : counts) right += latency;
  Split best;
  double left = 0;
  double most_explained = 0;
  const auto n = static_cast<double>(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) {
    left += counts[i - 1].second;
    right -= counts[i - 1].second;
    const auto below = static_cast<double>(i);
    const double rise = right / (n - below) - left / below;
    // Share of the total sum of squares.
    const double explained = rise * std::abs(rise) * below * (n - below) / n;
    if (explained > most_explained) {
      most_explained = explained;
      best = {i, rise};
    }
  }
  return best;
}

/// Medians of three neighbours (at the ends, of the last three). Steps stay; single outliers
/// vanish.
std::map<std::uint64_t, double> without_spikes(const std::map<std::uint64_t, double>& latencies) {
  const std::vector<std::pair<std::uint64_t, double>> counts(latencies.begin(), latencies.end());
  if (counts.size() < 3) return latencies;
  std::map<std::uint64_t, double> result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t middle = std::clamp<std::size_t>(i, 1, counts.size() - 2);
    result[counts[i].first] =
        median(std::vector<double>{counts[middle - 1].second, counts[middle].second, counts[middle + 1].second});
  }
  return result;
}

/// The factor by which squared errors must grow to explain the distance of spans from their
/// neighbours' line, at least 1. Caches disturb walks more than samples show. The median counts,
/// because the curve does bend at a few spans.
double scatter_excess(const std::vector<Span>& curve) {
  std::vector<double> deviations;
  for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
    const auto& [left, here, right] = std::tie(curve[i - 1], curve[i], curve[i + 1]);
    const double share = std::log(here.bytes / left.bytes) / std::log(right.bytes / left.bytes);
    const double off = here.value - (1 - share) * left.value - share * right.value;
    deviations.push_back(std::abs(off) / std::hypot(here.error, (1 - share) * left.error, share * right.error));
  }
  constexpr double kMedianOfNormal = 0.6745;  // of a standard deviation
  const double typical = deviations.empty() ? 0 : median(deviations) / kMedianOfNormal;
  return std::max(1.0, typical * typical);
}

/// A walk of the page test.
struct PageStep {
  std::uint64_t step = 0;  ///< bytes, as planned
  double stride = 0;       ///< bytes between columns, slightly above the step
  double columns = 0;
  double share = 0;  ///< of the penalty, above the smallest share
};

/// Least squares of base + height * min(1, stride / page), over walks with steps up to a page.
struct PageFit {
  double base = 0;
  double height = 0;
};

PageFit fit_page(std::span<const PageStep> up_to, double page) {
  if (up_to.size() == 1) return {0, up_to.front().share};
  Eigen::MatrixXd columns(up_to.size(), 2);
  Column values(up_to.size());
  for (std::size_t i = 0; i < up_to.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    columns.row(row) << 1, std::min(1.0, up_to[i].stride / page);
    values(row) = up_to[i].share;
  }
  const auto fit = fit_columns(columns, values);
  return fit ? PageFit{fit->coefficients(0), fit->coefficients(1)} : PageFit{};
}

/// The page that explains the walks best. A stride of a page or more needs a new page at each step;
/// a shorter one needs stride / page new pages per step. Longer steps touch so few pages that all
/// fit, or so few lines that a cache serves them; if the reach is shorter than it seemed, they also
/// miss. Steps of half a page show the same reach at half the penalty, so steps of two of these
/// "pages" still miss and cost twice as much. `steps` ascend. Empty if no step misses clearly.
std::optional<std::uint64_t> fitting_page(std::span<const PageStep> steps) {
  double most = 0;
  for (const auto& step : steps) most = std::max(most, step.share);
  std::optional<std::uint64_t> best;
  double least = INFINITY;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].share < std::max(tlb_thresholds.clear_page, tlb_thresholds.page_misses * most)) continue;
    const auto page = static_cast<double>(steps[i].step);
    const bool shorter_misses_as_much =
        std::any_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i), [&](const PageStep& other) {
          return other.stride < tlb_thresholds.shorter * page && other.share > tlb_thresholds.as_much * steps[i].share;
        });
    if (shorter_misses_as_much) continue;
    const auto [base, height] = fit_page(steps.first(i + 1), page);
    if (height < tlb_thresholds.least_height) continue;
    double squares = 0;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const double above = steps[k].share - base;
      const double expected = height * std::min(1.0, steps[k].stride / page);
      const double off = k <= i ? above - expected : std::max(0.0, std::min(above, std::abs(above - height)));
      squares += off * off;
    }
    if (squares >= least) continue;
    least = squares;
    best = steps[i].step;
  }
  return best;
}

bool is_slower(const Span& one, const Span& other) {
  return one.value - other.value > tlb_thresholds.disturbed_errors * std::hypot(one.error, other.error);
}

/// Translation only slows down as the span grows. A span slower than most of the next longer ones
/// overflows sets of a cache. A span faster than most of the next shorter ones lies in a nearer
/// part of a cache.
std::vector<Span> undisturbed(const std::vector<Span>& curve) {
  const auto most = [](const auto& neighbours, const auto& disagrees) {
    const auto count = std::count_if(neighbours.begin(), neighbours.end(), disagrees);
    return neighbours.size() >= 2 && 2 * static_cast<std::size_t>(count) > neighbours.size();
  };
  const auto reach = static_cast<std::size_t>(tlb_thresholds.neighbours);
  std::vector<Span> not_slow;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto longer = std::span(curve).subspan(i + 1, std::min(reach, curve.size() - i - 1));
    if (!most(longer, [&](const Span& other) { return is_slower(curve[i], other); })) not_slow.push_back(curve[i]);
  }
  std::vector<Span> kept;
  for (const auto& walk : not_slow) {
    const auto shorter = std::span(kept).last(std::min(reach, kept.size()));
    if (!most(shorter, [&](const Span& other) { return is_slower(other, walk); })) kept.push_back(walk);
  }
  return kept;
}

/// The residual of a large step's shape is no level.
TlbFit without_rests(const std::vector<Span>& curve, TlbFit fit) {
  for (std::size_t i = 0; i < fit.levels.size();) {
    bool rest = false;
    for (std::size_t j = 0; j < fit.levels.size(); ++j) {
      const double apart = std::abs(std::log(fit.levels[i].reach / fit.levels[j].reach));
      const double penalties = fit.coefficients[i + 1] / fit.coefficients[j + 1];
      rest = rest || (j != i && ((apart < std::log(tlb_thresholds.rest_reach) && penalties < tlb_thresholds.rest_penalty) ||
                                 (apart < std::log(tlb_thresholds.same_reach) && penalties <= 1)));
    }
    if (!rest) {
      ++i;
      continue;
    }
    fit.levels.erase(fit.levels.begin() + static_cast<std::ptrdiff_t>(i));
    fit = fit_levels(curve, fit.levels);
    i = 0;
  }
  return fit;
}

/// As many levels as the curve justifies. `least`: the smallest penalty, as a share of a hit.
TlbFit best_fit(const std::vector<Span>& curve, double least) {
  const double excess = scatter_excess(curve);
  TlbFit fit = fit_levels(curve, {});
  while (static_cast<double>(fit.levels.size()) < tlb_thresholds.most_levels) {
    const TlbFit more = with_one_more(curve, fit);
    const bool worth = more.chi2 < INFINITY && fit.chi2 - more.chi2 > tlb_thresholds.least_gain * excess &&
                       std::all_of(more.coefficients.begin() + 1, more.coefficients.end(),
                                   [&](double penalty) { return penalty > least * more.coefficients[0]; });
    if (!worth) break;
    fit = more;
  }
  return without_rests(curve, std::move(fit));
}

/// Doubts a page if steps of two pages miss although they fit.
void doubt_short_pages(TlbLevel& found, double fits) {
  // Steps of two pages touch half as many pages, which fit. If the counted steps were half a page,
  // they cost half a miss, and the longer steps cost a whole one.
  if (found.two_pages.columns <= fits && found.two_pages.slower > tlb_thresholds.longer_misses * found.penalty) {
    found.confidence = std::min(found.confidence, tlb_thresholds.confidence_disputed);
    found.evidence.push_back(fmt::format("steps of {} miss, though {:.0f} pages should fit: the pages may be longer",
                                         format_bytes(2 * *found.page), found.two_pages.columns));
  }
}

}  // namespace

TlbReader::TlbReader(std::span<const PointResult> results, const std::string& path, const std::string& place)
    : results_(results), path_(path), place_(place), unit_(latency_unit(results, path)) {
  fit_spans();
  page_test_least_.assign(levels_.size(), INFINITY);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    find_page(level);
    find_reach(level);
  }
  std::erase_if(levels_, [](const TlbLevel& level) { return level.confidence == 0; });
  drop_rests();
}

void TlbReader::drop_rests() {
  // The penalty from a walk page by page is exact. If the random walk split it into two levels, the
  // other one is no level.
  const auto is_rest = [&](const TlbLevel& level) {
    return std::any_of(levels_.begin(), levels_.end(), [&](const TlbLevel& other) {
      if (!other.reach || &other == &level) return false;
      if (level.reach) {
        // Steps of half a page show the same reach and half the penalty.
        const double ratio = static_cast<double>(*level.reach) / static_cast<double>(*other.reach);
        if (ratio > tlb_thresholds.same_reach || ratio < 1 / tlb_thresholds.same_reach) return false;
        return std::pair(level.penalty, level.confidence) < std::pair(other.penalty, other.confidence);
      }
      const double apart = std::abs(std::log(level.rough_reach / other.rough_reach));
      return apart < std::log(tlb_thresholds.rest_reach) &&
             std::abs(other.penalty - other.walk_penalty - level.walk_penalty) < std::abs(other.penalty - other.walk_penalty);
    });
  };
  std::erase_if(levels_, is_rest);
}

bool TlbReader::is_walk(const PointResult& result, std::string_view place) const {
  return result.point.experiment == experiment::kTlb && has_word(result.point.parameters, parameter::kPath, path_) &&
         has_word(result.point.parameters, parameter::kPlace, place);
}

bool TlbReader::is_test(const PointResult& result, std::string_view test) const {
  return is_walk(result, place_) && has_word(result.point.parameters, parameter::kTest, test);
}

void TlbReader::fit_spans() {
  std::vector<Span> curve;
  for (const auto& result : results_) {
    const auto& parameters = result.point.parameters;
    if (!is_test(result, tlb_test::kSpan)) continue;
    const auto sample = latency_of(result, unit_);
    if (!sample) continue;
    Span walk{*sample, static_cast<double>(integer_or(parameters, parameter::kNodes, 0))};
    walk.bytes = static_cast<double>(integer_or(parameters, parameter::kSpan, 0));
    walk.error = std::max(walk.error, tlb_thresholds.least_error * walk.value);
    curve.push_back(walk);
  }
  if (static_cast<double>(curve.size()) < tlb_thresholds.fewest_spans) return;
  // Few samples may agree by chance. The walks are alike, so none has a much smaller error than the
  // others.
  std::vector<double> relative;
  for (const auto& walk : curve) relative.push_back(walk.error / walk.value);
  const double typical = median(relative);
  for (auto& walk : curve) walk.error = std::max(walk.error, typical * walk.value);
  std::sort(curve.begin(), curve.end(), [](const Span& a, const Span& b) { return a.bytes < b.bytes; });
  longest_span_ = curve.back().bytes;
  curve = undisturbed(curve);
  // If there are walks outside of all caches, those beyond the first cache have little room.
  const bool walked_outside = std::any_of(results_.begin(), results_.end(),
                                          [&](const PointResult& result) { return is_walk(result, tlb_place::kOutside); });
  const bool tight = place_ == tlb_place::kInside || (place_ == tlb_place::kBeyond && walked_outside);
  const double least = tight ? tlb_thresholds.least_penalty_tight : tlb_thresholds.least_penalty;
  const TlbFit fit = best_fit(curve, least);
  for (std::size_t i = 0; i < fit.levels.size(); ++i) {
    TlbLevel level;
    level.rough_reach = fit.levels[i].reach;
    level.at_most = level.rough_reach < tlb_thresholds.well_beyond * curve.front().bytes;
    level.penalty = level.walk_penalty = fit.coefficients[i + 1];
    level.confidence = tlb_thresholds.confidence_rough;
    level.evidence.push_back(
        fmt::format("a random walk over a fixed number of lines slows down by {:.1f} if its span exceeds about {}", level.penalty,
                    format_bytes(static_cast<std::uint64_t>(level.rough_reach))));
    levels_.push_back(std::move(level));
  }
  std::sort(levels_.begin(), levels_.end(), [](const TlbLevel& a, const TlbLevel& b) { return a.rough_reach < b.rough_reach; });
  for (std::size_t i = 0; i < levels_.size(); ++i) levels_[i].number = i + 1;
}

double TlbReader::inner_penalties(std::size_t level, double stride, double columns) const {
  double sum = 0;
  for (std::size_t inner = 0; inner < level; ++inner) {
    const auto& known = levels_[inner];
    if (!known.reach || !known.page) continue;
    const auto page = static_cast<double>(*known.page);
    const double new_pages = std::min(1.0, stride / page);  // per column
    if (columns * new_pages * page > static_cast<double>(*known.reach)) sum += known.penalty * new_pages;
  }
  return sum;
}

void TlbReader::find_page(std::size_t level) {
  std::vector<PageStep> steps;
  for (const auto& result : results_) {
    const auto& parameters = result.point.parameters;
    if (!is_test(result, tlb_test::kPage) ||
        integer_or(parameters, parameter::kLevel, 0) != static_cast<std::int64_t>(levels_[level].number))
      continue;
    const auto value = latency_of(result, unit_);
    if (!value) continue;
    const std::int64_t step = integer_or(parameters, parameter::kStep, 0);
    const auto stride = static_cast<double>(integer_or(parameters, parameter::kStride, step));
    const auto columns = static_cast<double>(integer_or(parameters, parameter::kColumns, 0));
    steps.push_back({static_cast<std::uint64_t>(step), stride, columns,
                     (value->value - inner_penalties(level, stride, columns)) / levels_[level].penalty});
  }
  if (steps.empty()) return;
  std::sort(steps.begin(), steps.end(), [](const PageStep& a, const PageStep& b) { return a.step < b.step; });
  // Subtracts the smallest share, because caches make these walks faster or slower than the random
  // one.
  double least = INFINITY;
  for (const auto& step : steps) least = std::min(least, step.share);
  for (auto& step : steps) step.share -= least;
  page_test_least_.at(levels_[level].number - 1) = least * levels_[level].penalty;
  const auto page = fitting_page(steps);
  for (const auto& step : steps) {
    if (page && step.step == 2 * *page) levels_[level].two_pages = {step.columns, step.share * levels_[level].penalty};
  }
  // Pages shorter than the shortest possible step do not show.
  if (!page || (*page == steps.front().step && static_cast<double>(*page) > tlb_thresholds.smallest_page)) return;
  levels_[level].page = *page;
  levels_[level].confidence = tlb_thresholds.confidence_page;
  levels_[level].evidence.push_back(
      fmt::format("in walks over 1.75 times the reach, {} is the shortest step with the most misses", format_bytes(*page)));
}

std::map<std::uint64_t, double> TlbReader::by_pages(std::size_t level) const {
  std::map<std::uint64_t, double> latencies;
  if (level >= levels_.size() || !levels_[level].page) return latencies;
  for (const auto& result : results_) {
    const auto& parameters = result.point.parameters;
    if (!is_test(result, tlb_test::kEntries) ||
        integer_or(parameters, parameter::kLevel, 0) != static_cast<std::int64_t>(levels_[level].number) ||
        integer_or(parameters, parameter::kStep, 0) != static_cast<std::int64_t>(*levels_[level].page)) {
      continue;
    }
    const auto value = latency_of(result, unit_);
    if (value) latencies[static_cast<std::uint64_t>(integer_or(parameters, parameter::kColumns, 0))] = value->value;
  }
  return latencies;
}

Bracket TlbReader::bracket(std::size_t level) const {
  const auto latencies = without_spikes(by_pages(level));
  if (latencies.empty()) return {};
  const std::vector<std::pair<std::uint64_t, double>> counts(latencies.begin(), latencies.end());
  const auto split = best_split(counts);
  if (split.rise > levels_[level].penalty / 2) return {counts[split.first_above - 1].first, counts[split.first_above].first};
  // No step. The longest steps of the page test touch few pages, which fit into this level and
  // those before.
  double least = levels_[level].number == 1 ? page_test_least_.front() : counts.front().second;
  for (const auto& [columns, latency] : counts) least = std::min(least, latency);
  if (counts.front().second > least + levels_[level].penalty / 2) return {0, counts.front().first};
  return {counts.back().first, 0};
}

bool TlbReader::find_sets(TlbLevel& level) const {
  const auto ramp = find_set_ramp(by_pages(static_cast<std::size_t>(&level - levels_.data())));
  if (!ramp || ramp->penalty < level.penalty / 2) return false;
  level.penalty = ramp->penalty;
  level.penalty_error = tlb_thresholds.least_error * ramp->hit;
  level.reach = ramp->entries * *level.page;
  level.ways = ramp->ways;
  level.confidence = tlb_thresholds.confidence_sets;
  level.evidence.push_back(
      fmt::format("{} pages of {} fit; with more, misses grow evenly until {}: {} ways, whose sets overflow one after another",
                  ramp->entries, format_bytes(*level.page), ramp->entries + ramp->entries / ramp->ways, ramp->ways));
  return true;
}

void TlbReader::find_reach(std::size_t level) {
  auto [fits, misses] = bracket(level);
  auto& found = levels_[level];
  if (found.page && find_sets(found)) return;
  if (misses == 0 && fits != 0 && static_cast<double>(fits * *found.page) > tlb_thresholds.well_beyond * found.rough_reach) {
    found.confidence = 0;  // no step page by page, so the rise was not a TLB's
    return;
  }
  if (fits == 0 || misses != fits + 1) return;
  // Counts above miss and counts below hit, so the difference of the nearest is the penalty,
  // whatever the random walk found.
  std::vector<std::pair<double, double>> below;
  std::vector<std::pair<double, double>> above;
  const auto counted = by_pages(level);
  const auto latencies = without_spikes(counted);
  for (const auto& [columns, latency] : latencies)
    (columns <= fits ? below : above).emplace_back(static_cast<double>(columns), latency);
  const auto nearest = static_cast<std::size_t>(tlb_thresholds.nearest_counts);
  if (below.size() > nearest) below.erase(below.begin(), below.end() - static_cast<std::ptrdiff_t>(nearest));
  if (above.size() > nearest) above.resize(nearest);
  const double between = static_cast<double>(fits + misses) / 2;
  const StepSide hit = side_at(below, between);
  const StepSide miss = side_at(above, between);
  const double fast = hit.value;
  const double penalty = miss.value - fast;
  const auto step = [&](std::uint64_t low, std::uint64_t high) {
    const auto below_it = latencies.find(low);
    const auto above_it = latencies.find(high);
    const bool both = below_it != latencies.end() && above_it != latencies.end();
    return both ? (above_it->second - below_it->second) / penalty : 0;
  };
  // A step, not a slope, because caches slow walks down gradually. If a cache still serves a few
  // loads, the misses grow over several counts. The step then spans three counts, the first of
  // which is one too many.
  const double at_once = step(fits, misses);
  if (std::max(at_once, step(fits - 1, misses + 1)) < tlb_thresholds.step || penalty < found.penalty / 2) {
    found.evidence.push_back("the walk page by page slows down gradually, so page and exact reach are unknown");
    found.confidence = tlb_thresholds.confidence_rough;
    return;
  }
  if (at_once < tlb_thresholds.step && step(fits - 1, fits) > tlb_thresholds.knee) misses = fits--;
  found.penalty = penalty;
  found.penalty_error = std::hypot(hit.error, miss.error, tlb_thresholds.least_error * fast);
  found.reach = fits * *found.page;
  // Some counts lie on the wrong side of the step, because a cache keeps all lines of some pages.
  const auto astray = std::count_if(counted.begin(), counted.end(), [&, most = fits](const auto& count) {
    return (count.first <= most) != (count.second < fast + penalty / 2);
  });
  found.confidence = tlb_thresholds.confidence_exact * (1 - static_cast<double>(astray) / static_cast<double>(counted.size()));
  const double ratio = static_cast<double>(*found.reach) / found.rough_reach;
  if ((ratio < 1 / tlb_thresholds.agreement && !found.at_most) || ratio > tlb_thresholds.agreement) {
    found.confidence = tlb_thresholds.confidence_disputed;
    found.evidence.push_back("the random walk and the walk page by page disagree on the reach");
  }
  found.evidence.push_back(fmt::format("{} pages of {} fit, {} do not", fits, format_bytes(*found.page), misses));
  doubt_short_pages(found, static_cast<double>(fits));
}

namespace {

bool same_reach(double a, double b) { return a / b < tlb_thresholds.same_reach && a / b > 1 / tlb_thresholds.same_reach; }

/// The levels of the reader with the most exact ones, then the most.
const std::vector<TlbLevel>& most_exact_levels(std::span<const TlbReader> readers) {
  const auto worth = [](const TlbReader& reader) {
    const auto exact = std::count_if(reader.levels().begin(), reader.levels().end(),
                                     [](const TlbLevel& level) { return level.reach.has_value(); });
    return std::pair(exact, reader.levels().size());
  };
  return std::max_element(readers.begin(), readers.end(),
                          [&](const TlbReader& a, const TlbReader& b) { return worth(a) < worth(b); })
      ->levels();
}

/// If several places counted a level, the outermost with a clear step counts. There, fewer caches
/// look like a TLB or hide its penalty.
void prefer_outermost(std::vector<TlbLevel>& levels, std::span<const TlbReader> readers) {
  for (auto& level : levels) {
    if (!level.reach) continue;
    std::vector<TlbLevel> same;  // has the level itself
    double clearest = 0;
    for (const auto& reader : readers) {
      for (const auto& other : reader.levels()) {
        if (!same_reach(static_cast<double>(other.reach.value_or(0)), static_cast<double>(*level.reach))) continue;
        same.push_back(other);
        clearest = std::max(clearest, other.confidence);
      }
    }
    level = *std::find_if(same.begin(), same.end(),
                          [&](const TlbLevel& other) { return other.confidence >= tlb_thresholds.as_clear * clearest; });
  }
}

/// If one place has no room for a walk page by page, another may have it.
void count_elsewhere(std::vector<TlbLevel>& levels, std::span<const TlbReader> readers) {
  const auto is_known = [&](const TlbLevel& level) {
    return std::any_of(levels.begin(), levels.end(), [&](const TlbLevel& known) { return known.reach == level.reach; });
  };
  for (auto& level : levels) {
    if (level.reach) continue;
    for (const auto& reader : readers) {
      const auto exact = std::find_if(reader.levels().begin(), reader.levels().end(), [&](const TlbLevel& other) {
        if (!other.reach || is_known(other)) return false;
        const double ratio = static_cast<double>(*other.reach) / level.rough_reach;
        return ratio < tlb_thresholds.same_reach && (ratio > 1 / tlb_thresholds.same_reach || level.at_most);
      });
      if (exact == reader.levels().end()) continue;
      level = *exact;
      break;
    }
  }
}

/// Places that counted the same entries measured the same penalty, with independent errors: noise,
/// and caches that hold less of larger walks. Their weighted mean is better than each. If a cache
/// distorts the counts of this place, the most exact place tells which others are right.
void average_penalties(std::vector<TlbLevel>& levels, std::span<const TlbReader> readers) {
  for (auto& level : levels) {
    if (!level.reach) continue;
    std::vector<TlbLevel> same{level};
    for (const auto& reader : readers) {
      std::copy_if(reader.levels().begin(), reader.levels().end(), std::back_inserter(same),
                   [&](const TlbLevel& other) { return other.reach == level.reach && other.page == level.page; });
    }
    const auto most_exact = std::min_element(
        same.begin(), same.end(), [](const TlbLevel& a, const TlbLevel& b) { return a.penalty_error < b.penalty_error; });
    level.places = same.size() - 1;
    const double right = is_vague_penalty(level) ? most_exact->penalty : level.penalty;
    double sum = 0;
    double weights = 0;
    for (auto other = std::next(same.begin()); other != same.end(); ++other) {
      if (std::abs(other->penalty / right - 1) >= tlb_thresholds.same_penalty) continue;
      const double weight = 1 / (other->penalty_error * other->penalty_error);
      sum += weight * other->penalty;
      weights += weight;
    }
    if (weights > 0) level.penalty = sum / weights;
  }
}

/// A reach below the first span is too uncertain: a TLB, or hits in the cache before.
void drop_uncertain(std::vector<TlbLevel>& levels) {
  std::erase_if(levels, [](const TlbLevel& level) { return level.at_most && !level.reach; });
}

/// A rough level near a counted level is the same level, as the random walk sees it.
void drop_beside_counted(std::vector<TlbLevel>& levels) {
  std::erase_if(levels, [all = levels](const TlbLevel& level) {
    return !level.reach && std::any_of(all.begin(), all.end(), [&](const TlbLevel& other) {
      return other.reach &&
             std::abs(std::log(level.rough_reach / static_cast<double>(*other.reach))) < std::log(tlb_thresholds.same_reach);
    });
  });
}

/// Translation before a look-up would also slow down hits inside the first cache.
void tell_order(std::vector<TlbLevel>& levels, const TlbReader& inside) {
  for (auto& level : levels) level.of_every_load = !inside.levels().empty();
  if (levels.empty() || !inside.levels().empty()) return;
  TlbLevel& first = levels.front();
  const double reach = first.reach ? static_cast<double>(*first.reach) : first.rough_reach;
  if (inside.longest_span() <= tlb_thresholds.far_beyond * reach) return;
  first.evidence.push_back(
      fmt::format("loads that hit the first cache take the same time over spans up to {}: it is looked up by virtual address",
                  format_bytes(static_cast<std::uint64_t>(inside.longest_span()))));
}

}  // namespace

std::vector<TlbLevel> best_tlb_levels(std::span<const PointResult> results, const std::string& path) {
  // Outside, no cache disturbs. Inside, only few pages can be touched.
  std::vector<TlbReader> readers;
  for (const char* place : {tlb_place::kOutside, tlb_place::kBeyond, tlb_place::kInside})
    readers.emplace_back(results, path, place);
  std::vector<TlbLevel> levels = most_exact_levels(readers);
  prefer_outermost(levels, readers);
  count_elsewhere(levels, readers);
  average_penalties(levels, readers);
  drop_uncertain(levels);
  drop_beside_counted(levels);
  tell_order(levels, readers.back());
  return levels;
}

bool is_vague_penalty(const TlbLevel& level) {
  return tlb_thresholds.penalty_errors * level.penalty_error > tlb_thresholds.penalty_accuracy * level.penalty;
}

std::vector<Translation> counted_translations(std::span<const TlbLevel> tlbs) {
  std::vector<Translation> translations;
  for (const auto& tlb : tlbs) {
    if (tlb.reach && tlb.page)
      translations.push_back({static_cast<double>(*tlb.reach), static_cast<double>(*tlb.page), tlb.penalty});
  }
  return translations;
}

}  // namespace percycle
