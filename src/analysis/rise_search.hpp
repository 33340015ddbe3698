#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/rise.hpp"
#include "stats/least_squares.hpp"

namespace percycle {

/// Shapes as sums over their common bends. A share is the sum of (bend - onset / F) * steeper over
/// the bends passed, with `steeper` the change of slope there. So sums over places of share * c are
/// linear in the sums from each bend to the last place.
struct ShapeSet {
  explicit ShapeSet(std::span<const RiseShape> all);

  /// A bend of one shape.
  struct Bend {
    std::size_t place = 0;  ///< in `bends`
    double steeper = 0;
    /// Growth of the share's square, as the coefficients of 1, onset / F and (onset / F)^2.
    std::array<double, 3> squares{};
  };

  std::span<const RiseShape> shapes;
  std::vector<double> bends;                ///< onset / F, descending from 1 to 0
  std::vector<std::vector<Bend>> of_shape;  ///< in the order of the shapes; places ascend
};

/// The sets of all edge_shapes() and all tlb_shapes().
const ShapeSet& edge_shape_set();
const ShapeSet& tlb_shape_set();

/// The places of a curve, weighted for fits. The places must outlive it.
class WeightedCurve {
 public:
  /// `paged`: whether edges may have the soft shape of a cache with scattered pages.
  explicit WeightedCurve(std::span<const CurvePlace> places, bool paged = true);

  bool paged() const { return paged_; }
  std::span<const CurvePlace> places() const { return places_; }
  const Column& values() const { return values_; }
  /// 1 at every place, weighted.
  const Column& ones() const { return ones_; }
  /// A rise of height 1.
  Column rise(const RiseShape& shape, double onset) const;

  /// The index of the first place beyond `bytes`, searched from place `from` on.
  std::size_t first_beyond(double bytes, std::size_t from = 0) const;

  /// Onsets to try between two sizes: every place, and steps of at most 4 % / `finer` between
  /// places. At least two places lie up to each onset, and two beyond.
  std::vector<double> onsets(double low, double high, double finer = 1) const;

 private:
  std::span<const CurvePlace> places_;
  bool paged_;
  Column ones_;
  Column values_;
};

/// The residual of a curve after a base and some rises of fixed shape and onset, and the gain of
/// one more rise.
class Remainder {
 public:
  Remainder(const WeightedCurve& curve, std::span<const Rise> rises);

  const Column& values() const { return rest_; }
  /// The part of columns that base and rises do not explain.
  Eigen::MatrixXd rest_of(const Eigen::MatrixXd& columns) const { return fit_.rest(columns); }

  /// The fall of chi-square for each shape of a set, added at `onset` with all heights refitted; 0
  /// for a falling rise, and for a paged shape that the curve cannot have. Valid until the next
  /// call.
  std::span<const double> gains(const ShapeSet& set, double onset);

 private:
  template <int kFactors>
  void find_gains(const ShapeSet& set, double onset);

  const WeightedCurve& curve_;
  LeastSquares fit_;
  Column rest_;
  // One column per place and a column of zeros at the end: sums from the place to the end. Sums
  // from the start would lose the last terms, which 1/F makes the smallest.
  /// C * w and c * w / F, w the weight, c each direction and the residual.
  Eigen::MatrixXd products_;
  Eigen::MatrixXd weights_;  ///< w * w, w * w / F, w * w / F / F
  // Buffers of gains().
  std::vector<double> bend_products_;
  std::vector<std::array<double, 3>> bend_weights_;
  std::vector<double> gains_;
};

/// Share of a column's square: if others imitate all but this, the rest is rounding.
inline constexpr double kRounding = 1e-9;

/// The gain of a rise: `along` is its product with the residual, `across` the part of its `square`
/// that no other rise imitates. 0 for a falling rise.
double rise_gain(double along, double across, double square);

}  // namespace percycle
