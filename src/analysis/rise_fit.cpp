#include "analysis/rise_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/rise_search.hpp"
#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

enum class Kinds { edges, tlbs, all };

/// Fits base and heights for given shapes and onsets. Drops falling rises, the steepest fall first.
RiseModel solve(const WeightedCurve& curve, std::vector<Rise> rises) {
  std::sort(rises.begin(), rises.end(), [](const Rise& a, const Rise& b) { return a.onset < b.onset; });
  for (;;) {
    LeastSquares columns;
    columns.add(curve.ones());
    const auto imitation = std::find_if(rises.begin(), rises.end(),
                                        [&](const Rise& rise) { return !columns.add(curve.rise(*rise.shape, rise.onset)); });
    if (imitation != rises.end()) {
      rises.erase(imitation);
      continue;
    }
    const auto fit = columns.fit(curve.values());
    for (std::size_t i = 0; i < rises.size(); ++i) {
      rises[i].height = fit.coefficients(static_cast<Eigen::Index>(i) + 1);
      rises[i].height_error = fit.errors(static_cast<Eigen::Index>(i) + 1);
      // Exact for least squares.
      rises[i].gain = std::pow(rises[i].height / rises[i].height_error, 2);
    }
    const auto worst =
        std::min_element(rises.begin(), rises.end(), [](const Rise& a, const Rise& b) { return a.height < b.height; });
    if (worst != rises.end() && worst->height <= 0) {
      rises.erase(worst);
      continue;
    }
    // Each rise has a height, an onset and a shape.
    const double freedom = std::max(1.0, static_cast<double>(curve.places().size()) - 1 - 3 * static_cast<double>(rises.size()));
    return {.base = fit.coefficients(0),
            .base_error = fit.errors(0),
            .rises = std::move(rises),
            .chi_square = fit.chi_square,
            .excess = std::max(1.0, fit.chi_square / freedom)};
  }
}

/// Whether an edge may begin here beside another edge, or a TLB beside another TLB.
bool has_room(const Rise& other, bool edge, double onset) {
  return other.is_edge() != edge || onset >= other.onset * rise_thresholds.edges_apart ||
         onset <= other.onset / rise_thresholds.edges_apart;
}

bool has_room(std::span<const Rise> others, bool edge, double onset) {
  return std::all_of(others.begin(), others.end(), [&](const Rise& other) { return has_room(other, edge, onset); });
}

/// Searches a curve for rises. It remembers what it found: settle() comes back to the same rises in
/// every third search, and to a third of the onsets in the others.
class RiseSearch {
 public:
  explicit RiseSearch(const WeightedCurve& curve) : curve_(curve) {}

  const WeightedCurve& curve() const { return curve_; }

  /// The best rise to add at one of the onsets; gain 0 if there is none.
  Rise best_rise(std::span<const Rise> others, const std::vector<double>& onsets, Kinds kinds) {
    Names names;
    names.reserve(others.size());
    for (const Rise& other : others) names.emplace_back(other.shape, other.onset);
    const auto [found, is_new] = found_.try_emplace({names, kinds, onsets});
    if (is_new) found->second = search(others, names, onsets, kinds);
    return found->second;
  }

 private:
  using Names = std::vector<std::pair<const RiseShape*, double>>;

  /// The best rise at each onset that was tried beside the same rises.
  struct Tried {
    Remainder remainder;
    std::map<double, Rise> edges;
    std::map<double, Rise> tlbs;
  };

  Rise search(std::span<const Rise> others, const Names& names, std::span<const double> onsets, Kinds kinds) {
    auto tried = tried_.find(names);
    if (tried == tried_.end()) tried = tried_.emplace(names, Tried{Remainder(curve_, others), {}, {}}).first;
    Rise best;
    const auto attempt = [&](Kinds group, std::map<double, Rise>& known, double onset) {
      if (!has_room(others, group == Kinds::edges, onset)) return;
      const auto [found, is_new] = known.try_emplace(onset);
      if (is_new) found->second = best_shape(tried->second.remainder, group, onset);
      if (found->second.gain > best.gain) best = found->second;
    };
    for (const double onset : onsets) {
      if (kinds != Kinds::tlbs) attempt(Kinds::edges, tried->second.edges, onset);
      if (kinds != Kinds::edges) attempt(Kinds::tlbs, tried->second.tlbs, onset);
    }
    return best;
  }

  /// The best rise of a group at this onset; gain 0 if there is none.
  Rise best_shape(Remainder& remainder, Kinds group, double onset) const {
    const ShapeSet& set = group == Kinds::edges ? edge_shape_set() : tlb_shape_set();
    const auto gains = remainder.gains(set, onset);
    Rise best;
    for (std::size_t k = 0; k < set.shapes.size(); ++k) {
      const RiseShape& shape = set.shapes[k];
      // Paged shapes are soft enough to imitate several rises. Their gain must exceed the gain of
      // others by a whole rise.
      const double gain = gains[k] - (shape.kind == RiseShape::Family::paged ? rise_thresholds.least_gain : 0);
      if (gain > best.gain) best = {.shape = &shape, .onset = onset, .gain = gain};
    }
    return best;
  }

  using Question = std::tuple<Names, Kinds, std::vector<double>>;

  const WeightedCurve& curve_;
  std::map<Question, Rise> found_;
  std::map<Names, Tried> tried_;
};

std::vector<Rise> without_rise(const std::vector<Rise>& rises, std::size_t one) {
  auto others = rises;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(one));
  return others;
}

std::vector<Rise> with_rise(std::vector<Rise> rises, const Rise& one) {
  rises.push_back(one);
  return rises;
}

/// Moves and reshapes each rise in turn while that helps. `kinds`: what a rise may become; if
/// empty, it keeps its kind.
RiseModel settle(RiseSearch& search, RiseModel model, std::optional<Kinds> kinds) {
  const WeightedCurve& curve = search.curve();
  for (int round = 0; round < rise_thresholds.search_rounds; ++round) {
    const double before = model.chi_square;
    for (std::size_t i = 0; i < model.rises.size(); ++i) {
      const double onset = model.rises[i].onset;
      const auto others = without_rise(model.rises, i);
      const double reach = round == 0 ? rise_thresholds.far_search : rise_thresholds.near_search;
      auto onsets = curve.onsets(onset / reach, onset * reach);
      const auto fine_onsets =
          curve.onsets(onset / rise_thresholds.fine_search, onset * rise_thresholds.fine_search, rise_thresholds.fine_steps);
      onsets.insert(onsets.end(), fine_onsets.begin(), fine_onsets.end());
      const auto same = model.rises[i].is_edge() ? Kinds::edges : Kinds::tlbs;
      const auto best = search.best_rise(others, onsets, kinds.value_or(same));
      if (best.gain == 0) continue;
      auto moved = solve(curve, with_rise(others, best));
      if (moved.chi_square < model.chi_square) model = std::move(moved);
    }
    if (model.chi_square > (1 - rise_thresholds.round_share) * before) break;
  }
  return model;
}

/// Adds the best rise repeatedly, as long as it gains enough.
RiseModel grow(RiseSearch& search, RiseModel model, Kinds kinds) {
  const WeightedCurve& curve = search.curve();
  const auto everywhere = curve.onsets(0, std::numeric_limits<double>::infinity());
  while (static_cast<double>(model.rises.size()) < rise_thresholds.most_rises) {
    const auto best = search.best_rise(model.rises, everywhere, kinds);
    if (best.gain < rise_thresholds.least_gain) break;
    auto more = settle(search, solve(curve, with_rise(model.rises, best)), kinds);
    if (more.chi_square > model.chi_square - rise_thresholds.least_gain) break;
    model = std::move(more);
  }
  return model;
}

/// The index of the first rise that is too small; empty if there is none.
std::optional<std::size_t> slight_rise(const RiseModel& model) {
  double latency = model.base;
  for (std::size_t i = 0; i < model.rises.size(); ++i) {
    if (model.rises[i].height < (model.rises[i].is_edge() ? rise_thresholds.least_edge : rise_thresholds.least_tlb) * latency)
      return i;
    latency += model.rises[i].height;
  }
  return std::nullopt;
}

/// The least gain of a rise. A TLB that begins at an edge may be part of the edge's shape, so it
/// must gain more.
double least_gain(const RiseModel& model, const Rise& rise) {
  const bool beside_edge = std::any_of(model.rises.begin(), model.rises.end(), [&](const Rise& other) {
    return other.is_edge() && std::abs(std::log(other.onset / rise.onset)) < std::log(rise_thresholds.beside_edge);
  });
  return !rise.is_edge() && beside_edge ? rise_thresholds.beside_edge_gains * rise_thresholds.least_gain
                                        : rise_thresholds.least_gain;
}

/// Removes rises that are too small or explain too little.
RiseModel prune(RiseSearch& search, RiseModel model) {
  const auto without = [&](std::size_t one) {
    return settle(search, solve(search.curve(), without_rise(model.rises, one)), Kinds::all);
  };
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

/// The cost of a model: its chi-square, plus the least gain of each rise. The model with the lowest
/// cost wins. `excess` widens the errors.
double cost(const RiseModel& model, double excess = 1) {
  double sum = model.chi_square;
  for (const auto& rise : model.rises) sum += least_gain(model, rise) * excess;
  return sum;
}

/// The cost of a model of known rises: only the heights are free.
double known_cost(const RiseModel& model, double excess) {
  return model.chi_square +
         rise_thresholds.known_gains * rise_thresholds.least_gain * excess * static_cast<double>(model.rises.size());
}

/// Fits rises of given shapes and onsets, if the curve shows them.
RiseModel fit_known(const WeightedCurve& curve, std::span<const Rise> known) {
  std::vector<Rise> rises;
  for (const auto& rise : known) {
    if (rise.onset > curve.places().front().bytes && rise.onset < curve.places().back().bytes) rises.push_back(rise);
  }
  for (auto& rise : rises) rise.known = true;
  RiseModel model = solve(curve, std::move(rises));
  for (;;) {
    auto weak = slight_rise(model);
    for (std::size_t i = 0; i < model.rises.size() && !weak; ++i) {
      if (model.rises[i].gain < rise_thresholds.least_gain * model.excess) weak = i;
    }
    if (!weak) return model;
    model = solve(curve, without_rise(model.rises, *weak));
  }
}

/// The best two rises to add between two sizes, on a coarse grid and with few shapes. It is a start
/// for settle().
std::vector<Rise> best_pair(const WeightedCurve& curve, const std::vector<Rise>& others, double low, double high) {
  const Remainder remainder(curve, others);
  std::vector<Rise> rises;
  double previous = 0;
  for (const double onset : curve.onsets(low, high)) {
    if (onset <= previous * rise_thresholds.pair_step) continue;
    previous = onset;
    for (const RiseShape* shape : coarse_shapes()) {
      if (has_room(others, shape->kind != RiseShape::Family::tlb, onset)) rises.push_back({.shape = shape, .onset = onset});
    }
  }
  const auto count = static_cast<Eigen::Index>(rises.size());
  Eigen::MatrixXd columns(curve.ones().size(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Rise& rise = rises[static_cast<std::size_t>(i)];
    columns.col(i) = curve.rise(*rise.shape, rise.onset);
  }
  const Eigen::VectorXd squares = columns.colwise().squaredNorm();
  columns = remainder.rest_of(columns);
  const Eigen::MatrixXd products = columns.transpose() * columns;
  const Eigen::VectorXd along = columns.transpose() * remainder.values();

  std::vector<Rise> best;
  double most = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Rise& first = rises[static_cast<std::size_t>(i)];
    // A rise that others imitate adds no direction.
    const double share = products(i, i) > kRounding * squares(i) ? 1 / products(i, i) : 0;
    const double first_gain = share * along(i) * along(i);
    Rise second;
    for (Eigen::Index k = i + 1; k < count; ++k) {
      const Rise& other = rises[static_cast<std::size_t>(k)];
      if (other.onset == first.onset || !has_room(first, other.is_edge(), other.onset)) continue;
      const double both = products(i, k);
      const double gain = rise_gain(along(k) - share * both * along(i), products(k, k) - share * both * both, squares(k));
      if (gain > second.gain) second = {.shape = other.shape, .onset = other.onset, .gain = gain};
    }
    if (second.gain > 0 && first_gain + second.gain > most) {
      most = first_gain + second.gain;
      best = {first, second};
    }
  }
  return best;
}

/// One TLB looks like two edges, and an edge with a TLB like two other edges. Moving rises one by
/// one never corrects this. So two new rises replace each rise, and each pair of neighbours, in one
/// step.
RiseModel replace(RiseSearch& search, RiseModel model) {
  const WeightedCurve& curve = search.curve();
  const auto improve = [&](std::size_t from, std::size_t to) {
    auto others = model.rises;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(from), others.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    const auto pair = best_pair(curve, others, model.rises[from].onset / rise_thresholds.pair_before,
                                model.rises[to].onset * rise_thresholds.pair_near);
    if (pair.empty()) return false;
    others.insert(others.end(), pair.begin(), pair.end());
    auto other = settle(search, solve(curve, std::move(others)), std::nullopt);
    other = prune(search, grow(search, settle(search, other, Kinds::all), Kinds::all));
    // The negation also rejects NaN.
    if (!(cost(other) <= (1 - rise_thresholds.better_share) * cost(model))) return false;
    model = std::move(other);
    return true;
  };
  for (std::size_t i = 0; i < model.rises.size();) {
    const bool neighbours =
        i + 1 < model.rises.size() && model.rises[i + 1].onset < rise_thresholds.pair_near * model.rises[i].onset;
    i = improve(i, i) || (neighbours && improve(i, i + 1)) ? 0 : i + 1;
  }
  return model;
}

/// The uncertainty of a size beyond noise, as a factor.
double systematic(const RiseShape& shape) {
  switch (shape.kind) {
    case RiseShape::Family::random:
      return rise_thresholds.random_uncertainty;
    case RiseShape::Family::paged:
      return rise_thresholds.paged_uncertainty;
    default:
      return rise_thresholds.size_uncertainty;
  }
}

/// The fewest rises that explain a curve, without known rises.
RiseModel fit_free(const WeightedCurve& curve) {
  const RiseModel flat = solve(curve, {});
  RiseSearch search(curve);
  RiseModel best = prune(search, grow(search, flat, Kinds::all));
  RiseModel edges_first = prune(search, grow(search, grow(search, flat, Kinds::edges), Kinds::all));
  if (cost(edges_first) < cost(best)) best = std::move(edges_first);
  return replace(search, std::move(best));
}

}  // namespace

double RiseModel::value(double bytes) const {
  double sum = base;
  for (const auto& rise : rises) sum += rise.height * rise.shape->share(bytes / rise.onset);
  return sum;
}

RiseModel fit_rises(std::span<const CurvePlace> places, std::span<const Rise> known) {
  // Either all curves of a memory have scattered pages, or none.
  const bool edges_known = std::any_of(known.begin(), known.end(), [](const Rise& rise) { return rise.is_edge(); });
  const bool paged_known =
      std::any_of(known.begin(), known.end(), [](const Rise& rise) { return rise.shape->kind == RiseShape::Family::paged; });
  const WeightedCurve curve(places, !edges_known || paged_known);
  RiseModel best = fit_free(curve);
  if (known.empty()) return best;
  RiseModel given = fit_known(curve, known);
  return known_cost(given, best.excess) < cost(best, best.excess) ? given : best;
}

Capacity capacity_interval(std::span<const CurvePlace> places, const RiseModel& model, std::size_t edge) {
  const WeightedCurve curve(places);
  const Rise& rise = model.rises[edge];
  Remainder remainder(curve, without_rise(model.rises, edge));
  struct Candidate {
    double capacity = 0;
    double gain = 0;
  };
  std::vector<Candidate> candidates;
  double most = 0;
  const bool paged = rise.shape->kind == RiseShape::Family::paged;
  const auto shapes = edge_shapes();
  for (const double onset : curve.onsets(rise.onset / rise_thresholds.capacity_range, rise.onset * rise_thresholds.capacity_range,
                                         rise_thresholds.capacity_steps)) {
    const auto gains = remainder.gains(edge_shape_set(), onset);
    Candidate candidate;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const double gain = gains[k];
      if ((shapes[k].kind == RiseShape::Family::paged) != paged) continue;
      if (gain > candidate.gain) candidate = {onset * shapes[k].capacity, gain};
    }
    most = std::max(most, candidate.gain);
    candidates.push_back(candidate);
  }
  Capacity result{rise.capacity(), rise.capacity(), rise.capacity()};
  double weights = 0;
  double sum = 0;
  for (const auto& [capacity, gain] : candidates) {
    const double lost = (most - gain) / model.excess;
    if (gain == 0 || lost > rise_thresholds.capacity_loss) continue;
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
