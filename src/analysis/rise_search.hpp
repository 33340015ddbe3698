#pragma once

#include <span>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/least_squares.hpp"
#include "analysis/rise.hpp"

namespace percycle {

/// The places of a curve as fitting wants them. The places have to outlive it.
class WeightedCurve {
 public:
  /// `paged`: whether an edge may be as soft as that of a cache whose pages lie anywhere.
  explicit WeightedCurve(std::span<const CurvePlace> places, bool paged = true);

  bool paged() const { return paged_; }
  std::span<const CurvePlace> places() const { return places_; }
  const Column& values() const { return values_; }
  /// 1 at every place.
  const Column& ones() const { return ones_; }
  /// A rise of height 1.
  Column rise(const RiseShape& shape, double onset) const;

  /// The index of the first place, from some place on, beyond some bytes.
  std::size_t first_beyond(double bytes, std::size_t from = 0) const;

  /// Onsets worth trying between two sizes: every place, and steps of at most 4 % / `finer` between places. Two places lie up to each, and two beyond.
  std::vector<double> onsets(double low, double high, double finer = 1) const;

 private:
  std::span<const CurvePlace> places_;
  bool paged_;
  Column ones_;
  Column values_;
};

/// What a base and some rises of fixed shape and onset leave of a curve, and how much one more rise would explain of that.
class Remainder {
 public:
  Remainder(const WeightedCurve& curve, std::span<const Rise> rises);

  const Column& values() const { return rest_; }
  /// What base and rises leave of columns.
  Eigen::MatrixXd of(const Eigen::MatrixXd& columns) const { return fit_.rest(columns); }

  /// How much chi-square falls when a rise of each shape is added at an onset and the heights of all others adapt; 0 for a falling rise.
  Eigen::VectorXd gains(std::span<const RiseShape> shapes, double onset) const;

 private:
  const WeightedCurve& curve_;
  LeastSquares fit_;
  Column rest_;
  /// A column for each place, and one of zeros behind the last: sums, from the place to the end, of c * w and then of c * w / F, with c each direction
  /// of the fit, the rest, w, and w / F. A sum from the start would lose the last terms, which 1/F makes the smallest.
  Eigen::MatrixXd sums_;
};

/// The gain of a rise whose product with the remaining values is `along` and of which `across` of its `square` is its own; 0 for a falling rise.
double rise_gain(double along, double across, double square);

}  // namespace percycle
