#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/least_squares.hpp"
#include "analysis/rise.hpp"

namespace percycle {

/// Shapes as sums over the bends that any of them has: a share is the sum of (bend - onset / F) * steeper over the bends that onset / F has
/// passed, with steeper what its steepness grows by there. So a sum over places of share * c is linear in sums from each bend to the last place.
struct ShapeSet {
  explicit ShapeSet(std::span<const RiseShape> all);

  std::span<const RiseShape> shapes;
  std::vector<double> bends;           ///< onset / F, descending; the first is 1, the last 0: nowhere
  Eigen::SparseMatrix<double> shares;  ///< a column for each shape, a row for each bend: steeper
  Eigen::SparseMatrix<double>
      squares;  ///< a column for each shape; rows: what a square grows by at each bend, then for onset / F and its square
};

/// The sets of all edge_shapes() and all tlb_shapes().
const ShapeSet& edge_shape_set();
const ShapeSet& tlb_shape_set();

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

  /// How much chi-square falls when a rise of each shape of a set is added at an onset and the heights of all others adapt; 0 for a falling rise.
  Eigen::VectorXd gains(const ShapeSet& set, double onset) const;

 private:
  const WeightedCurve& curve_;
  LeastSquares fit_;
  Column rest_;
  // A column for each place, and one of zeros behind the last: sums from the place to the end. A sum from the start would lose the last terms,
  // which 1/F makes the smallest.
  Eigen::MatrixXd products_;  ///< c * w, then c * w / F, with w the weight and c each direction of the fit and then the rest
  Eigen::MatrixXd weights_;   ///< w * w, w * w / F, w * w / F / F
};

/// The gain of a rise whose product with the remaining values is `along` and of which `across` of its `square` is its own; 0 for a falling rise.
double rise_gain(double along, double across, double square);

}  // namespace percycle
