#include "stats/settling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stats/least_squares.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr std::size_t kMostValues = 256;  // of a fit; more are averaged
constexpr std::size_t kFewestValues = 12;
// Noise alone seldom looks like this, and a smaller change is of no interest.
constexpr double kExplained = 0.8;  // share of the variance
constexpr double kLeastChange = 0.005;
constexpr double kShortestConstant = 4;   // times the step of the series: else it is not resolved
constexpr double kLongestConstant = 0.5;  // share of the time: then the end is seen
constexpr double kLargestError = 3e4;     // of the change, times the root of the number of values
constexpr int kSteps = 16;                // of a grid in each direction
constexpr int kGrids = 12;                // each half as wide as the one before

std::vector<TimedValue> averaged(std::span<const TimedValue> series) {
  const std::size_t bins = std::min(series.size(), kMostValues);
  std::vector<TimedValue> means;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const auto part = series.subspan(bin * series.size() / bins, (bin + 1) * series.size() / bins - bin * series.size() / bins);
    TimedValue mean;
    for (const TimedValue& each : part) {
      mean.s += each.s / static_cast<double>(part.size());
      mean.value += each.value / static_cast<double>(part.size());
    }
    means.push_back(mean);
  }
  return means;
}

/// A series whose best values at both ends are found for many onsets and constants.
class SeriesEnds {
 public:
  explicit SeriesEnds(const std::vector<TimedValue>& series)
      : series_(series), shape_(static_cast<Eigen::Index>(series.size())), values_(shape_.size()) {
    for (Eigen::Index i = 0; i < values_.size(); ++i) values_(i) = series[static_cast<std::size_t>(i)].value;
    end_.add(Column::Ones(values_.size()));
  }

  /// The sum of the squared residuals of the best values at both ends.
  std::pair<double, Settling> best(double onset_s, double constant_s) {
    for (Eigen::Index i = 0; i < shape_.size(); ++i) {
      const double s = series_[static_cast<std::size_t>(i)].s;
      shape_(i) = s <= onset_s ? 1.0 : std::exp(-(s - onset_s) / constant_s);
    }
    LeastSquares both = end_;
    if (!both.add(shape_)) return {INFINITY, {}};
    const auto fit = both.fit(values_);
    // A shape that hardly changes over the series says nothing.
    if (fit.errors(1) >= kLargestError / std::sqrt(static_cast<double>(values_.size()))) return {INFINITY, {}};
    const double end = fit.coefficients(0);
    return {fit.chi_square, {.begin = end + fit.coefficients(1), .end = end, .onset_s = onset_s, .constant_s = constant_s}};
  }

 private:
  const std::vector<TimedValue>& series_;
  LeastSquares end_;  ///< with the column of the end
  Column shape_;
  Column values_;
};

}  // namespace

// Least squares for each onset and constant of a grid, then of eleven finer grids around the best.
// There is no fit if it explains less than 80 % of the variance, if the change is below 0.5 %, or
// if the constant is shorter than four steps of the series or longer than half of the time since
// the onset, because the end is then not visible.
std::optional<Settling> fit_settling(std::span<const TimedValue> series) {
  if (series.size() < kFewestValues) return std::nullopt;
  const std::vector<TimedValue> values = averaged(series);
  const double begin = values.front().s;
  const double length = values.back().s - begin;
  const double step = length / static_cast<double>(values.size() - 1);
  if (length <= 0) return std::nullopt;

  // Grids over the onset and the logarithm of the constant, each around the best of the last one.
  double onset = begin + length / 2;
  double onset_reach = length / 2;
  double log_constant = std::log(std::sqrt(step * 2 * length));
  double log_reach = std::log(std::sqrt(2 * length / step));
  std::pair<double, Settling> best{INFINITY, {}};
  SeriesEnds ends(values);
  for (int grid = 0; grid < kGrids; ++grid) {
    const double middle = onset;
    const double log_middle = log_constant;
    for (int i = 0; i <= kSteps; ++i) {
      const double at = std::max(middle + onset_reach * (2.0 * i / kSteps - 1), begin);
      for (int j = 0; j <= kSteps; ++j) {
        const double log_at = log_middle + log_reach * (2.0 * j / kSteps - 1);
        const auto found = ends.best(at, std::exp(log_at));
        if (found.first >= best.first) continue;
        best = found;
        onset = at;
        log_constant = log_at;
      }
    }
    onset_reach /= 2;
    log_reach /= 2;
  }

  double mean = 0;
  double squares = 0;
  for (const TimedValue& each : values) mean += each.value / static_cast<double>(values.size());
  for (const TimedValue& each : values) squares += std::pow(each.value - mean, 2);
  const Settling& found = best.second;
  const bool is_clear =
      best.first <= (1 - kExplained) * squares && std::abs(found.begin - found.end) >= kLeastChange * std::abs(found.end);
  const double left_s = values.back().s - found.onset_s;
  if (!is_clear || found.constant_s > kLongestConstant * left_s || found.constant_s < kShortestConstant * step)
    return std::nullopt;
  return found;
}

std::optional<double> settled_after(std::span<const TimedValue> series) {
  constexpr double kWithin = 0.01;
  constexpr std::size_t kFewest = 9;
  constexpr std::size_t kNeighbours = 2;  // on either side: one odd sample does not count
  if (series.size() < kFewest) return std::nullopt;
  const double last_third = series.back().s * 2 / 3;
  std::vector<double> steady;
  for (const TimedValue& each : series) {
    if (each.s >= last_third) steady.push_back(each.value);
  }
  const double level = median(steady);
  double after = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::vector<double> neighbours;
    for (std::size_t j = i - std::min(i, kNeighbours); j <= std::min(i + kNeighbours, series.size() - 1); ++j)
      neighbours.push_back(series[j].value);
    if (std::abs(median(neighbours) - level) > kWithin * std::abs(level)) after = series[i].s;
  }
  if (after >= last_third) return std::nullopt;
  return after;
}

}  // namespace percycle
