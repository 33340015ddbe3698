#include "analysis/rise_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

/// A part of a rise that is linear in 1/F: share = constant - steepness * onset / F.
struct Piece {
  double end = 0;  ///< onset / F where it ends; 0 where nowhere
  double constant = 0;
  double steepness = 0;
};

/// The pieces of a shape from the onset on.
std::vector<Piece> pieces_of(const RiseShape& shape) {
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k + 1 < shape.knots.size(); ++k) {
    // share = left + (1 - onset/F - u) * steepness
    const auto& left = shape.knots[k];
    const auto& right = shape.knots[k + 1];
    const double steepness = (right.share - left.share) / (right.u - left.u);
    pieces.push_back({1 - right.u, left.share + (1 - left.u) * steepness, steepness});
  }
  if (shape.knots.back().u < 1) pieces.push_back({0, shape.knots.back().share, 0});
  return pieces;
}

const std::vector<Piece>& known_pieces(const RiseShape& shape) {
  static const auto pieces = [] {
    std::map<const RiseShape*, std::vector<Piece>> all;
    for (const auto& one : edge_shapes()) all[&one] = pieces_of(one);
    for (const auto& one : tlb_shapes()) all[&one] = pieces_of(one);
    return all;
  }();
  return pieces.at(&shape);
}

}  // namespace

WeightedCurve::WeightedCurve(std::span<const CurvePlace> places, bool paged)
    : places_(places), paged_(paged), ones_(places.size()), values_(places.size()) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    ones_(static_cast<Eigen::Index>(i)) = 1 / places[i].sigma;
    values_(static_cast<Eigen::Index>(i)) = places[i].value / places[i].sigma;
  }
}

Column WeightedCurve::rise(const RiseShape& shape, double onset) const {
  Column column = ones_;
  for (std::size_t i = 0; i < places_.size(); ++i) column(static_cast<Eigen::Index>(i)) *= shape.share(places_[i].bytes / onset);
  return column;
}

std::size_t WeightedCurve::first_beyond(double bytes, std::size_t from) const {
  const auto less = [](double size, const CurvePlace& place) { return size < place.bytes; };
  return static_cast<std::size_t>(
      std::upper_bound(places_.begin() + static_cast<std::ptrdiff_t>(from), places_.end(), bytes, less) - places_.begin());
}

std::vector<double> WeightedCurve::onsets(double low, double high, double finer) const {
  std::vector<double> found;
  for (std::size_t i = 1; i + 2 < places_.size(); ++i) {
    const double here = places_[i].bytes;
    if (places_[i + 1].bytes < low || here > high) continue;
    const double distance = std::log(places_[i + 1].bytes / here);
    const double steps = std::max(1.0, std::ceil(finer * distance / rise_thresholds.onset_step));
    for (double step = 0; step < steps; ++step) {
      const double onset = here * std::exp(distance * step / steps);
      if (onset >= low && onset <= high) found.push_back(onset);
    }
  }
  return found;
}

Remainder::Remainder(const WeightedCurve& curve, std::span<const Rise> rises) : curve_(curve) {
  fit_.add(curve.ones());
  for (const auto& rise : rises) fit_.add(curve.rise(*rise.shape, rise.onset));
  rest_ = fit_.rest(curve.values());

  const auto places = curve.places();
  const auto size = static_cast<Eigen::Index>(places.size());
  const Eigen::Index factors = fit_.count() + 3;
  sums_.setZero(2 * factors, size + 1);
  Eigen::VectorXd factor(factors);
  for (Eigen::Index i = size; i-- > 0;) {
    const double weight = curve.ones()(i);
    const double bytes = places[static_cast<std::size_t>(i)].bytes;
    factor << fit_.directions().row(i).transpose(), rest_(i), weight, weight / bytes;
    sums_.col(i) = sums_.col(i + 1);
    sums_.col(i).head(factors) += weight * factor;
    sums_.col(i).tail(factors) += weight / bytes * factor;
  }
}

Eigen::VectorXd Remainder::gains(std::span<const RiseShape> shapes, double onset) const {
  const Eigen::Index directions = fit_.count();
  const Eigen::Index factors = directions + 3;
  const std::size_t first = curve_.first_beyond(onset);
  Eigen::VectorXd gains(shapes.size());
  Eigen::VectorXd piece_products(factors);
  Eigen::VectorXd products(factors);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    products.setZero();
    double square = 0;
    std::size_t from = first;
    for (const auto& [end, constant, steepness] : known_pieces(shapes[k])) {
      const std::size_t to = end > 0 ? curve_.first_beyond(onset / end, from) : curve_.places().size();
      const double slope = -onset * steepness;
      const auto begin_sums = sums_.col(static_cast<Eigen::Index>(from));
      const auto end_sums = sums_.col(static_cast<Eigen::Index>(to));
      piece_products = constant * (begin_sums.head(factors) - end_sums.head(factors)) +
                       slope * (begin_sums.tail(factors) - end_sums.tail(factors));
      products += piece_products;
      square += constant * piece_products(directions + 1) + slope * piece_products(directions + 2);
      from = to;
    }
    gains(static_cast<Eigen::Index>(k)) =
        rise_gain(products(directions), square - products.head(directions).squaredNorm(), square);
  }
  return gains;
}

double rise_gain(double along, double across, double square) {
  return along > 0 && across > rise_thresholds.own_part * square ? along * along / across : 0;
}

}  // namespace percycle
