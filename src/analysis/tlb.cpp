#include "analysis/tlb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "analysis/translation.hpp"
#include "core/units.hpp"
#include "stats/summary.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

constexpr std::size_t kMostLevels = 3;
constexpr double kGridPerOctave = 8;
constexpr int kRounds = 6;  // of moving each reach to where it serves best
constexpr std::uint64_t kSmallestPage = 4096;
constexpr double kLargestPage = 64 * 1024 * 1024;
constexpr double kLeastError = 0.003;  // of a value: rounding, refresh, what samples do not show
constexpr double kLeastGain = 40;      // of chi squared, for one more level: six sigma and the two numbers it adds
constexpr double kSameReach = 1.8;     // two levels nearer than this in reach are one
constexpr double kRestReach = 6;       // a level this near in reach to one
constexpr double kRestPenalty = 0.35;  // of more than three times its penalty is what the fit of that one leaves over
constexpr double kAgreement = 1.2;     // between both ways to find a reach
constexpr double kWellBeyond = 1.1;    // times the reach by the random walk
constexpr double kStepShare = 0.6;     // of the penalty that one page more costs at once
constexpr double kKneeShare = 0.25;    // where a cache still serves some loads
constexpr double kLeastPenaltyTight =
    0.1;  // of the hit latency, within a cache of hashed sets, which some spans fit better than others
constexpr double kSamePenalty = 0.15;   // between two places
constexpr double kAsClear = 0.9;        // of the confidence
constexpr double kLeastPenalty = 0.02;  // elsewhere
constexpr double kDisturbed = 4;        // errors by which a span must differ from others to be thought disturbed
constexpr double kFlat = 0.01;          // and of the latency: curves of real devices do fall by as much
constexpr std::size_t kNeighbours = 6;  // spans it is compared with: three octaves

std::int64_t number(const Parameters& parameters, const char* name) {
  const auto found = parameters.find(name);
  const auto* value = found == parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? 0 : *value;
}

bool has_word(const Parameters& parameters, const char* name, std::string_view value) {
  const auto found = parameters.find(name);
  const auto* text = found == parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text != nullptr && *text == value;
}

/// Of a walk over a span, how many nodes it has.
struct Span : CurveSample {
  double nodes = 0;
};

struct Level {
  double reach = 0;
  double page = 0;
};

/// Nodes for themselves, over a span.
double miss_share(const Level& level, const Span& walk) {
  return translation_miss_share({level.reach, level.page, 0}, walk.bytes, walk.nodes, 0);
}

/// A fit of hit + sum of penalty * miss_share.
struct Fit {
  std::vector<Level> levels;
  std::vector<double> coefficients;  // hit, penalties
  double chi2 = INFINITY;
};

/// Weighted least squares for given levels (normal equations, Gaussian elimination; at most four unknowns).
Fit solve(const std::vector<Span>& curve, const std::vector<Level>& levels) {
  const std::size_t n = levels.size() + 1;
  std::array<std::array<double, kMostLevels + 2>, kMostLevels + 1> matrix{};
  std::vector<std::array<double, kMostLevels + 1>> basis;
  for (const auto& walk : curve) {
    auto& row = basis.emplace_back();
    row[0] = 1;
    for (std::size_t i = 1; i < n; ++i) row[i] = miss_share(levels[i - 1], walk);
    const double weight = 1 / (walk.error * walk.error);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] += weight * row[i] * row[j];
      matrix[i][n] += weight * row[i] * walk.value;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (std::abs(matrix[j][i]) > std::abs(matrix[pivot][i])) pivot = j;
    }
    std::swap(matrix[i], matrix[pivot]);
    if (std::abs(matrix[i][i]) < 1e-12) return {levels, {}, INFINITY};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double factor = matrix[j][i] / matrix[i][i];
      for (std::size_t k = i; k <= n; ++k) matrix[j][k] -= factor * matrix[i][k];
    }
  }
  Fit fit{levels, {}, 0};
  for (std::size_t i = 0; i < n; ++i) fit.coefficients.push_back(matrix[i][n] / matrix[i][i]);
  for (std::size_t which = 0; which < curve.size(); ++which) {
    double value = 0;
    for (std::size_t i = 0; i < n; ++i) value += fit.coefficients[i] * basis[which][i];
    const double off = (curve[which].value - value) / curve[which].error;
    fit.chi2 += off * off;
  }
  // A penalty cannot be negative.
  for (std::size_t i = 1; i < n; ++i) {
    if (fit.coefficients[i] <= 0) fit.chi2 = INFINITY;
  }
  return fit;
}

/// One level more than `fit` has, each in turn put where it serves best: its reach, then its page.
Fit with_one_more(const std::vector<Span>& curve, const Fit& fit) {
  const double low = curve.front().bytes;
  const double octaves = std::log2(curve.back().bytes / low);
  const auto better = [&](Fit best, std::size_t which) {
    for (double page = static_cast<double>(kSmallestPage); page <= kLargestPage; page *= 2) {
      auto levels = best.levels;
      for (double step = 0; step < octaves * kGridPerOctave; ++step) {
        levels[which] = {low * std::exp2(step / kGridPerOctave), page};
        if (levels[which].reach < 2 * page) continue;
        Fit candidate = solve(curve, levels);
        if (candidate.chi2 < best.chi2) best = std::move(candidate);
      }
    }
    return best;
  };
  Fit best = fit;
  best.levels.push_back({low, static_cast<double>(kSmallestPage)});
  best.chi2 = INFINITY;
  best = better(best, best.levels.size() - 1);
  for (int round = 0; round < kRounds && best.levels.size() > 1; ++round) {
    const double before = best.chi2;
    for (std::size_t i = 0; i < best.levels.size(); ++i) best = better(best, i);
    if (before - best.chi2 < 1) break;
  }
  return best;
}

/// The mean of what is left when a quarter of the values at either end is taken off.
double middle_half(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t quarter = values.size() / 4;
  const auto middle = std::span(values).subspan(quarter, values.size() - 2 * quarter);
  return std::accumulate(middle.begin(), middle.end(), 0.0) / static_cast<double>(middle.size());
}

/// The standard error of the mean of values, by how far they scatter.
double mean_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares) / n;
}

/// Where latencies by number of pages step up: the split into a lower and an upper part that leaves the least squares within both.
struct Split {
  std::size_t first_above = 0;
  double rise = 0;  ///< between the means of the parts; 0 without two counts
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
    const double explained = rise * std::abs(rise) * below * (n - below) / n;  // of the squares of all around their mean
    if (explained > most_explained) {
      most_explained = explained;
      best = {i, rise};
    }
  }
  return best;
}

/// Medians of each three neighbours (at the ends of the last three): a step stays where it is, a value that lies outside of both neighbours does
/// not.
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

/// By how much the squares of the errors are too small to explain how far spans lie from the line between their neighbours, 1 at the least: caches
/// disturb the walks by more than samples tell. A median, for at the few spans where a rise begins the curve does bend.
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

bool is_slower(const Span& one, const Span& other) {
  return one.value - other.value > std::max(kDisturbed * std::hypot(one.error, other.error), kFlat * other.value);
}

/// Translation only ever slows down as the span grows. A span that is slower than most of the next longer ones met sets of a cache that
/// overflow; one that is quicker than most of the next shorter ones lies in a nearer part of a cache.
std::vector<Span> undisturbed(const std::vector<Span>& curve) {
  const auto most = [](const auto& neighbours, const auto& disagrees) {
    const auto count = std::count_if(neighbours.begin(), neighbours.end(), disagrees);
    return neighbours.size() >= 2 && 2 * static_cast<std::size_t>(count) > neighbours.size();
  };
  std::vector<Span> not_slow;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto longer = std::span(curve).subspan(i + 1, std::min(kNeighbours, curve.size() - i - 1));
    if (!most(longer, [&](const Span& other) { return is_slower(curve[i], other); })) not_slow.push_back(curve[i]);
  }
  std::vector<Span> kept;
  for (const auto& walk : not_slow) {
    const auto shorter = std::span(kept).last(std::min(kNeighbours, kept.size()));
    if (!most(shorter, [&](const Span& other) { return is_slower(other, walk); })) kept.push_back(walk);
  }
  return kept;
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
  // What a walk page by page costs is exact. Where that is what the random walk made two levels of, the other is none.
  const auto is_rest = [&](const TlbLevel& level) {
    return std::any_of(levels_.begin(), levels_.end(), [&](const TlbLevel& other) {
      if (!other.reach || &other == &level) return false;
      if (level.reach) {
        // Steps of half a page show the same reach, and half the penalty.
        const double ratio = static_cast<double>(*level.reach) / static_cast<double>(*other.reach);
        if (ratio > kSameReach || ratio < 1 / kSameReach) return false;
        return std::pair(level.penalty, level.confidence) < std::pair(other.penalty, other.confidence);
      }
      const double apart = std::abs(std::log(level.rough_reach / other.rough_reach));
      return apart < std::log(kRestReach) &&
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
    Span walk{*sample, static_cast<double>(number(parameters, parameter::kNodes))};
    walk.bytes = static_cast<double>(number(parameters, parameter::kSpan));
    walk.error = std::max(walk.error, kLeastError * walk.value);
    curve.push_back(walk);
  }
  if (curve.size() < 5) return;
  // Few samples may agree by luck; the walks are alike, so that none is known much better than the others.
  std::vector<double> relative;
  for (const auto& walk : curve) relative.push_back(walk.error / walk.value);
  const double typical = median(relative);
  for (auto& walk : curve) walk.error = std::max(walk.error, typical * walk.value);
  std::sort(curve.begin(), curve.end(), [](const Span& a, const Span& b) { return a.bytes < b.bytes; });
  curve = undisturbed(curve);
  // That there are walks outside means that those beyond have little room.
  const bool walked_outside = std::any_of(results_.begin(), results_.end(),
                                          [&](const PointResult& result) { return is_walk(result, tlb_place::kOutside); });
  const bool tight = place_ == tlb_place::kInside || (place_ == tlb_place::kBeyond && walked_outside);
  const double least = tight ? kLeastPenaltyTight : kLeastPenalty;
  const double excess = scatter_excess(curve);
  Fit fit = solve(curve, {});
  while (fit.levels.size() < kMostLevels) {
    const Fit more = with_one_more(curve, fit);
    const bool worth = more.chi2 < INFINITY && fit.chi2 - more.chi2 > kLeastGain * excess &&
                       std::all_of(more.coefficients.begin() + 1, more.coefficients.end(),
                                   [&](double penalty) { return penalty > least * more.coefficients[0]; });
    if (!worth) break;
    fit = more;
  }
  // What a large step's shape leaves over is not a level of its own.
  for (std::size_t i = 0; i < fit.levels.size();) {
    bool rest = false;
    for (std::size_t j = 0; j < fit.levels.size(); ++j) {
      const double apart = std::abs(std::log(fit.levels[i].reach / fit.levels[j].reach));
      const double penalties = fit.coefficients[i + 1] / fit.coefficients[j + 1];
      rest = rest || (j != i && ((apart < std::log(kRestReach) && penalties < kRestPenalty) ||
                                 (apart < std::log(kSameReach) && penalties <= 1)));
    }
    if (!rest) {
      ++i;
      continue;
    }
    fit.levels.erase(fit.levels.begin() + static_cast<std::ptrdiff_t>(i));
    fit = solve(curve, fit.levels);
    i = 0;
  }
  for (std::size_t i = 0; i < fit.levels.size(); ++i) {
    TlbLevel level;
    level.rough_reach = fit.levels[i].reach;
    level.at_most = level.rough_reach < kWellBeyond * curve.front().bytes;
    level.penalty = level.walk_penalty = fit.coefficients[i + 1];
    level.confidence = 0.5;
    level.evidence.push_back(
        fmt::format("a random walk over a constant number of lines slows down by {:.1f} from a span of about {} on",
                    level.penalty, format_bytes(static_cast<std::uint64_t>(level.rough_reach))));
    levels_.push_back(std::move(level));
  }
  std::sort(levels_.begin(), levels_.end(), [](const TlbLevel& a, const TlbLevel& b) { return a.rough_reach < b.rough_reach; });
  for (std::size_t i = 0; i < levels_.size(); ++i) levels_[i].number = i + 1;
}

void TlbReader::find_page(std::size_t level) {
  std::map<std::uint64_t, double> shares;
  for (const auto& result : results_) {
    const auto& parameters = result.point.parameters;
    if (!is_test(result, tlb_test::kPage) ||
        number(parameters, parameter::kLevel) != static_cast<std::int64_t>(levels_[level].number))
      continue;
    const auto value = latency_of(result, unit_);
    if (value) shares[static_cast<std::uint64_t>(number(parameters, parameter::kStep))] = value->value / levels_[level].penalty;
  }
  if (shares.empty()) return;
  // Against the least of them: where the data lies in the caches may make such walks quicker or slower than the random one.
  const double least =
      std::min_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->second;
  for (auto& [step, share] : shares) share -= least;
  page_test_least_.at(levels_[level].number - 1) = least * levels_[level].penalty;
  // Steps of one page miss always; of half a page every other time; of so many pages that few are touched never. Where the reach is less than
  // it seemed, steps of several pages miss always, too: the shortest that does is the page.
  double most = 0;
  for (const auto& [step, share] : shares) most = std::max(most, share);
  if (most < 0.6) return;
  const auto shortest = std::find_if(shares.begin(), shares.end(), [&](const auto& entry) { return entry.second > 0.75 * most; });
  // Of what is shorter than all steps that there was room for nothing is known.
  if (shortest == shares.begin() && shortest->first > kSmallestPage) return;
  levels_[level].page = shortest->first;
  levels_[level].confidence = 0.7;
  levels_[level].evidence.push_back(fmt::format("of steps over 1.75 times the reach, those of {} are the shortest that miss most",
                                                format_bytes(shortest->first)));
}

std::map<std::uint64_t, double> TlbReader::by_pages(std::size_t level) const {
  std::map<std::uint64_t, double> latencies;
  if (level >= levels_.size() || !levels_[level].page) return latencies;
  for (const auto& result : results_) {
    const auto& parameters = result.point.parameters;
    if (!is_test(result, tlb_test::kEntries) ||
        number(parameters, parameter::kLevel) != static_cast<std::int64_t>(levels_[level].number) ||
        number(parameters, parameter::kStep) != static_cast<std::int64_t>(*levels_[level].page)) {
      continue;
    }
    const auto value = latency_of(result, unit_);
    if (value) latencies[static_cast<std::uint64_t>(number(parameters, parameter::kColumns))] = value->value;
  }
  return latencies;
}

TlbReader::Bracket TlbReader::bracket(std::size_t level) const {
  const auto latencies = without_spikes(by_pages(level));
  if (latencies.empty()) return {};
  const std::vector<std::pair<std::uint64_t, double>> counts(latencies.begin(), latencies.end());
  const auto split = best_split(counts);
  if (split.rise > levels_[level].penalty / 2) return {counts[split.first_above - 1].first, counts[split.first_above].first};
  // All alike. The long steps of the page test touch so few pages that all fit, into the levels before this one, too.
  double least = levels_[level].number == 1 ? page_test_least_.front() : counts.front().second;
  for (const auto& [columns, latency] : counts) least = std::min(least, latency);
  if (counts.front().second > least + levels_[level].penalty / 2) return {0, counts.front().first};
  return {counts.back().first, 0};
}

void TlbReader::find_reach(std::size_t level) {
  auto [fits, misses] = bracket(level);
  auto& found = levels_[level];
  if (misses == 0 && fits != 0 && static_cast<double>(fits * *found.page) > kWellBeyond * found.rough_reach) {
    found.confidence = 0;  // walked page by page there is no step: it was no TLB's
    return;
  }
  if (fits == 0 || misses != fits + 1) return;
  // All miss above and none below: what lies between the nearest of both is the penalty, whatever the random walk made of it.
  std::vector<double> below;
  std::vector<double> above;
  const auto counted = by_pages(level);
  const auto latencies = without_spikes(counted);
  for (const auto& [columns, latency] : latencies) (columns <= fits ? below : above).push_back(latency);
  constexpr std::size_t kNearest = 8;
  if (below.size() > kNearest) below.erase(below.begin(), below.end() - kNearest);
  if (above.size() > kNearest) above.resize(kNearest);
  const double fast = middle_half(below);
  const double penalty = middle_half(above) - fast;
  const auto step = [&](std::uint64_t low, std::uint64_t high) {
    const auto below_it = latencies.find(low);
    const auto above_it = latencies.find(high);
    const bool both = below_it != latencies.end() && above_it != latencies.end();
    return both ? (above_it->second - below_it->second) / penalty : 0;
  };
  // A step, not a slope: where the data lies can slow such walks down little by little, too. Where a cache still serves a few of the loads,
  // pages are missed the more often the more there are too many: over three counts, of which the first is the one too many.
  const double at_once = step(fits, misses);
  if (std::max(at_once, step(fits - 1, misses + 1)) < kStepShare || penalty < found.penalty / 2) {
    found.evidence.push_back("walked page by page it slows down little by little: no page and no exact reach");
    found.confidence = 0.5;
    return;
  }
  if (at_once < kStepShare && step(fits - 1, fits) > kKneeShare) misses = fits--;
  found.penalty = penalty;
  found.penalty_error = std::hypot(mean_error(below), mean_error(above), kLeastError * fast);
  found.reach = fits * *found.page;
  // Some counts of pages lie on the wrong side of the step where a cache keeps all lines of some pages, now more of them and now fewer.
  const auto astray = std::count_if(counted.begin(), counted.end(), [&, most = fits](const auto& count) {
    return (count.first <= most) != (count.second < fast + penalty / 2);
  });
  found.confidence = 0.95 * (1 - static_cast<double>(astray) / static_cast<double>(counted.size()));
  const double ratio = static_cast<double>(*found.reach) / found.rough_reach;
  if ((ratio < 1 / kAgreement && !found.at_most) || ratio > kAgreement) {
    found.confidence = 0.6;
    found.evidence.push_back("the random walk and the walk page by page do not agree on the reach");
  }
  found.evidence.push_back(fmt::format("{} pages of {} fit, {} do not", fits, format_bytes(*found.page), misses));
}

std::vector<TlbLevel> best_tlb_levels(std::span<const PointResult> results, const std::string& path) {
  const auto worth = [](const TlbReader& reader) {
    const auto exact = std::count_if(reader.levels().begin(), reader.levels().end(),
                                     [](const TlbLevel& level) { return level.reach.has_value(); });
    return std::pair(exact, reader.levels().size());
  };
  // Outside of all caches none of them disturbs; inside one few pages can be touched.
  std::vector<TlbReader> readers;
  for (const char* place : {tlb_place::kOutside, tlb_place::kBeyond, tlb_place::kInside})
    readers.emplace_back(results, path, place);
  const auto best = std::max_element(readers.begin(), readers.end(),
                                     [&](const TlbReader& a, const TlbReader& b) { return worth(a) < worth(b); });
  std::vector<TlbLevel> levels = best->levels();
  // Of places that counted a level the one furthest out counts, where fewer caches can pose as a TLB or hide what it does, if its step is as clear
  // as any.
  for (auto& level : levels) {
    if (!level.reach) continue;
    std::vector<TlbLevel> same;
    double clearest = 0;
    for (const auto& reader : readers) {
      for (const auto& other : reader.levels()) {
        const double ratio = static_cast<double>(other.reach.value_or(0)) / static_cast<double>(*level.reach);
        if (ratio >= kSameReach || ratio <= 1 / kSameReach) continue;
        same.push_back(other);
        clearest = std::max(clearest, other.confidence);
      }
    }
    level =
        *std::find_if(same.begin(), same.end(), [&](const TlbLevel& other) { return other.confidence >= kAsClear * clearest; });
  }
  // Where one place had no room to walk page by page another may have had.
  const auto is_known = [&](const TlbLevel& level) {
    return std::any_of(levels.begin(), levels.end(), [&](const TlbLevel& known) { return known.reach == level.reach; });
  };
  for (auto& level : levels) {
    if (level.reach) continue;
    for (const auto& reader : readers) {
      const auto exact = std::find_if(reader.levels().begin(), reader.levels().end(), [&](const TlbLevel& other) {
        if (!other.reach || is_known(other)) return false;
        const double ratio = static_cast<double>(*other.reach) / level.rough_reach;
        return ratio < kSameReach && (ratio > 1 / kSameReach || level.at_most);
      });
      if (exact == reader.levels().end()) continue;
      level = *exact;
      break;
    }
  }
  // Several places that counted the same entries say the same of what a miss costs, each with an error of its own: noise, or a cache that holds
  // less of a walk the more pages it has.
  for (auto& level : levels) {
    double sum = 0;
    double weights = 0;
    for (const auto& reader : readers) {
      for (const auto& other : reader.levels()) {
        const bool same = other.reach && other.reach == level.reach && other.page == level.page;
        if (!same || std::abs(other.penalty / level.penalty - 1) >= kSamePenalty) continue;
        const double weight = 1 / (other.penalty_error * other.penalty_error);
        sum += weight * other.penalty;
        weights += weight;
      }
    }
    if (weights > 0) level.penalty = sum / weights;
  }
  // What has been outgrown before the first span says next to nothing: of a TLB, or of what the cache before still serves.
  std::erase_if(levels, [](const TlbLevel& level) { return level.at_most && !level.reach; });
  // Nor is one beside a level that was counted: that is what the random walk makes of the same.
  const auto beside_counted = [all = levels](const TlbLevel& level) {
    return !level.reach && std::any_of(all.begin(), all.end(), [&](const TlbLevel& other) {
      return other.reach && std::abs(std::log(level.rough_reach / static_cast<double>(*other.reach))) < std::log(kSameReach);
    });
  };
  std::erase_if(levels, beside_counted);
  for (auto& level : levels) level.of_every_load = !readers.back().levels().empty();
  return levels;
}

}  // namespace percycle
