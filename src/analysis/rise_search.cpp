#include "analysis/rise_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/thresholds.hpp"

namespace percycle {

ShapeSet::ShapeSet(std::span<const RiseShape> all) : shapes(all), bends{1} {
  for (const auto& shape : shapes) {
    for (const auto& knot : shape.knots) bends.push_back(1 - knot.u);
  }
  bends.push_back(0);
  std::sort(bends.rbegin(), bends.rend());
  bends.erase(std::unique(bends.begin(), bends.end()), bends.end());
  const auto size = static_cast<Eigen::Index>(bends.size());
  Eigen::MatrixXd steeper = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(shapes.size()));
  Eigen::MatrixXd more = Eigen::MatrixXd::Zero(3 * size, steeper.cols());
  const auto bend_at = [&](double x) { return std::find(bends.begin(), bends.end(), x) - bends.begin(); };
  for (Eigen::Index k = 0; k < steeper.cols(); ++k) {
    // A piece adds its slope where it begins and subtracts it where it ends.
    const auto piece = [&](double begin, double end, double constant, double steepness) {
      for (const auto& [bend, sign] : {std::pair{bend_at(begin), 1.0}, std::pair{bend_at(end), -1.0}}) {
        steeper(bend, k) += sign * steepness;
        more(bend, k) += sign * constant * constant;
        more(size + bend, k) -= sign * 2 * constant * steepness;
        more(2 * size + bend, k) += sign * steepness * steepness;
      }
    };
    const auto& knots = shapes[static_cast<std::size_t>(k)].knots;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      // share = left + (1 - onset/F - u) * steepness
      const double steepness = (knots[i + 1].share - knots[i].share) / (knots[i + 1].u - knots[i].u);
      piece(1 - knots[i].u, 1 - knots[i + 1].u, knots[i].share + (1 - knots[i].u) * steepness, steepness);
    }
    if (knots.back().u < 1) piece(1 - knots.back().u, 0, knots.back().share, 0);
  }
  shares = steeper.sparseView();
  squares = more.sparseView();
}

const ShapeSet& edge_shape_set() {
  static const ShapeSet set(edge_shapes());
  return set;
}

const ShapeSet& tlb_shape_set() {
  static const ShapeSet set(tlb_shapes());
  return set;
}

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
  const Eigen::Index factors = fit_.count() + 1;
  products_.setZero(2 * factors, size + 1);
  weights_.setZero(3, size + 1);
  Eigen::VectorXd factor(factors);
  for (Eigen::Index i = size; i-- > 0;) {
    const double weight = curve.ones()(i);
    const double bytes = places[static_cast<std::size_t>(i)].bytes;
    factor << fit_.directions().row(i).transpose(), rest_(i);
    products_.col(i) = products_.col(i + 1);
    products_.col(i).head(factors) += weight * factor;
    products_.col(i).tail(factors) += weight / bytes * factor;
    weights_.col(i) = weights_.col(i + 1) + weight * weight * Eigen::Vector3d(1, 1 / bytes, 1 / (bytes * bytes));
  }
}

Eigen::VectorXd Remainder::gains(const ShapeSet& set, double onset) const {
  const Eigen::Index directions = fit_.count();
  const auto bends = static_cast<Eigen::Index>(set.bends.size());
  Eigen::MatrixXd products(directions + 1, bends);
  Eigen::RowVectorXd weights(3 * bends);
  std::size_t from = 0;
  for (Eigen::Index i = 0; i < bends; ++i) {
    const double bend = set.bends[static_cast<std::size_t>(i)];
    from = bend > 0 ? curve_.first_beyond(onset / bend, from) : curve_.places().size();
    const auto place = static_cast<Eigen::Index>(from);
    products.col(i) = bend * products_.col(place).head(directions + 1) - onset * products_.col(place).tail(directions + 1);
    weights(i) = weights_(0, place);
    weights(bends + i) = onset * weights_(1, place);
    weights(2 * bends + i) = onset * onset * weights_(2, place);
  }
  const Eigen::MatrixXd along = products * set.shares;
  const Eigen::RowVectorXd squares = weights * set.squares;
  Eigen::VectorXd gains(along.cols());
  for (Eigen::Index k = 0; k < gains.size(); ++k) {
    gains(k) = rise_gain(along(directions, k), squares(k) - along.col(k).head(directions).squaredNorm(), squares(k));
  }
  return gains;
}

double rise_gain(double along, double across, double square) {
  return along > 0 && across > kRounding * square ? along * along / across : 0;
}

}  // namespace percycle
