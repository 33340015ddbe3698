#include "analysis/curve_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/thresholds.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr double kNormalMad = 1.4826;  // standard deviations per MAD (Hampel 1974)

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

/// One place from the medians of a group. If the samples scatter more than their errors, the
/// scatter is the error.
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

/// The distance of place i from the line between its neighbours. The result is a share of the
/// value, scaled to the standard deviation of one value.
double deviation(std::span<const CurvePlace> places, std::size_t i) {
  const auto& [left, here, right] = std::tie(places[i - 1], places[i], places[i + 1]);
  const double share = std::log(here.bytes / left.bytes) / std::log(right.bytes / left.bytes);
  const double line = left.value + share * (right.value - left.value);
  return std::abs(here.value - line) / here.value / std::sqrt(1 + share * share + (1 - share) * (1 - share));
}

/// The standard deviation from the calmest third of some deviations, because edges and outliers are
/// among the others. Two thirds of normal values exceed 0.43 standard deviations.
double calm_deviation(std::vector<double> deviations) {
  if (deviations.empty()) return 0;
  const auto third = deviations.begin() + static_cast<std::ptrdiff_t>(deviations.size() / 3);
  std::nth_element(deviations.begin(), third, deviations.end());
  return *third / 0.43;
}

/// The relative scatter around each place, by `estimate` from single deviations. (`skipped` places
/// at either end have none.) 21 places may look calm by chance. If they are calmer than the whole
/// curve, the result is the geometric mean of both.
template <typename Estimate>
std::vector<double> scatter(std::size_t places, const std::vector<double>& deviations, std::size_t skipped, Estimate estimate) {
  const auto reach = static_cast<std::size_t>(curve_thresholds.scatter_places);
  std::vector<double> result(places, 0);
  if (deviations.empty()) return result;
  const double whole = estimate(deviations);
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t here = i < skipped ? 0 : i - skipped;
    const std::size_t first = std::min(here > reach ? here - reach : 0, deviations.size() - 1);
    const std::size_t last = std::min(here + reach + 1, deviations.size());
    const std::vector<double> around(deviations.begin() + static_cast<std::ptrdiff_t>(first),
                                     deviations.begin() + static_cast<std::ptrdiff_t>(last));
    const double local = around.size() < reach ? whole : estimate(around);
    result[i] = std::max(local, std::sqrt(local * whole));
  }
  return result;
}

std::vector<double> scatter_of_neighbours(std::span<const CurvePlace> places) {
  std::vector<double> deviations;
  for (std::size_t i = 1; i + 1 < places.size(); ++i) deviations.push_back(deviation(places, i));
  return scatter(places.size(), deviations, 1, calm_deviation);
}

/// Whether place i lies far outside of the range of both neighbours. The first and last place are
/// compared with the next two.
bool is_outlier(std::span<const CurvePlace> places, std::size_t i) {
  const bool first = i == 0;
  const bool last = i + 1 == places.size();
  const auto& one = places[first ? 1 : i - 1];
  const auto& other = places[first ? 2 : last ? i - 2 : i + 1];
  const auto [low, high] = std::minmax(one.value, other.value);
  const double outside = std::max(places[i].value - high, low - places[i].value);
  const double noise = std::max({places[i].sigma, one.sigma, other.sigma});
  return outside > std::max(curve_thresholds.outlier_errors * noise,
                            (high - low) * (first || last ? curve_thresholds.outlier_end_share : curve_thresholds.outlier_share));
}

std::vector<CurvePlace> without_outliers(const std::vector<CurvePlace>& places) {
  if (places.size() < 3) return places;
  std::vector<CurvePlace> kept;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!is_outlier(places, i)) kept.push_back(places[i]);
  }
  return kept;
}

/// The certain slope at place i: the smaller of the slopes to both sides, value per logarithm of
/// the size.
double slope(std::span<const CurvePlace> places, std::size_t i) {
  const auto towards = [&](std::ptrdiff_t step) {
    const auto& here = places[i];
    auto at = static_cast<std::ptrdiff_t>(i) + step;
    const auto size = static_cast<std::ptrdiff_t>(places.size());
    const auto distance = [&] {
      const double ratio = places[static_cast<std::size_t>(at)].bytes / here.bytes;
      return std::abs(std::log(ratio));
    };
    while (at >= 0 && at < size && distance() < std::log(curve_thresholds.slope_distance)) at += step;
    if (at < 0 || at >= size) return 0.0;
    const auto& other = places[static_cast<std::size_t>(at)];
    return std::max(0.0,
                    std::abs(other.value - here.value) - curve_thresholds.slope_errors * std::hypot(here.sigma, other.sigma)) /
           distance();
  };
  return std::min(towards(-1), towards(1));
}

}  // namespace

std::vector<CurvePlace> curve_places(std::span<const CurveSample> curve) {
  check(curve);
  auto places = joined(curve, curve_thresholds.same_place);
  if (static_cast<double>(places.size()) > curve_thresholds.many_places)
    places = joined(curve, curve_thresholds.same_place_of_many);

  const auto relative = scatter_of_neighbours(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].own = std::max(places[i].sigma, curve_thresholds.least_error * places[i].value);
    places[i].sigma = std::max(places[i].own, relative[i] * places[i].value);
  }
  places = without_outliers(places);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].slope = curve_thresholds.size_jitter * slope(places, i);
  for (auto& place : places) place.sigma = std::hypot(place.sigma, place.slope);
  return places;
}

std::vector<CurvePlace> scattered_around(std::span<const CurvePlace> places, std::span<const double> model,
                                         std::span<const double> uncertain) {
  std::vector<double> deviations;
  for (std::size_t i = 0; i < places.size(); ++i) deviations.push_back(std::abs(places[i].value - model[i]) / places[i].value);
  const auto relative = scatter(places.size(), deviations, 0, [](std::vector<double> some) { return kNormalMad * median(some); });
  std::vector<CurvePlace> result(places.begin(), places.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto& place = result[i];
    const double noise = std::max(place.own, relative[i] * place.value);
    place.sigma = std::min(place.sigma, std::hypot(noise, place.slope, uncertain[i]));
  }
  return result;
}

}  // namespace percycle
