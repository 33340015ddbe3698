#include "analysis/rise_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percycle {

double dot(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Problem::Problem(std::span<const CurvePlace> places, bool paged) : places_(places), paged_(paged) {
  for (const auto& place : places) {
    weights_.push_back(1 / place.sigma);
    values_.push_back(place.value / place.sigma);
  }
}

Column Problem::column(const RiseShape& shape, double onset) const {
  Column result;
  for (std::size_t i = 0; i < size(); ++i) result.push_back(weights_[i] * shape.share(places_[i].bytes / onset));
  return result;
}

std::size_t Problem::beyond(double bytes) const {
  const auto place = std::upper_bound(places_.begin(), places_.end(), bytes,
                                      [](double limit, const CurvePlace& candidate) { return limit < candidate.bytes; });
  return static_cast<std::size_t>(place - places_.begin());
}

std::vector<double> Problem::onsets(double low, double high, double finer) const {
  constexpr double kStep = 0.04;
  std::vector<double> result;
  // At least two places up to the onset, two beyond.
  for (std::size_t i = 1; i + 2 < size(); ++i) {
    const double here = places_[i].bytes;
    const double distance = std::log(places_[i + 1].bytes / here);
    const double steps = std::max(1.0, std::ceil(finer * distance / kStep));
    for (double step = 0; step < steps; ++step) {
      const double onset = here * std::exp(distance * step / steps);
      if (onset >= low && onset <= high) result.push_back(onset);
    }
  }
  return result;
}

RangeSums::RangeSums(const Problem& problem, const Column& column)
    : plain_(column.size() + 1, 0), inverse_(column.size() + 1, 0) {
  for (std::size_t i = column.size(); i-- > 0;) {
    const double value = column[i] * problem.ones()[i];
    plain_[i] = plain_[i + 1] + value;
    inverse_[i] = inverse_[i + 1] + value / problem.places()[i].bytes;
  }
}

Remainder::Remainder(const Problem& problem, std::span<const Rise> rises) : problem_(problem), rest_(problem.values()) {
  take(problem.ones());
  for (const auto& rise : rises) take(problem.column(*rise.shape, rise.onset));
  rest_sums_.emplace_back(problem, rest_);
  for (const auto& direction : basis_) basis_sums_.emplace_back(problem, direction);
  weight_sums_.emplace_back(problem, problem.ones());
  Column inverse = problem.ones();
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] /= problem.places()[i].bytes;
  weight_sums_.emplace_back(problem, inverse);
}

double Remainder::gain(const RiseShape& shape, double onset) const {
  // The shape is constant + slope / F on each piece between two knots: share = left + (1 - onset/F - u) * steepness.
  struct Piece {
    std::size_t from = 0;
    std::size_t to = 0;
    double constant = 0;
    double slope = 0;
  };
  std::array<Piece, 16> pieces{};
  std::size_t count = 0;
  std::size_t from = problem_.beyond(onset);
  for (std::size_t k = 0; k < shape.knots.size() && from < problem_.size(); ++k) {
    const auto& left = shape.knots[k];
    Piece piece{from, problem_.size(), left.share, 0};
    if (k + 1 < shape.knots.size()) {
      const auto& right = shape.knots[k + 1];
      const double steepness = (right.share - left.share) / (right.u - left.u);
      piece.constant = left.share + (1 - left.u) * steepness;
      piece.slope = -onset * steepness;
      if (right.u < 1) piece.to = problem_.beyond(onset / (1 - right.u));
    }
    if (piece.to > piece.from) pieces[count++] = piece;
    from = std::max(from, piece.to);
  }
  const auto product = [&](const RangeSums& sums) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += sums.over(pieces[k].from, pieces[k].to, pieces[k].constant, pieces[k].slope);
    return sum;
  };
  const double along = product(rest_sums_[0]);
  if (along <= 0) return 0;
  double length = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& [first, last, constant, slope] = pieces[k];
    length += constant * weight_sums_[0].over(first, last, constant, slope) +
              slope * weight_sums_[1].over(first, last, constant, slope);
  }
  double across = length;
  for (const auto& sums : basis_sums_) {
    const double part = product(sums);
    across -= part * part;
  }
  // A rise that the others can imitate to five digits is no rise of its own.
  return across > 1e-5 * length ? along * along / across : 0;
}

void Remainder::take(Column column) {
  const double length = std::sqrt(dot(column, column));
  for (int twice = 0; twice < 2; ++twice) {  // Gram-Schmidt loses orthogonality otherwise
    for (const auto& direction : basis_) {
      const double part = dot(column, direction);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= part * direction[i];
    }
  }
  const double left = std::sqrt(dot(column, column));
  if (left <= 1e-6 * length) return;
  for (double& value : column) value /= left;
  const double part = dot(column, rest_);
  for (std::size_t i = 0; i < column.size(); ++i) rest_[i] -= part * column[i];
  basis_.push_back(std::move(column));
}

}  // namespace percycle
