#include "analysis/rise_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percycle {
namespace {

/// Shapes that are calculated at once, as many as the largest family has.
constexpr std::size_t kMany = 6;

std::vector<const RiseShape*> pointers_to(std::span<const RiseShape> shapes) {
  std::vector<const RiseShape*> pointers;
  for (const RiseShape& shape : shapes) pointers.push_back(&shape);
  return pointers;
}

ShapeFamily family_of(const RiseShape& shape) {
  ShapeFamily family{.count = 1, .ends = {}, .constants = {}, .steepness = {}};
  for (std::size_t k = 0; k < shape.knots.size(); ++k) {
    const auto& left = shape.knots[k];
    if (left.u >= 1) break;  // no footprint is as large
    if (k + 1 == shape.knots.size()) {
      family.ends.push_back(0);
      family.constants.push_back(left.share);
      family.steepness.push_back(0);
      break;
    }
    // share = left + (1 - onset/F - u) * steepness
    const auto& right = shape.knots[k + 1];
    const double steepness = (right.share - left.share) / (right.u - left.u);
    family.ends.push_back(1 - right.u);
    family.constants.push_back(left.share + (1 - left.u) * steepness);
    family.steepness.push_back(steepness);
  }
  return family;
}

/// Numbers of each shape of one more family, where `all` has them piece after piece.
std::vector<double> interleaved(const std::vector<double>& all, std::size_t count, const std::vector<double>& more) {
  std::vector<double> both;
  for (std::size_t piece = 0; piece < more.size(); ++piece) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(piece * count);
    both.insert(both.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    both.push_back(more[piece]);
  }
  return both;
}

/// Neighbours with the same knots together.
std::vector<ShapeFamily> families_of(std::span<const RiseShape* const> shapes) {
  std::vector<ShapeFamily> families;
  for (const RiseShape* shape : shapes) {
    ShapeFamily one = family_of(*shape);
    if (families.empty() || families.back().ends != one.ends) {
      families.push_back(std::move(one));
      continue;
    }
    ShapeFamily& like = families.back();
    like.constants = interleaved(like.constants, like.count, one.constants);
    like.steepness = interleaved(like.steepness, like.count, one.steepness);
    ++like.count;
  }
  return families;
}

const std::vector<ShapeFamily>& families_of(ShapeGroup group) {
  static const std::array families{families_of(shapes_of(ShapeGroup::edges)), families_of(shapes_of(ShapeGroup::tlbs)),
                                   families_of(shapes_of(ShapeGroup::coarse))};
  return families[static_cast<std::size_t>(group)];
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

Candidates::Candidates(const Problem& problem, ShapeGroup group, double onset, std::size_t number)
    : families_(families_of(group)), onset_(onset), number_(number), first_(problem.beyond(onset)) {
  std::size_t pieces = 0;
  for (const ShapeFamily& family : families_) pieces += family.ends.size();
  ends_ = problem.memory<std::uint32_t>(pieces);
  squares_ = problem.memory<double>(shapes_of(group).size());
  auto end = ends_.begin();
  auto square = squares_.begin();
  for (const ShapeFamily& family : families_) {
    std::size_t from = first_;
    for (std::size_t piece = 0; piece < family.ends.size(); ++piece) {
      const double share = family.ends[piece];
      const std::size_t to = share > 0 ? problem.beyond(onset / share, from) : problem.size();
      *end++ = static_cast<std::uint32_t>(to);
      for (std::size_t i = 0; i < family.count && from < to; ++i) {
        const double constant = family.constants[piece * family.count + i];
        const double slope = -onset * family.steepness[piece * family.count + i];
        square[static_cast<std::ptrdiff_t>(i)] += constant * problem.weight_sums().over(from, to, constant, slope) +
                                                  slope * problem.inverse_weight_sums().over(from, to, constant, slope);
      }
      from = to;
    }
    square += static_cast<std::ptrdiff_t>(family.count);
  }
}

/// Of the family's next `kCount` shapes from its `first` on: so few that a processor's registers hold what is summed up.
template <std::size_t kCount>
void multiply_some(const ShapeFamily& family, std::size_t first, double onset, const RangeSums::Sum* sums, std::size_t from,
                   const std::uint32_t* ends, double* products) {
  std::array<double, kCount> product{};
  RangeSums::Sum here = sums[from];
  for (std::size_t piece = 0; piece < family.ends.size(); ++piece) {
    const RangeSums::Sum next = sums[ends[piece]];
    const double plain = here.plain - next.plain;
    const double inverse = here.inverse - next.inverse;
    const double* constant = &family.constants[piece * family.count + first];
    const double* steepness = &family.steepness[piece * family.count + first];
    for (std::size_t i = 0; i < kCount; ++i) product[i] += constant[i] * plain - onset * steepness[i] * inverse;
    here = next;
  }
  std::copy_n(product.begin(), kCount, products);
}

void Candidates::multiply(const RangeSums& column, double* products) const {
  const RangeSums::Sum* const sums = column.from_place().data();
  const std::uint32_t* ends = ends_.data();
  for (const ShapeFamily& family : families_) {
    std::size_t done = 0;
    for (; done + kMany <= family.count; done += kMany)
      multiply_some<kMany>(family, done, onset_, sums, first_, ends, products + done);
    for (; done < family.count; ++done) multiply_some<1>(family, done, onset_, sums, first_, ends, products + done);
    ends += family.ends.size();
    products += family.count;
  }
}

double* RememberedNumbers::add(const Candidates& candidates) {
  const std::size_t page = candidates.number() / kPage;
  if (known_.size() <= page) known_.resize(page + 1, nullptr);
  if (known_[page] == nullptr) known_[page] = problem_->memory<const double*>(kPage).data();
  double* const numbers = problem_->memory<double>(candidates.count()).data();
  known_[page][candidates.number() % kPage] = numbers;
  return numbers;
}

RememberedColumn::RememberedColumn(const Problem& problem, Column values)
    : values_(std::move(values)),
      length_(std::sqrt(dot(values_, values_))),
      unit_(divided(values_, length_)),
      sums_(problem, values_),
      products_(problem) {}

const double* RememberedColumn::multiply(const Candidates& candidates) {
  double* const products = products_.add(candidates);
  candidates.multiply(sums_, products);
  return products;
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

Problem::~Problem() = default;

Problem::Shapes Problem::shapes_of(std::span<const Rise> rises) {
  Shapes shapes;
  for (const Rise& rise : rises) shapes.emplace_back(rise.shape, rise.onset);
  return shapes;
}

Remainder& Problem::remainder(std::span<const Rise> rises) const {
  Shapes shapes = shapes_of(rises);
  const auto known = remainders_.find(shapes);
  return known != remainders_.end() ? known->second : remainders_.try_emplace(std::move(shapes), *this, rises).first->second;
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

Remainder::Remainder(const Problem& problem, std::span<const Rise> rises)
    : problem_(problem), rest_(problem.values().values()), gains_(problem) {
  take(problem.ones());
  for (const auto& rise : rises) take(problem.column(*rise.shape, rise.onset));
}

/// The candidates' products with each column, and what the values leave of them.
void Remainder::multiply(const Candidates& candidates) {
  const std::size_t count = candidates.count();
  auto& along = result_.along;
  const double* values = problem_.values().products(candidates);
  along.assign(values, values + count);
  products_.clear();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const double* products = products_.emplace_back(columns_[k]->products(candidates));
    for (std::size_t i = 0; i < count; ++i) along[i] -= explained_in_columns_[k] * products[i];
  }
}

const Remainder::Rest& Remainder::rest_of(const Candidates& candidates) {
  multiply(candidates);
  const std::size_t count = candidates.count();
  auto& [along, across, parts] = result_;
  across.assign(candidates.squares().begin(), candidates.squares().end());
  parts.assign(directions() * count, 0);
  for (std::size_t j = 0; j < directions(); ++j) {
    double* __restrict part = &parts[j * count];
    for (std::size_t k = 0; k <= j; ++k) {
      const double share = basis_in_columns_[j][k];
      const double* products = products_[k];
      for (std::size_t i = 0; i < count; ++i) part[i] += share * products[i];
    }
    for (std::size_t i = 0; i < count; ++i) across[i] -= part[i] * part[i];
  }
  return result_;
}

/// Of `kCount` candidates from the `first` on: so few that a processor's registers hold what is summed up.
template <std::size_t kCount>
void Remainder::write_gains(const Candidates& candidates, std::size_t first, double* gains) const {
  const double* along = &result_.along[first];
  const double* squares = &candidates.squares()[first];
  std::fill_n(gains, kCount, 0.0);
  if (std::none_of(along, along + kCount, [](double value) { return value > 0; })) return;
  std::array<double, kCount> across{};
  std::copy_n(squares, kCount, across.begin());
  for (std::size_t j = 0; j < directions(); ++j) {
    const double* shares = basis_in_columns_[j].data();
    std::array<double, kCount> part{};
    for (std::size_t k = 0; k <= j; ++k) {
      const double* products = products_[k] + first;
      for (std::size_t i = 0; i < kCount; ++i) part[i] += shares[k] * products[i];
    }
    for (std::size_t i = 0; i < kCount; ++i) across[i] -= part[i] * part[i];
  }
  for (std::size_t i = 0; i < kCount; ++i) gains[i] = gain(along[i], across[i], squares[i]);
}

const double* Remainder::gains(const Candidates& candidates) {
  if (const double* known = gains_.find(candidates)) return known;
  multiply(candidates);
  double* const gains = gains_.add(candidates);
  std::size_t done = 0;
  for (; done + kMany <= candidates.count(); done += kMany) write_gains<kMany>(candidates, done, gains + done);
  for (; done < candidates.count(); ++done) write_gains<1>(candidates, done, gains + done);
  return gains;
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
