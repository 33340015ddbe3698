#include "analysis/rise_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percycle {
namespace {

std::vector<const RiseShape*> pointers_to(std::span<const RiseShape> shapes) {
  std::vector<const RiseShape*> pointers;
  for (const RiseShape& shape : shapes) pointers.push_back(&shape);
  return pointers;
}

Column divided(Column column, double by) {
  for (double& value : column) value /= by;
  return column;
}

}  // namespace

double dot(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::span<const RiseShape* const> shapes_of(ShapeGroup group) {
  static const auto edges = pointers_to(edge_shapes());
  static const auto tlbs = pointers_to(tlb_shapes());
  switch (group) {
    case ShapeGroup::edges:
      return edges;
    case ShapeGroup::tlbs:
      return tlbs;
    default:
      return coarse_shapes();
  }
}

RangeSums::RangeSums(const Problem& problem, const Column& column) : sums_(column.size() + 1) {
  for (std::size_t i = column.size(); i-- > 0;) {
    const double value = column[i] * problem.weights()[i];
    sums_[i] = {sums_[i + 1].plain + value, sums_[i + 1].inverse + value / problem.places()[i].bytes};
  }
}

Candidates::Candidates(const Problem& problem, ShapeGroup group, double onset, std::size_t number) : number_(number) {
  const std::size_t first = first_ = problem.beyond(onset);
  const auto shapes = shapes_of(group);
  ends_.reserve(shapes.size());
  squares_.reserve(shapes.size());
  std::size_t most = 0;
  for (const RiseShape* shape : shapes) most += shape->knots.size();
  pieces_.reserve(most);
  for (const RiseShape* shape : shapes) {
    const auto& knots = shape->knots;
    const std::size_t begin = pieces_.size();
    std::size_t from = first;
    // share = left + (1 - onset/F - u) * steepness
    for (std::size_t k = 0; k < knots.size() && from < problem.size(); ++k) {
      const auto& left = knots[k];
      std::size_t to = problem.size();
      Piece piece{.constant = left.share};
      if (k + 1 < knots.size()) {
        const auto& right = knots[k + 1];
        const double steepness = (right.share - left.share) / (right.u - left.u);
        piece.constant = left.share + (1 - left.u) * steepness;
        piece.slope = -onset * steepness;
        if (right.u < 1) to = problem.beyond(onset / (1 - right.u), from);
      }
      if (to <= from) continue;
      piece.from = static_cast<std::uint32_t>(from);
      piece.to = static_cast<std::uint32_t>(to);
      pieces_.push_back(piece);
      from = to;
    }
    ends_.push_back(pieces_.size());
    double square = 0;
    for (std::size_t k = begin; k < pieces_.size(); ++k) {
      const auto& [constant, slope, a, b] = pieces_[k];
      square += constant * problem.weight_sums().over(a, b, constant, slope) +
                slope * problem.inverse_weight_sums().over(a, b, constant, slope);
    }
    squares_.push_back(square);
  }
}

void Candidates::multiply(const RangeSums& column, std::vector<double>& products) const {
  const std::size_t before = products.size();
  products.resize(before + ends_.size());
  double* product = &products[before];
  const RangeSums::Sum* const sums = column.from_place().data();
  const Piece* piece = pieces_.data();
  for (const std::size_t end : ends_) {
    double sum = 0;
    RangeSums::Sum here = sums[first_];
    for (const Piece* const last = pieces_.data() + end; piece != last; ++piece) {
      const RangeSums::Sum next = sums[piece->to];
      sum += piece->constant * (here.plain - next.plain) + piece->slope * (here.inverse - next.inverse);
      here = next;
    }
    *product++ = sum;
  }
}

RememberedColumn::RememberedColumn(const Problem& problem, Column values)
    : values_(std::move(values)),
      length_(std::sqrt(dot(values_, values_))),
      unit_(divided(values_, length_)),
      sums_(problem, values_) {}

const double* RememberedColumn::products(const Candidates& candidates) {
  if (ends_.size() <= candidates.number()) ends_.resize(candidates.number() + 1, 0);
  std::size_t& end = ends_[candidates.number()];
  if (end == 0) {
    candidates.multiply(sums_, products_);
    end = products_.size();
  }
  return &products_[end - candidates.count()];
}

OnsetGrid::OnsetGrid(const Problem& problem, double finer) : problem_(problem) {
  constexpr double kStep = 0.04;
  const auto places = problem.places();
  // At least two places up to the onset, two beyond.
  for (std::size_t i = 1; i + 2 < places.size(); ++i) {
    const double here = places[i].bytes;
    const double distance = std::log(places[i + 1].bytes / here);
    const double steps = std::max(1.0, std::ceil(finer * distance / kStep));
    for (double step = 0; step < steps; ++step) onsets_.push_back(here * std::exp(distance * step / steps));
  }
  for (auto& of_group : candidates_) of_group.resize(onsets_.size());
}

const Candidates& OnsetGrid::candidates(ShapeGroup group, std::size_t onset) {
  auto& candidates = candidates_[static_cast<std::size_t>(group)][onset];
  if (!candidates) candidates = std::make_unique<Candidates>(problem_, group, onsets_[onset], problem_.next_number());
  return *candidates;
}

Problem::Problem(std::span<const CurvePlace> places, bool paged) : places_(places), paged_(paged) {
  Column values;
  Column inverse;
  for (const auto& place : places) {
    bytes_.push_back(place.bytes);
    weights_.push_back(1 / place.sigma);
    values.push_back(place.value / place.sigma);
    inverse.push_back(weights_.back() / place.bytes);
  }
  weight_sums_ = {RangeSums(*this, weights_), RangeSums(*this, inverse)};
  values_ = std::make_unique<RememberedColumn>(*this, std::move(values));
  ones_ = std::make_unique<RememberedColumn>(*this, weights_);
}

RememberedColumn& Problem::column(const RiseShape& shape, double onset) const {
  const auto known = columns_.find({&shape, onset});
  if (known != columns_.end()) return known->second;
  Column values;
  for (std::size_t i = 0; i < size(); ++i) values.push_back(weights_[i] * shape.share(places_[i].bytes / onset));
  return columns_.try_emplace({&shape, onset}, *this, std::move(values)).first->second;
}

std::size_t Problem::beyond(double bytes, std::size_t from) const {
  const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(from);
  return static_cast<std::size_t>(std::upper_bound(first, bytes_.end(), bytes) - bytes_.begin());
}

OnsetRange Problem::onsets(double low, double high, double finer) const {
  OnsetGrid& grid = grids_.try_emplace(finer, *this, finer).first->second;
  const auto& all = grid.onsets();
  const auto first = std::lower_bound(all.begin(), all.end(), low);
  const auto last = std::upper_bound(first, all.end(), high);
  return {&grid, static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

Remainder::Remainder(const Problem& problem, std::span<const Rise> rises) : problem_(problem), rest_(problem.values().values()) {
  take(problem.ones());
  for (const auto& rise : rises) take(problem.column(*rise.shape, rise.onset));
}

const Remainder::Rest& Remainder::rest_of(const Candidates& candidates) {
  const std::size_t count = candidates.count();
  auto& [along, across, parts] = result_;
  const double* values = problem_.values().products(candidates);
  along.assign(values, values + count);
  across = candidates.squares();
  parts.assign(directions() * count, 0);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const double* products = columns_[k]->products(candidates);
    for (std::size_t i = 0; i < count; ++i) along[i] -= explained_in_columns_[k] * products[i];
    for (std::size_t j = k; j < directions(); ++j) {
      const double share = basis_in_columns_[j][k];
      double* __restrict part = &parts[j * count];
      for (std::size_t i = 0; i < count; ++i) part[i] += share * products[i];
    }
  }
  for (std::size_t j = 0; j < directions(); ++j) {
    const double* part = &parts[j * count];
    for (std::size_t i = 0; i < count; ++i) across[i] -= part[i] * part[i];
  }
  return result_;
}

void Remainder::take(RememberedColumn& taken) {
  Column column = taken.values();
  std::vector<double> in_columns(basis_.size() + 1, 0);
  in_columns.back() = 1;
  for (int twice = 0; twice < 2; ++twice) {  // Gram-Schmidt loses orthogonality otherwise
    for (std::size_t j = 0; j < basis_.size(); ++j) {
      const double part = dot(column, basis_[j]);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= part * basis_[j][i];
      for (std::size_t k = 0; k <= j; ++k) in_columns[k] -= part * basis_in_columns_[j][k];
    }
  }
  const double left = std::sqrt(dot(column, column));
  if (left <= 1e-6 * taken.length()) return;
  for (double& value : column) value /= left;
  for (double& value : in_columns) value /= left;
  const double part = dot(column, rest_);
  for (std::size_t i = 0; i < column.size(); ++i) rest_[i] -= part * column[i];
  explained_in_columns_.push_back(0);
  for (std::size_t k = 0; k < in_columns.size(); ++k) explained_in_columns_[k] += part * in_columns[k];
  basis_.push_back(std::move(column));
  columns_.push_back(&taken);
  basis_in_columns_.push_back(std::move(in_columns));
}

}  // namespace percycle
