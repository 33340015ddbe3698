#include "analysis/smooth_fit.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/thresholds.hpp"
#include "stats/least_squares.hpp"

namespace percycle {
namespace {

/// A function's values at some places, divided by their sigmas.
template <typename Function>
Column weighted(std::span<const CurvePlace> places, const Function& function) {
  Column column(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) column(static_cast<Eigen::Index>(i)) = function(places[i]) / places[i].sigma;
  return column;
}

/// The smooth functions, as many as leave three degrees of freedom.
LeastSquares smooth_functions(std::span<const CurvePlace> places) {
  const std::size_t most = places.size() - 3;
  const double middle = std::log(places.front().bytes * places.back().bytes) / 2;
  const double half = std::log(places.back().bytes / places.front().bytes) / 2;
  const auto power = [&](int exponent) {
    return weighted(places, [&](const CurvePlace& place) { return std::pow((std::log(place.bytes) - middle) / half, exponent); });
  };
  LeastSquares smooth;
  smooth.add(power(0));
  if (most >= 2) smooth.add(power(1));
  if (most >= 3) smooth.add(weighted(places, [&](const CurvePlace& place) { return place.bytes / places.back().bytes; }));
  if (most >= 4) smooth.add(power(2));
  if (most >= 5) smooth.add(power(3));
  return smooth;
}

Column weighted_values(std::span<const CurvePlace> places) {
  return weighted(places, [](const CurvePlace& place) { return place.value; });
}

}  // namespace

bool is_smooth(std::span<const CurvePlace> places) {
  if (places.size() < 4) return true;
  LeastSquares smooth = smooth_functions(places);
  const auto size = static_cast<Eigen::Index>(places.size());
  if (smooth.count() + 4 <= size) smooth.add(weighted(places, [](const CurvePlace& place) { return std::sqrt(place.bytes); }));
  const auto freedom = static_cast<double>(size - smooth.count());
  const double deviation = std::sqrt(2 * freedom);
  return smooth.rest(weighted_values(places)).squaredNorm() < freedom + level_thresholds.smooth_deviations * deviation;
}

double distinction(std::span<const CurvePlace> places, const RiseModel& model, const Rise& rise, std::span<const Rise> others) {
  if (places.size() < 4) return 0;
  const auto size = static_cast<Eigen::Index>(places.size());
  LeastSquares smooth = smooth_functions(places);
  for (const auto& other : others) {
    if (&other == &rise || smooth.count() + 3 >= size) continue;
    smooth.add(weighted(places, [&](const CurvePlace& place) { return other.shape->share(place.bytes / other.onset); }));
  }
  const double model_left =
      weighted(places, [&](const CurvePlace& place) { return place.value - model.value(place.bytes); }).squaredNorm();
  const double smooth_left = smooth.rest(weighted_values(places)).squaredNorm();
  return std::max(0.0, smooth_left - model_left) / std::max(1.0, model_left / static_cast<double>(size));
}

double drift(std::span<const CurvePlace> places, const RiseModel& model) {
  const auto log_size = [&](const CurvePlace& place) { return std::log(place.bytes / places.front().bytes); };
  const auto without_tlbs = [&](const CurvePlace& place) {
    double value = place.value;
    for (const auto& rise : model.rises) {
      if (!rise.is_edge()) value -= rise.height * rise.shape->share(place.bytes / rise.onset);
    }
    return value;
  };
  Eigen::MatrixXd line(places.size(), 2);
  line << weighted(places, [](const CurvePlace&) { return 1; }), weighted(places, log_size);
  const auto fit = fit_columns(line, weighted(places, without_tlbs)).value();
  return std::max(0.0, std::abs(fit.coefficients(1)) - level_thresholds.drift_errors * fit.errors(1)) * log_size(places.back());
}

}  // namespace percycle
