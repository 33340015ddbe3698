#include "analysis/rise_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/rise_search.hpp"
#include "core/last_results.hpp"

namespace percycle {
namespace {

constexpr double kSignificant = 30;  // growth of chi-square that a rise must be worth; noise alone reaches 15 in a whole search
// Of the latency it rises from: plateaus of real devices are flat to 2 %, and the shapes of broad edges are known to 1 or 2 % of their height;
// successive levels differ by 15 % at least.
constexpr double kLeastEdge = 0.07;
constexpr double kLeastTlb = 0.04;
constexpr double kNearestEdges = 1.6;  // successive caches are at least twice as large; anything nearer is part of the same edge
// Of a column's square what others leave of it, to be sure of more than rounding.
constexpr double kOwnDirection = 1e-9;
constexpr std::size_t kMaxRises = 9;  // five caches, two TLBs, and two to spare for what is judged later
constexpr std::size_t kRemembered = 64;

enum class Kinds { edges, tlbs, all };

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
    std::vector<const RememberedColumn*> columns{&problem.ones()};
    for (const auto& rise : rises) columns.push_back(&problem.column(*rise.shape, rise.onset));
    std::vector<Column> matrix(columns.size(), Column(columns.size()));
    Column right;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) matrix[i][j] = matrix[j][i] = dot(columns[i]->unit(), columns[j]->unit());
      right.push_back(dot(columns[i]->unit(), problem.values().values()));
    }
    if (!invert(matrix)) {  // two rises that cannot be told apart
      rises.pop_back();
      continue;
    }
    RiseModel model;
    Column rest = problem.values().values();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double part = dot(matrix[i], right);
      const double error = std::sqrt(matrix[i][i]) / columns[i]->length();
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= part * columns[i]->unit()[k];
      if (i == 0) {
        model.base = part / columns[0]->length();
        model.base_error = error;
      } else {
        rises[i - 1].height = part / columns[i]->length();
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

/// Whether an edge may begin here beside another edge, a TLB beside another TLB.
bool has_room(const Rise& other, bool edge, double onset) {
  return other.is_edge() != edge || onset >= other.onset * kNearestEdges || onset <= other.onset / kNearestEdges;
}

bool has_room(std::span<const Rise> others, bool edge, double onset) {
  return std::all_of(others.begin(), others.end(), [&](const Rise& other) { return has_room(other, edge, onset); });
}

/// The best rise to add to others among some onsets; its gain is 0 where there is none.
Rise best_rise(const Problem& problem, std::span<const Rise> others, std::span<const OnsetRange> ranges, Kinds kinds) {
  Remainder& remainder = problem.remainder(others);
  Rise best;
  const auto attempt = [&](ShapeGroup group, OnsetGrid& grid, std::size_t i) {
    const double onset = grid.onsets()[i];
    if (!has_room(others, group == ShapeGroup::edges, onset)) return;
    const Candidates& candidates = grid.candidates(group, i);
    const double* gains = remainder.gains(candidates);
    const auto shapes = shapes_of(group);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const bool paged = shapes[k]->kind == RiseShape::Kind::paged;
      if (paged && !problem.paged()) continue;
      // The paged shapes are soft enough to pass for several others: they have to be better by a rise of their own.
      const double gain = gains[k] - (paged ? kSignificant : 0);
      if (gain > best.gain) best = {.shape = shapes[k], .onset = onset, .gain = gain};
    }
  };
  for (const auto& [grid, first, last] : ranges) {
    for (std::size_t i = first; i < last; ++i) {
      if (kinds != Kinds::tlbs) attempt(ShapeGroup::edges, *grid, i);
      if (kinds != Kinds::edges) attempt(ShapeGroup::tlbs, *grid, i);
    }
  }
  return best;
}

std::vector<Rise> all_but(const std::vector<Rise>& rises, std::size_t one) {
  auto others = rises;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(one));
  return others;
}

std::vector<Rise> with(std::vector<Rise> rises, const Rise& one) {
  rises.push_back(one);
  return rises;
}

RiseModel search(const Problem& problem, RiseModel model, std::optional<Kinds> kinds) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const double before = model.chi_square;
    for (std::size_t i = 0; i < model.rises.size(); ++i) {
      const double onset = model.rises[i].onset;
      const auto others = all_but(model.rises, i);
      const double reach = round == 0 ? 2.5 : 1.3;  // far at first, then only to settle
      const std::array onsets{problem.onsets(onset / reach, onset * reach), problem.onsets(onset / 1.06, onset * 1.06, 8)};
      const auto same = model.rises[i].is_edge() ? Kinds::edges : Kinds::tlbs;
      const auto best = best_rise(problem, others, onsets, kinds.value_or(same));
      if (best.gain == 0) continue;
      auto moved = solve(problem, with(others, best));
      if (moved.chi_square < model.chi_square) model = std::move(moved);
    }
    if (model.chi_square > 0.999 * before - 0.1) break;
  }
  return model;
}

/// Moves and reshapes each rise in turn while that helps. `kinds`: what each may become; none: what it is.
RiseModel settle(const Problem& problem, const RiseModel& model, std::optional<Kinds> kinds) {
  Problem::SearchKey start{kinds ? static_cast<int>(*kinds) : -1, Problem::shapes_of(model.rises)};
  const auto [known, is_new] = problem.searches().try_emplace(std::move(start));
  if (is_new) known->second = search(problem, model, kinds);
  return known->second;
}

/// Adds the best rise again and again, as long as that is worth it.
RiseModel grow(const Problem& problem, RiseModel model, Kinds kinds) {
  const std::array everywhere{problem.onsets(0, std::numeric_limits<double>::infinity())};
  while (model.rises.size() < kMaxRises) {
    const auto best = best_rise(problem, model.rises, everywhere, kinds);
    if (best.gain < kSignificant) break;
    auto more = settle(problem, solve(problem, with(model.rises, best)), kinds);
    if (more.chi_square > model.chi_square - kSignificant) break;
    model = std::move(more);
  }
  return model;
}

/// The index of the first rise that is too small to tell, if there is one.
std::optional<std::size_t> slight_rise(const RiseModel& model) {
  double latency = model.base;
  for (std::size_t i = 0; i < model.rises.size(); ++i) {
    if (model.rises[i].height < (model.rises[i].is_edge() ? kLeastEdge : kLeastTlb) * latency) return i;
    latency += model.rises[i].height;
  }
  return std::nullopt;
}

/// The growth of chi-square that a rise must be worth. A TLB that begins where an edge does may as well be part of the edge's shape.
double least_gain(const RiseModel& model, const Rise& rise) {
  const bool beside_edge = std::any_of(model.rises.begin(), model.rises.end(), [&](const Rise& other) {
    return other.is_edge() && std::abs(std::log(other.onset / rise.onset)) < std::log(1.3);
  });
  return !rise.is_edge() && beside_edge ? 5 * kSignificant : kSignificant;
}

/// Removes rises that are too small and those that explain too little.
RiseModel prune(const Problem& problem, RiseModel model) {
  const auto without = [&](std::size_t one) { return settle(problem, solve(problem, all_but(model.rises, one)), Kinds::all); };
  while (const auto slight = slight_rise(model)) model = without(*slight);
  while (!model.rises.empty()) {
    const auto idlest = std::min_element(model.rises.begin(), model.rises.end(), [&](const Rise& a, const Rise& b) {
      return a.gain / least_gain(model, a) < b.gain / least_gain(model, b);
    });
    auto less = without(static_cast<std::size_t>(idlest - model.rises.begin()));
    if (less.chi_square - model.chi_square > least_gain(model, *idlest) * model.excess) break;
    model = std::move(less);
  }
  return model;
}

/// What models are chosen by, the less the better: what they leave unexplained, and their size. `excess`: by how much all errors are thought
/// too small.
double cost(const RiseModel& model, double excess = 1) {
  double sum = model.chi_square;
  for (const auto& rise : model.rises) sum += least_gain(model, rise) * excess;
  return sum;
}

/// The same of a model whose rises have a free height each, and neither onset nor shape.
double known_cost(const RiseModel& model, double excess) {
  return model.chi_square + kSignificant / 3 * excess * static_cast<double>(model.rises.size());
}

/// Rises of given shapes and onsets as far as the curve shows them.
RiseModel fit_known(const Problem& problem, std::span<const Rise> known) {
  std::vector<Rise> rises;
  for (const auto& rise : known) {
    if (rise.onset > problem.places().front().bytes && rise.onset < problem.places().back().bytes) rises.push_back(rise);
  }
  for (auto& rise : rises) rise.known = true;
  RiseModel model = solve(problem, std::move(rises));
  for (;;) {
    auto weak = slight_rise(model);
    for (std::size_t i = 0; i < model.rises.size() && !weak; ++i) {
      if (model.rises[i].gain < kSignificant * model.excess) weak = i;
    }
    if (!weak) return model;
    model = solve(problem, all_but(model.rises, *weak));
  }
}

/// One of two rises to add, and what others leave of it.
struct PairCandidate {
  Rise rise;
  const Candidates* group = nullptr;  ///< whose `index`-th it is
  std::size_t index = 0;
  double along = 0;
  double across = 0;
  Column parts;

  double square() const { return group->squares()[index]; }
};

std::vector<PairCandidate> pair_candidates(const Problem& problem, const std::vector<Rise>& others, Remainder& remainder,
                                           double low, double high) {
  const auto shapes = shapes_of(ShapeGroup::coarse);
  const auto [grid, first, last] = problem.onsets(low, high);
  std::vector<PairCandidate> found;
  double previous = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double onset = grid->onsets()[i];
    if (onset <= previous * 1.06) continue;
    previous = onset;
    const Candidates& candidates = grid->candidates(ShapeGroup::coarse, i);
    const auto& rest = remainder.rest_of(candidates);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Rise rise{.shape = shapes[k], .onset = onset};
      if (!has_room(others, rise.is_edge(), onset)) continue;
      PairCandidate candidate{rise, &candidates, k, rest.along[k], rest.across[k], {}};
      for (std::size_t j = 0; j < remainder.directions(); ++j) candidate.parts.push_back(rest.parts[j * shapes.size() + k]);
      found.push_back(std::move(candidate));
    }
  }
  return found;
}

/// The best two rises to add to others between two sizes, on a coarse grid and with a few shapes: good enough to start from.
std::vector<Rise> best_pair(const Problem& problem, const std::vector<Rise>& others, double low, double high) {
  Remainder& remainder = problem.remainder(others);
  const double chi_square = remainder.chi_square();
  const auto candidates = pair_candidates(problem, others, remainder, low, high);
  std::vector<Rise> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const PairCandidate& first = candidates[i];
    // One that the others imitate adds no direction of its own.
    const bool own = first.across > kOwnDirection * first.square();
    const double first_gain = own ? first.along * first.along / first.across : 0;
    RememberedColumn& column = problem.column(*first.rise.shape, first.rise.onset);
    Rise second;
    for (std::size_t k = i + 1; k < candidates.size(); ++k) {
      const PairCandidate& other = candidates[k];
      if (other.rise.onset == first.rise.onset || !has_room(first.rise, other.rise.is_edge(), other.rise.onset)) continue;
      double along = other.along;
      double across = other.across;
      if (own) {
        const double both = column.products(*other.group)[other.index] - dot(first.parts, other.parts);
        along -= both / first.across * first.along;
        across -= both / first.across * both;
      }
      const double gain = Remainder::gain(along, across, other.square());
      if (gain > second.gain) second = {.shape = other.rise.shape, .onset = other.rise.onset, .gain = gain};
    }
    if (second.gain > 0 && chi_square - first_gain - second.gain < least) {
      least = chi_square - first_gain - second.gain;
      best = {first.rise, second};
    }
  }
  return best;
}

/// A TLB's rise is broad enough to pass for two edges at once, and an edge and a TLB together look like two other edges; moving rises one by
/// one never undoes that. So each rise, and each two neighbours, are taken out and replaced by two at once.
RiseModel replace(const Problem& problem, RiseModel model) {
  constexpr double kNear = 4;  // neighbours further apart do not pass for each other
  const auto improve = [&](std::size_t from, std::size_t to) {
    auto others = model.rises;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(from), others.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    const auto pair = best_pair(problem, others, model.rises[from].onset / 2.5, model.rises[to].onset * kNear);
    if (pair.empty()) return false;
    others.insert(others.end(), pair.begin(), pair.end());
    auto other = settle(problem, solve(problem, std::move(others)), std::nullopt);
    other = prune(problem, grow(problem, settle(problem, other, Kinds::all), Kinds::all));
    if (cost(other) > 0.99 * cost(model) - 1) return false;  // a ramp, of which no model is good, would go on for ever
    model = std::move(other);
    return true;
  };
  for (std::size_t i = 0; i < model.rises.size();) {
    const bool neighbours = i + 1 < model.rises.size() && model.rises[i + 1].onset < kNear * model.rises[i].onset;
    i = improve(i, i) || (neighbours && improve(i, i + 1)) ? 0 : i + 1;
  }
  return model;
}

/// How far off a size may be for other reasons than noise: the footprints are not exact (curve_points.cpp), replacement at random knows more
/// shapes than are tried, and pages fall another way each time.
double systematic(const RiseShape& shape) {
  switch (shape.kind) {
    case RiseShape::Kind::random:
      return 1.05;
    case RiseShape::Kind::paged:
      return 1.3;
    default:
      return 1.02;
  }
}

/// The fewest rises that explain a curve, whatever others show.
RiseModel fit_free(const Problem& problem) {
  const RiseModel flat = solve(problem, {});
  RiseModel best = prune(problem, grow(problem, flat, Kinds::all));
  RiseModel edges_first = prune(problem, grow(problem, grow(problem, flat, Kinds::edges), Kinds::all));
  if (cost(edges_first) < cost(best)) best = std::move(edges_first);
  return replace(problem, std::move(best));
}

/// The same, remembered: one curve is read again and again with more and more that is known of others.
RiseModel remembered_fit(const Problem& problem) {
  using Key = std::pair<std::vector<CurvePlace>, bool>;
  static LastResults<Key, RiseModel> memory(kRemembered);
  const auto places = problem.places();
  return memory.get({{places.begin(), places.end()}, problem.paged()}, [&] { return fit_free(problem); });
}

}  // namespace

double RiseModel::value(double bytes) const {
  double sum = base;
  for (const auto& rise : rises) sum += rise.height * rise.shape->share(bytes / rise.onset);
  return sum;
}

RiseModel fit_rises(std::span<const CurvePlace> places, std::span<const Rise> known) {
  // The pages of one memory lie anywhere for all of its curves, or for none.
  const bool edges_known = std::any_of(known.begin(), known.end(), [](const Rise& rise) { return rise.is_edge(); });
  const bool paged_known =
      std::any_of(known.begin(), known.end(), [](const Rise& rise) { return rise.shape->kind == RiseShape::Kind::paged; });
  const Problem problem(places, !edges_known || paged_known);
  RiseModel best = remembered_fit(problem);
  if (known.empty()) return best;
  RiseModel given = fit_known(problem, known);
  return known_cost(given, best.excess) < cost(best, best.excess) ? given : best;
}

Capacity capacity_interval(std::span<const CurvePlace> places, const RiseModel& model, std::size_t edge) {
  const Problem problem(places);
  const Rise& rise = model.rises[edge];
  Remainder remainder(problem, all_but(model.rises, edge));
  struct Candidate {
    double capacity = 0;
    double gain = 0;
  };
  std::vector<Candidate> candidates;
  double most = 0;
  const bool paged = rise.shape->kind == RiseShape::Kind::paged;
  const auto shapes = shapes_of(ShapeGroup::edges);
  const auto [grid, first, last] = problem.onsets(rise.onset / 2, rise.onset * 2, 4);
  for (std::size_t i = first; i < last; ++i) {
    const Candidates& tried = grid->candidates(ShapeGroup::edges, i);
    const double* gains = remainder.gains(tried);
    Candidate candidate;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if ((shapes[k]->kind == RiseShape::Kind::paged) != paged) continue;
      if (gains[k] > candidate.gain) candidate = {grid->onsets()[i] * shapes[k]->capacity, gains[k]};
    }
    most = std::max(most, candidate.gain);
    candidates.push_back(candidate);
  }
  Capacity result{rise.capacity(), rise.capacity(), rise.capacity()};
  double weights = 0;
  double sum = 0;
  for (const auto& [capacity, gain] : candidates) {
    const double lost = (most - gain) / model.excess;
    if (gain == 0 || lost > 9) continue;
    result.low = std::min(result.low, capacity);
    result.high = std::max(result.high, capacity);
    const double weight = std::exp(-lost / 2);
    weights += weight;
    sum += weight * std::log(capacity);
  }
  if (weights > 0) result.best = std::exp(sum / weights);
  result.low /= systematic(*rise.shape);
  result.high *= systematic(*rise.shape);
  return result;
}

}  // namespace percycle
