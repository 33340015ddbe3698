#include "analysis/curve_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr double kFloor = 0.001;  // share of the value: what no clock and no driver hold better
/// Pages, hashes and neighbours' data make a cache seem this much smaller or larger from one footprint to the next.
constexpr double kSizeJitter = 0.015;
constexpr double kNormalMad = 1.4826;  // standard deviations to a median absolute deviation (Hampel 1974)

void check(std::span<const CurveSample> curve) {
  const auto good = [](double value) { return std::isfinite(value) && value > 0; };
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto& sample = curve[i];
    if (!good(sample.bytes) || !good(sample.value) || !std::isfinite(sample.error) || sample.error < 0) {
      throw std::invalid_argument(fmt::format("curve, point {}: {} at {} bytes, error {}: not positive and finite", i,
                                              sample.value, sample.bytes, sample.error));
    }
    if (i > 0 && sample.bytes < curve[i - 1].bytes) {
      throw std::invalid_argument(fmt::format("curve, point {}: {} bytes after {}", i, sample.bytes, curve[i - 1].bytes));
    }
  }
}

/// One place for the samples of a group: their medians; the error of a median of several is that of their scatter where that is larger.
CurvePlace join(std::span<const CurveSample> group) {
  std::vector<double> sizes;
  std::vector<double> values;
  double variance = 0;
  for (const auto& sample : group) {
    sizes.push_back(sample.bytes);
    values.push_back(sample.value);
    variance += sample.error * sample.error;
  }
  const auto n = static_cast<double>(group.size());
  return {median(sizes), median(values), std::max(std::sqrt(variance) / n, kNormalMad * mad(values) / std::sqrt(n))};
}

/// Joins samples whose sizes lie within `ratio` of each other.
std::vector<CurvePlace> joined(std::span<const CurveSample> curve, double ratio) {
  std::vector<CurvePlace> places;
  for (std::size_t begin = 0; begin < curve.size();) {
    std::size_t end = begin + 1;
    while (end < curve.size() && curve[end].bytes < curve[begin].bytes * ratio) ++end;
    places.push_back(join(curve.subspan(begin, end - begin)));
    begin = end;
  }
  return places;
}

/// How far place i lies from the line between its neighbours, as a share of its value and scaled to the deviation of one value.
double deviation(std::span<const CurvePlace> places, std::size_t i) {
  const auto& [left, here, right] = std::tie(places[i - 1], places[i], places[i + 1]);
  const double share = std::log(here.bytes / left.bytes) / std::log(right.bytes / left.bytes);
  const double line = left.value + share * (right.value - left.value);
  return std::abs(here.value - line) / here.value / std::sqrt(1 + share * share + (1 - share) * (1 - share));
}

/// The standard deviation that the calmest third of some deviations speaks of: edges and outliers are among the others. 0.43 of a standard
/// deviation is exceeded by two thirds of normal values.
double calm_deviation(std::vector<double> deviations) {
  if (deviations.empty()) return 0;
  const auto third = deviations.begin() + static_cast<std::ptrdiff_t>(deviations.size() / 3);
  std::nth_element(deviations.begin(), third, deviations.end());
  return *third / 0.43;
}

/// The relative scatter around each place: that of the 21 places around it; where that is less than the whole curve's, the geometric mean of
/// the two, since 21 places may look calm by chance.
std::vector<double> scatter(std::span<const CurvePlace> places) {
  std::vector<double> result(places.size(), 0);
  if (places.size() < 3) return result;
  std::vector<double> all;
  for (std::size_t i = 1; i + 1 < places.size(); ++i) all.push_back(deviation(places, i));
  const double whole = calm_deviation(all);
  constexpr std::size_t kAround = 10;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t first = std::min(i > kAround ? i - kAround : 0, all.size() - 1);
    const std::size_t last = std::min(i + kAround, all.size());
    std::vector<double> around(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last));
    const double local = around.size() < kAround ? whole : calm_deviation(std::move(around));
    result[i] = std::max(local, std::sqrt(local * whole));
  }
  return result;
}

/// Whether place i lies outside of what both neighbours say, by more than five deviations and more than half of what they disagree. Of the
/// first and the last place: outside of what the next two say, by more than five deviations and five times what those disagree.
bool is_outlier(std::span<const CurvePlace> places, std::size_t i) {
  constexpr double kFar = 5;
  const bool first = i == 0;
  const bool last = i + 1 == places.size();
  const auto& one = places[first ? 1 : i - 1];
  const auto& other = places[first ? 2 : last ? i - 2 : i + 1];
  const auto [low, high] = std::minmax(one.value, other.value);
  const double outside = std::max(places[i].value - high, low - places[i].value);
  const double noise = std::max({places[i].sigma, one.sigma, other.sigma});
  return outside > std::max(kFar * noise, (high - low) * (first || last ? kFar : 0.5));
}

std::vector<CurvePlace> without_outliers(const std::vector<CurvePlace>& places) {
  if (places.size() < 3) return places;
  std::vector<CurvePlace> kept;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!is_outlier(places, i)) kept.push_back(places[i]);
  }
  return kept;
}

/// How steep the curve is at place i beyond doubt: the lesser of the slopes to both sides, value per logarithm of the size.
double slope(std::span<const CurvePlace> places, std::size_t i) {
  constexpr double kNear = 1.03;  // nearer neighbours tell noise only
  const auto towards = [&](std::ptrdiff_t step) {
    const auto& here = places[i];
    auto at = static_cast<std::ptrdiff_t>(i) + step;
    const auto size = static_cast<std::ptrdiff_t>(places.size());
    const auto distance = [&] {
      const double ratio = places[static_cast<std::size_t>(at)].bytes / here.bytes;
      return std::abs(std::log(ratio));
    };
    while (at >= 0 && at < size && distance() < std::log(kNear)) at += step;
    if (at < 0 || at >= size) return 0.0;
    const auto& other = places[static_cast<std::size_t>(at)];
    return std::max(0.0, std::abs(other.value - here.value) - 2 * std::hypot(here.sigma, other.sigma)) / distance();
  };
  return std::min(towards(-1), towards(1));
}

}  // namespace

std::vector<CurvePlace> curve_places(std::span<const CurveSample> curve) {
  check(curve);
  // A search over places costs the square of their number; sizes 2.5 % apart still tell an edge within 5 %.
  constexpr std::size_t kMany = 400;
  auto places = joined(curve, 1.01);
  if (places.size() > kMany) places = joined(curve, 1.025);

  const auto add_scatter = [&] {
    const auto relative = scatter(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i].sigma = std::max(places[i].sigma, std::max(kFloor, relative[i]) * places[i].value);
    }
  };
  add_scatter();
  places = without_outliers(places);

  std::vector<double> jitter;
  for (std::size_t i = 0; i < places.size(); ++i) jitter.push_back(kSizeJitter * slope(places, i));
  for (std::size_t i = 0; i < places.size(); ++i) places[i].sigma = std::hypot(places[i].sigma, jitter[i]);
  return places;
}

}  // namespace percycle
