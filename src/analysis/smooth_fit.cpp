#include "analysis/smooth_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace percycle {
namespace {

/// Functions given by their values at all places over the places' sigmas, made orthogonal to each other.
class Functions {
 public:
  /// What is left of some values, as a sum of squares, when all functions so far are fitted to them.
  double chi_square(std::vector<double> values) const {
    project(values);
    double sum = 0;
    for (const double value : values) sum += value * value;
    return sum;
  }

  /// Adds a function, unless the others make it up.
  void add(std::vector<double> values) {
    const double length = norm(values);
    for (int twice = 0; twice < 2; ++twice) project(values);
    const double left = norm(values);
    if (left <= 1e-9 * length) return;
    for (double& value : values) value /= left;
    basis_.push_back(std::move(values));
  }

  std::size_t count() const { return basis_.size(); }

 private:
  static double norm(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum);
  }

  void project(std::vector<double>& values) const {
    for (const auto& direction : basis_) {
      double part = 0;
      for (std::size_t i = 0; i < values.size(); ++i) part += values[i] * direction[i];
      for (std::size_t i = 0; i < values.size(); ++i) values[i] -= part * direction[i];
    }
  }

  std::vector<std::vector<double>> basis_;
};

/// A function's values at some places over their sigmas.
template <typename Function>
std::vector<double> weighted(std::span<const CurvePlace> places, const Function& function) {
  std::vector<double> result;
  for (const auto& place : places) result.push_back(function(place) / place.sigma);
  return result;
}

/// The smooth functions: so many that three places are left to object.
Functions smooth_functions(std::span<const CurvePlace> places) {
  const std::size_t most = places.size() - 3;
  const double middle = std::log(places.front().bytes * places.back().bytes) / 2;
  const double half = std::log(places.back().bytes / places.front().bytes) / 2;
  const auto power = [&](int exponent) {
    return weighted(places, [&](const CurvePlace& place) { return std::pow((std::log(place.bytes) - middle) / half, exponent); });
  };
  Functions smooth;
  smooth.add(power(0));
  if (most >= 2) smooth.add(power(1));
  if (most >= 3) smooth.add(weighted(places, [&](const CurvePlace& place) { return place.bytes / places.back().bytes; }));
  if (most >= 4) smooth.add(power(2));
  if (most >= 5) smooth.add(power(3));
  return smooth;
}

std::vector<double> weighted_values(std::span<const CurvePlace> places) {
  return weighted(places, [](const CurvePlace& place) { return place.value; });
}

}  // namespace

bool is_smooth(std::span<const CurvePlace> places) {
  if (places.size() < 4) return true;
  Functions smooth = smooth_functions(places);
  if (smooth.count() + 4 <= places.size())
    smooth.add(weighted(places, [](const CurvePlace& place) { return std::sqrt(place.bytes); }));
  const auto freedom = static_cast<double>(places.size() - smooth.count());
  // Three standard deviations of chi-square beyond its mean.
  return smooth.chi_square(weighted_values(places)) < freedom + 3 * std::sqrt(2 * freedom);
}

double distinction(std::span<const CurvePlace> places, const RiseModel& model, const Rise& rise, std::span<const Rise> others) {
  if (places.size() < 4) return 0;
  Functions smooth = smooth_functions(places);
  for (const auto& other : others) {
    if (&other == &rise || smooth.count() + 3 >= places.size()) continue;
    smooth.add(weighted(places, [&](const CurvePlace& place) { return other.shape->share(place.bytes / other.onset); }));
  }
  double model_left = 0;
  for (const double rest : weighted(places, [&](const CurvePlace& place) { return place.value - model.value(place.bytes); })) {
    model_left += rest * rest;
  }
  const auto n = static_cast<double>(places.size());
  return std::max(0.0, smooth.chi_square(weighted_values(places)) - model_left) / std::max(1.0, model_left / n);
}

double drift(std::span<const CurvePlace> places, const RiseModel& model) {
  double sum = 0;
  double sum_x = 0;
  double sum_y = 0;
  double sum_xx = 0;
  double sum_xy = 0;
  for (const auto& place : places) {
    double value = place.value;
    for (const auto& rise : model.rises) {
      if (!rise.is_edge()) value -= rise.height * rise.shape->share(place.bytes / rise.onset);
    }
    const double weight = 1 / (place.sigma * place.sigma);
    const double x = std::log(place.bytes / places.front().bytes);
    sum += weight;
    sum_x += weight * x;
    sum_y += weight * value;
    sum_xx += weight * x * x;
    sum_xy += weight * x * value;
  }
  const double spread = sum_xx - sum_x * sum_x / sum;
  const double slope = (sum_xy - sum_x * sum_y / sum) / spread;
  const double error = 1 / std::sqrt(spread);
  const double width = std::log(places.back().bytes / places.front().bytes);
  return std::max(0.0, std::abs(slope) - 2 * error) * width;
}

}  // namespace percycle
