#include "analysis/rise_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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
  const auto bend_at = [&](double x) {
    return static_cast<std::size_t>(std::find(bends.begin(), bends.end(), x) - bends.begin());
  };
  for (const auto& shape : shapes) {
    std::map<std::size_t, Bend> at;
    // A piece adds its slope where it begins and subtracts it where it ends.
    const auto piece = [&](double begin, double end, double constant, double steepness) {
      for (const auto& [place, sign] : {std::pair{bend_at(begin), 1.0}, std::pair{bend_at(end), -1.0}}) {
        Bend& bend = at[place];
        bend.place = place;
        bend.steeper += sign * steepness;
        bend.squares[0] += sign * constant * constant;
        bend.squares[1] -= sign * 2 * constant * steepness;
        bend.squares[2] += sign * steepness * steepness;
      }
    };
    const auto& knots = shape.knots;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      // share = left + (1 - onset/F - u) * steepness
      const double steepness = (knots[i + 1].share - knots[i].share) / (knots[i + 1].u - knots[i].u);
      piece(1 - knots[i].u, 1 - knots[i + 1].u, knots[i].share + (1 - knots[i].u) * steepness, steepness);
    }
    if (knots.back().u < 1) piece(1 - knots.back().u, 0, knots.back().share, 0);
    std::vector<Bend>& list = of_shape.emplace_back();
    for (const auto& [place, bend] : at) list.push_back(bend);
  }
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
  while (from < places_.size() && places_[from].bytes <= bytes) ++from;
  return from;
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

// The search spends its time here, so the number of factors is known to the compiler.
template <int kFactors>
void Remainder::find_gains(const ShapeSet& set, double onset) {
  using Factors = Eigen::Array<double, kFactors, 1>;
  const Eigen::Index factors = fit_.count() + 1;
  const auto stride = static_cast<std::size_t>(factors);
  bend_products_.resize(stride * set.bends.size());
  bend_weights_.resize(set.bends.size());
  std::size_t place = 0;
  std::size_t bends = 0;  // before the last place: the sums from later ones are 0
  for (std::size_t i = 0; i < set.bends.size() && set.bends[i] > 0; ++i) {
    const double bend = set.bends[i];
    place = curve_.first_beyond(onset / bend, place);
    if (place == curve_.places().size()) break;
    bends = i + 1;
    const double* products = &products_(0, static_cast<Eigen::Index>(place));
    Eigen::Map<Factors>(&bend_products_[stride * i], factors) =
        bend * Eigen::Map<const Factors>(products, factors) - onset * Eigen::Map<const Factors>(products + factors, factors);
    const double* weights = &weights_(0, static_cast<Eigen::Index>(place));
    bend_weights_[i] = {weights[0], onset * weights[1], onset * onset * weights[2]};
  }
  Factors along(factors);
  gains_.resize(set.of_shape.size());
  for (std::size_t shape = 0; shape < gains_.size(); ++shape) {
    gains_[shape] = 0;
    if (set.shapes[shape].kind == RiseShape::Family::paged && !curve_.paged()) continue;
    along.setZero();
    double square = 0;
    for (const ShapeSet::Bend& bend : set.of_shape[shape]) {
      if (bend.place >= bends) break;
      along += bend.steeper * Eigen::Map<const Factors>(&bend_products_[stride * bend.place], factors);
      const std::array<double, 3>& weights = bend_weights_[bend.place];
      square += bend.squares[0] * weights[0] + bend.squares[1] * weights[1] + bend.squares[2] * weights[2];
    }
    double imitated = 0;
    for (Eigen::Index k = 0; k + 1 < factors; ++k) imitated += along(k) * along(k);
    gains_[shape] = rise_gain(along(factors - 1), square - imitated, square);
  }
}

std::span<const double> Remainder::gains(const ShapeSet& set, double onset) {
  switch (fit_.count() + 1) {
    case 2:
      find_gains<2>(set, onset);
      break;
    case 3:
      find_gains<3>(set, onset);
      break;
    case 4:
      find_gains<4>(set, onset);
      break;
    case 5:
      find_gains<5>(set, onset);
      break;
    case 6:
      find_gains<6>(set, onset);
      break;
    default:
      find_gains<Eigen::Dynamic>(set, onset);
  }
  return gains_;
}

double rise_gain(double along, double across, double square) {
  return along > 0 && across > kRounding * square ? along * along / across : 0;
}

}  // namespace percycle
