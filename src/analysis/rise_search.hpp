#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"

namespace percycle {

/// A value for each place, divided by the place's sigma: least squares are plain dot products then.
using Column = std::vector<double>;

double dot(const Column& a, const Column& b);

/// The places of a curve as fitting wants them.
class Problem {
 public:
  /// `paged`: whether an edge may be as soft as that of a cache whose pages lie anywhere.
  explicit Problem(std::span<const CurvePlace> places, bool paged = true);

  bool paged() const { return paged_; }
  std::size_t size() const { return places_.size(); }
  std::span<const CurvePlace> places() const { return places_; }
  const Column& ones() const { return weights_; }
  const Column& values() const { return values_; }

  /// A rise of height 1.
  Column column(const RiseShape& shape, double onset) const;

  /// The index of the first place beyond some bytes.
  std::size_t beyond(double bytes) const;

  /// Onsets worth trying between two sizes: every place, and steps of at most 4 % between places, `finer` times as many of them; with a
  /// plateau of at least two places before and a rise of at least two beyond.
  std::vector<double> onsets(double low, double high, double finer = 1) const;

 private:
  std::span<const CurvePlace> places_;
  bool paged_;
  Column weights_;
  Column values_;
};

/// Sums over ranges of places in constant time, of c * w and of c * w / F: all it takes to multiply a column c with what is linear in 1/F.
class RangeSums {
 public:
  RangeSums(const Problem& problem, const Column& column);

  /// The sum of column * (constant + slope / F) over places [from, to).
  double over(std::size_t from, std::size_t to, double constant, double slope) const {
    return constant * (plain_[from] - plain_[to]) + slope * (inverse_[from] - inverse_[to]);
  }

 private:
  // Each from its place to the end: 1/F makes the last terms the smallest, and they would drown in a sum from the start.
  std::vector<double> plain_;
  std::vector<double> inverse_;
};

/// What a base and some rises of fixed shape and onset leave unexplained, and how much one more rise would explain of that.
class Remainder {
 public:
  Remainder(const Problem& problem, std::span<const Rise> rises);

  double chi_square() const { return dot(rest_, rest_); }

  /// How much chi-square falls when a rise is added and the heights of all others adapt; 0 for a falling one.
  double gain(const RiseShape& shape, double onset) const;

 private:
  void take(Column column);

  const Problem& problem_;
  Column rest_;
  std::vector<Column> basis_;
  std::vector<RangeSums> basis_sums_;
  std::vector<RangeSums> rest_sums_;    // one element
  std::vector<RangeSums> weight_sums_;  // of w and of w / F: for a shape's own length
};

}  // namespace percycle
