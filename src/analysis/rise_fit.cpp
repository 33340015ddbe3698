#include "analysis/rise_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace percycle {
namespace {

constexpr double kSignificant = 30;    // growth of chi-square that a rise must be worth; noise alone reaches 15 in a whole search
constexpr double kNearestEdges = 1.6;  // successive caches are at least twice as large; anything nearer is part of the same edge
constexpr std::size_t kMaxRises = 9;   // five caches, two TLBs, and two to spare for what is judged later
constexpr double kLeastRise = 0.04;    // of the latency it rises from: plateaus of real devices are flat to 2 %
constexpr std::size_t kPlacesBefore = 2;  // a plateau has at least two places, and so has a rise
constexpr std::size_t kPlacesBeyond = 2;

using Column = std::vector<double>;

double dot(const Column& a, const Column& b, std::size_t from = 0) {
  double sum = 0;
  for (std::size_t i = from; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The places of a curve with what is computed once: everything below works on values divided by their sigma.
class Problem {
 public:
  explicit Problem(std::span<const CurvePlace> places) : places_(places) {
    for (const auto& place : places) {
      weights_.push_back(1 / place.sigma);
      values_.push_back(place.value / place.sigma);
    }
  }

  std::size_t size() const { return places_.size(); }
  const Column& ones() const { return weights_; }
  const Column& values() const { return values_; }
  std::span<const CurvePlace> places() const { return places_; }

  /// The index of the first place beyond some bytes.
  std::size_t beyond(double bytes) const {
    const auto place = std::upper_bound(places_.begin(), places_.end(), bytes,
                                        [](double limit, const CurvePlace& candidate) { return limit < candidate.bytes; });
    return static_cast<std::size_t>(place - places_.begin());
  }

  void fill(Column& column, const RiseShape& shape, double onset) const {
    const std::size_t from = beyond(onset);
    std::fill(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(from), 0.0);
    for (std::size_t i = from; i < size(); ++i) column[i] = weights_[i] * rise_share(shape, places_[i].bytes / onset);
  }

  bool possible(double onset) const {
    const std::size_t from = beyond(onset);
    return from >= kPlacesBefore && from + kPlacesBeyond <= size();
  }

  /// Onsets worth trying between two sizes: every place, and steps of at most 4 % between places. `finer` divides the steps.
  std::vector<double> onsets(double low, double high, double finer = 1) const {
    std::vector<double> result;
    for (std::size_t i = 0; i + 1 < size(); ++i) {
      const double here = places_[i].bytes;
      const double octave = std::log(places_[i + 1].bytes / here);
      const double steps = std::max(1.0, std::ceil(finer * octave / 0.04));
      for (double step = 0; step < steps; ++step) {
        const double onset = here * std::exp(octave * step / steps);
        if (onset >= low && onset <= high && possible(onset)) result.push_back(onset);
      }
    }
    return result;
  }

 private:
  std::span<const CurvePlace> places_;
  Column weights_;
  Column values_;
};

/// What a base and some rises of fixed shape and onset leave unexplained, and how much one more rise would explain of that.
class Remainder {
 public:
  Remainder(const Problem& problem, std::span<const Rise> rises, std::optional<std::size_t> without = {})
      : problem_(problem), rest_(problem.values()) {
    take(problem.ones());
    Column column(problem.size());
    for (std::size_t i = 0; i < rises.size(); ++i) {
      if (without == i) continue;
      problem.fill(column, rises[i].shape, rises[i].onset);
      take(column);
    }
    scratch_.resize(problem.size());
  }

  double chi_square() const { return dot(rest_, rest_); }

  /// How much chi-square falls when a rise is added and the heights of all others adapt; 0 for a falling one.
  double gain(const RiseShape& shape, double onset) {
    problem_.fill(scratch_, shape, onset);
    const std::size_t from = problem_.beyond(onset);
    const double along = dot(scratch_, rest_, from);
    if (along <= 0) return 0;
    const double length = dot(scratch_, scratch_, from);
    double across = length;
    for (const auto& direction : basis_) {
      const double part = dot(scratch_, direction, from);
      across -= part * part;
    }
    // A rise that the others can imitate to six digits is no rise of its own.
    return across > 1e-6 * length ? along * along / across : 0;
  }

 private:
  void take(Column column) {
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

  const Problem& problem_;
  Column rest_;
  Column scratch_;
  std::vector<Column> basis_;
};

/// Solves the symmetric positive definite system by Gauss-Jordan elimination; `matrix` becomes its inverse. False where it is singular.
bool invert(std::vector<Column>& matrix) {
  const std::size_t n = matrix.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = matrix[k][k];
    if (!(pivot > 1e-9)) return false;  // columns are scaled to length 1
    matrix[k][k] = 1;
    for (double& value : matrix[k]) value /= pivot;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == k) continue;
      const double factor = matrix[row][k];
      matrix[row][k] = 0;
      for (std::size_t column = 0; column < n; ++column) matrix[row][column] -= factor * matrix[k][column];
    }
  }
  return true;
}

/// Least squares of base and heights for given shapes and onsets. Rises that would fall are left out, the worst first.
RiseModel solve(const Problem& problem, std::vector<Rise> rises) {
  std::sort(rises.begin(), rises.end(), [](const Rise& a, const Rise& b) { return a.onset < b.onset; });
  for (;;) {
    std::vector<Column> columns{problem.ones()};
    for (const auto& rise : rises) {
      columns.emplace_back(problem.size());
      problem.fill(columns.back(), rise.shape, rise.onset);
    }
    Column lengths;
    for (auto& column : columns) {
      lengths.push_back(std::sqrt(dot(column, column)));
      for (double& value : column) value /= lengths.back();
    }
    std::vector<Column> matrix(columns.size(), Column(columns.size()));
    Column right;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) matrix[i][j] = dot(columns[i], columns[j]);
      right.push_back(dot(columns[i], problem.values()));
    }
    if (!invert(matrix)) {  // two rises that cannot be told apart
      rises.pop_back();
      continue;
    }
    RiseModel model;
    Column rest = problem.values();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double part = dot(matrix[i], right);
      const double error = std::sqrt(matrix[i][i]) / lengths[i];
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= part * columns[i][k];
      if (i == 0) {
        model.base = part / lengths[0];
        model.base_error = error;
      } else {
        rises[i - 1].height = part / lengths[i];
        rises[i - 1].height_error = error;
        rises[i - 1].gain = part * part / matrix[i][i];  // exact for least squares: (height / its error) squared
      }
    }
    const auto worst =
        std::min_element(rises.begin(), rises.end(), [](const Rise& a, const Rise& b) { return a.height < b.height; });
    if (worst != rises.end() && worst->height <= 0) {
      rises.erase(worst);
      continue;
    }
    model.chi_square = dot(rest, rest);
    // Each rise has a height, an onset and a shape.
    const double freedom = std::max(1.0, static_cast<double>(problem.size()) - 1 - 3 * static_cast<double>(rises.size()));
    model.excess = std::max(1.0, model.chi_square / freedom);
    model.rises = std::move(rises);
    return model;
  }
}

/// Whether an edge may begin here beside the others.
bool has_room(std::span<const Rise> rises, std::optional<std::size_t> without, const RiseShape& shape, double onset) {
  for (std::size_t i = 0; i < rises.size(); ++i) {
    const bool edge = shape.kind != RiseShape::Kind::tlb;
    if (without == i || rises[i].is_edge() != edge) continue;
    if (onset < rises[i].onset * kNearestEdges && onset > rises[i].onset / kNearestEdges) return false;
  }
  return true;
}

struct Best {
  RiseShape shape;
  double onset = 0;
  double gain = 0;
};

/// The best rise to add to the others among some onsets.
Best best_rise(const Problem& problem, std::span<const Rise> rises, std::optional<std::size_t> without,
               std::span<const double> onsets) {
  Remainder remainder(problem, rises, without);
  Best best;
  const auto attempt = [&](const RiseShape& shape, double onset) {
    if (!has_room(rises, without, shape, onset)) return;
    const double gain = remainder.gain(shape, onset);
    if (gain > best.gain) best = {shape, onset, gain};
  };
  for (const double onset : onsets) {
    for (const auto& shape : edge_shapes()) attempt(shape, onset);
    attempt({RiseShape::Kind::tlb}, onset);
  }
  return best;
}

/// Moves and reshapes each rise in turn while that helps.
RiseModel settle(const Problem& problem, RiseModel model) {
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    const double before = model.chi_square;
    for (std::size_t i = 0; i < model.rises.size(); ++i) {
      const double onset = model.rises[i].onset;
      const auto best = best_rise(problem, model.rises, i, problem.onsets(onset / 2.5, onset * 2.5));
      if (best.gain == 0) continue;
      auto rises = model.rises;
      rises[i] = {best.shape, best.onset};
      auto moved = solve(problem, std::move(rises));
      if (moved.chi_square < model.chi_square) model = std::move(moved);
    }
    if (model.chi_square > 0.999 * before - 0.1) break;
  }
  return model;
}

RiseModel without(const Problem& problem, const RiseModel& model, std::size_t rise) {
  auto rises = model.rises;
  rises.erase(rises.begin() + static_cast<std::ptrdiff_t>(rise));
  return settle(problem, solve(problem, std::move(rises)));
}

/// The index of the first rise that is too small to tell, if there is one.
std::optional<std::size_t> slight_rise(const RiseModel& model) {
  double latency = model.base;
  for (std::size_t i = 0; i < model.rises.size(); ++i) {
    if (model.rises[i].height < kLeastRise * latency) return i;
    latency += model.rises[i].height;
  }
  return std::nullopt;
}

/// The index of the rise that explains least.
std::size_t idlest_rise(const RiseModel& model) {
  const auto idlest =
      std::min_element(model.rises.begin(), model.rises.end(), [](const Rise& a, const Rise& b) { return a.gain < b.gain; });
  return static_cast<std::size_t>(idlest - model.rises.begin());
}

}  // namespace

double RiseModel::value(double bytes) const {
  double sum = base;
  for (const auto& rise : rises) sum += rise.height * rise_share(rise.shape, bytes / rise.onset);
  return sum;
}

RiseModel fit_rises(std::span<const CurvePlace> places) {
  const Problem problem(places);
  RiseModel model = solve(problem, {});
  const auto everywhere = problem.onsets(0, std::numeric_limits<double>::infinity());
  while (model.rises.size() < kMaxRises) {
    const auto best = best_rise(problem, model.rises, {}, everywhere);
    if (best.gain < kSignificant) break;
    auto rises = model.rises;
    rises.push_back({best.shape, best.onset});
    auto more = settle(problem, solve(problem, std::move(rises)));
    if (more.chi_square > model.chi_square - kSignificant) break;
    model = std::move(more);
  }
  while (const auto slight = slight_rise(model)) model = without(problem, model, *slight);
  while (!model.rises.empty()) {
    auto less = without(problem, model, idlest_rise(model));
    if (less.chi_square - model.chi_square > kSignificant * model.excess) break;
    model = std::move(less);
  }
  return model;
}

Onset onset_interval(std::span<const CurvePlace> places, const RiseModel& model, std::size_t edge) {
  const Problem problem(places);
  const double around = model.rises[edge].onset;
  Remainder remainder(problem, model.rises, edge);
  struct Candidate {
    double onset = 0;
    double gain = 0;
  };
  std::vector<Candidate> candidates;
  double most = 0;
  for (const double onset : problem.onsets(around / 2, around * 2, 4)) {
    Candidate candidate{onset};
    for (const auto& shape : edge_shapes()) candidate.gain = std::max(candidate.gain, remainder.gain(shape, onset));
    most = std::max(most, candidate.gain);
    candidates.push_back(candidate);
  }
  Onset result{around, around, around};
  double weights = 0;
  double sum = 0;
  for (const auto& [onset, gain] : candidates) {
    const double lost = (most - gain) / model.excess;
    if (lost > 9) continue;
    result.low = std::min(result.low, onset);
    result.high = std::max(result.high, onset);
    const double weight = std::exp(-lost / 2);
    weights += weight;
    sum += weight * std::log(onset);
  }
  if (weights > 0) result.best = std::exp(sum / weights);
  // The grid of candidates is 1 % wide.
  result.low /= 1.01;
  result.high *= 1.01;
  return result;
}

}  // namespace percycle
