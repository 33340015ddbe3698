#include "analysis/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"
#include "analysis/smooth_fit.hpp"
#include "analysis/thresholds.hpp"
#include "core/units.hpp"
#include "stats/summary.hpp"

// Explains a curve as a sum of rises (rise_fit.hpp), then judges each by the places around it. The
// confidence of a level is the product of four shares, each near 1 for a clean edge:
// - height: z^2 / (z^2 + 3^2), z the height of the rise in standard errors
// - places: 1 - 2^-(n + 1), n the smaller number of places before and beyond the onset, up to the
//   neighbouring edges
// - distinction: d^2 / (d^2 + 30^2), d the increase of chi-square if a smooth curve replaces the
//   rise; 0 for a ramp
// - flatness: 1 / (1 + (d / h)^2), d the drift of the plateau before the edge, h the height
// If a walk of the same memory in smaller steps also shows the edge, the doubt (1 - confidence) is
// halved.

namespace percycle {
namespace {

/// 0 to 1; one half if `sign` equals `half`.
double certainty(double sign, double half) { return sign * sign / (sign * sign + half * half); }

/// The evidence for a rise in the places around it.
struct Judgement {
  double z = 0;
  std::size_t before = 0;  ///< places between the onset of the previous edge and this one
  std::size_t beyond = 0;  ///< places between this onset and that of the next edge
  double distinction = 0;
  std::size_t flat_places = 0;  ///< on the plateau before the rise
  double flat_octaves = 0;
  double drift = 0;
  double plateau = 0;        ///< median of these places
  double plateau_error = 0;  ///< its standard error

  bool known = false;

  bool has_plateau() const { return flat_places >= 2; }
  bool is_flat() const { return flat_places >= 4 && drift <= hierarchy_thresholds.latency_accuracy / 2 * plateau; }

  double confidence(double height) const {
    const double own = own_confidence(height);
    return known ? 1 - (1 - own) * (1 - level_thresholds.known_worth) : own;
  }

  double own_confidence(double height) const {
    const auto places = static_cast<double>(std::min(before, beyond));
    const double relative_drift = drift / height;
    return certainty(z, level_thresholds.half_height) * (1 - std::exp2(-places - 1)) *
           certainty(distinction, level_thresholds.half_distinction) / (1 + relative_drift * relative_drift);
  }
};

std::span<const CurvePlace> between(std::span<const CurvePlace> places, double above, double up_to) {
  const auto beyond = [](double bytes, const CurvePlace& place) { return bytes < place.bytes; };
  const auto first = std::upper_bound(places.begin(), places.end(), above, beyond);
  const auto last = std::upper_bound(first, places.end(), up_to, beyond);
  return {first, last};
}

/// If too few places lie on a rise to show its shape, any size between the places around its start
/// is possible.
void widen_to_places(Capacity& capacity, std::span<const CurvePlace> places, const Rise& rise) {
  const auto on_rise = between(places, rise.onset, rise.onset * rise.shape->end());
  if (static_cast<double>(on_rise.size()) >= level_thresholds.fewest_on_rise) return;
  const auto before = between(places, 0, rise.onset);
  const auto beyond = between(places, rise.onset, INFINITY);
  if (!before.empty()) capacity.low = std::min(capacity.low, before.back().bytes);
  if (!beyond.empty()) capacity.high = std::max(capacity.high, beyond.front().bytes);
}

/// Judges one rise of a model among the accepted rises.
Judgement judge(std::span<const CurvePlace> places, const RiseModel& model, std::span<const Rise> standing, std::size_t i) {
  const Rise& rise = standing[i];
  double previous_onset = 0;
  double previous_end = 0;
  double next_onset = places.back().bytes;
  for (std::size_t j = 0; j < standing.size(); ++j) {
    const Rise& other = standing[j];
    if (!other.is_edge() || j == i) continue;
    if (j < i) {
      previous_onset = other.onset;
      previous_end = other.onset * other.shape->end();
    } else {
      next_onset = std::min(next_onset, other.onset);
    }
  }
  Judgement result;
  result.known = rise.known;
  result.z = rise.height / (rise.height_error * std::sqrt(model.excess));
  const auto before = between(places, previous_onset, rise.onset);
  result.before = before.size();
  result.beyond = between(places, rise.onset, next_onset).size();

  result.distinction = distinction(between(places, rise.onset / level_thresholds.around, rise.onset * level_thresholds.around),
                                   model, rise, standing);

  const auto plateau = between(places, std::min(previous_end, rise.onset), rise.onset);
  result.flat_places = plateau.size();
  if (plateau.size() >= 2) result.flat_octaves = std::log2(plateau.back().bytes / plateau.front().bytes);
  if (plateau.size() >= 4) result.drift = drift(plateau, model);
  std::vector<double> values;
  for (const auto& place : plateau) values.push_back(place.value);
  if (!values.empty()) {
    const Summary summary = summarise(values);
    result.plateau = summary.median;
    const double least = hierarchy_thresholds.least_error * summary.median / std::sqrt(static_cast<double>(values.size()));
    result.plateau_error = std::max(median_error(summary), least);
  }
  return result;
}

/// Judges all rises, removes the least certain one and judges again, until each is worth reporting.
/// A model turns a ramp into several steps, which support each other.
std::vector<std::optional<Judgement>> judge_all(std::span<const CurvePlace> places, const RiseModel& model) {
  std::vector<Rise> standing = model.rises;
  for (;;) {
    std::vector<Judgement> judgements;
    for (std::size_t i = 0; i < standing.size(); ++i) judgements.push_back(judge(places, model, standing, i));
    std::size_t least = 0;
    const auto confidence = [&](std::size_t i) { return judgements[i].confidence(standing[i].height); };
    for (std::size_t i = 0; i < standing.size(); ++i) {
      if (confidence(i) < confidence(least)) least = i;
    }
    if (!standing.empty() && confidence(least) < level_thresholds.least_confidence) {
      standing.erase(standing.begin() + static_cast<std::ptrdiff_t>(least));
      continue;
    }
    std::vector<std::optional<Judgement>> verdicts;
    for (const auto& rise : model.rises) {
      const auto stands = std::find_if(standing.begin(), standing.end(),
                                       [&](const Rise& other) { return other.onset == rise.onset && other.shape == rise.shape; });
      verdicts.push_back(stands == standing.end()
                             ? std::nullopt
                             : std::optional(judgements[static_cast<std::size_t>(stands - standing.begin())]));
    }
    return verdicts;
  }
}

std::vector<std::string> evidence_of(const Rise& rise, const Judgement& judgement, double latency) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("its {} is {:.4g} high, {:.0f} times the noise", rise.is_edge() ? "edge" : "rise", rise.height, judgement.z));
  if (rise.is_edge() && judgement.has_plateau()) {
    lines.push_back(fmt::format(
        "its plateau has {} points over {:.1f} octaves{}", judgement.flat_places, judgement.flat_octaves,
        judgement.flat_places >= 4 ? fmt::format(" and is flat to {:.1f} %", 100 * judgement.drift / latency) : std::string()));
  } else if (rise.is_edge()) {
    lines.push_back("it has no plateau, because the edge of the level before has not ended");
  }
  lines.push_back(fmt::format("a step fits better than a smooth ramp, by a chi-square of {:.0f}", judgement.distinction));
  if (rise.known) lines.push_back("a finer walk through the same memory shows this edge, too");
  switch (rise.shape->kind) {
    case RiseShape::Family::tlb:
      lines.push_back("it is as broad as the rise of a TLB: penalty * (1 - reach / footprint)");
      break;
    case RiseShape::Family::lru:
      lines.push_back(rise.shape->ways > 100
                          ? std::string("its edge is sharp")
                          : fmt::format("its edge has the shape of LRU replacement with about {:g} ways", rise.shape->ways));
      break;
    case RiseShape::Family::random:
      lines.push_back("its edge has the shape of random replacement");
      break;
    case RiseShape::Family::paged:
      lines.push_back("its edge is soft, as with scattered physical pages: the size is the middle of the edge");
      break;
  }
  return lines;
}

/// The errors of the places: a first model now separates bends from noise.
std::vector<CurvePlace> with_settled_errors(std::span<const CurvePlace> places, const RiseModel& model) {
  std::vector<double> values;
  std::vector<double> uncertain;
  for (const auto& place : places) {
    values.push_back(model.value(place.bytes));
    double error = 0;
    for (const auto& rise : model.rises) {
      const double share = rise.shape->share(place.bytes / rise.onset);
      if (share > level_thresholds.shape_error && share < 1 - level_thresholds.shape_error)
        error += level_thresholds.shape_error * rise.height;
    }
    uncertain.push_back(error);
  }
  return scattered_around(places, values, uncertain);
}

}  // namespace

CurveReading read_curve(std::span<const CurveSample> curve, std::span<const Rise> known) {
  auto places = curve_places(curve);
  CurveReading reading;
  if (is_smooth(places)) return reading;
  places = with_settled_errors(places, fit_rises(places));
  const RiseModel model = fit_rises(places, known);

  const auto verdicts = judge_all(places, model);
  double latency = model.base;
  double variance = model.base_error * model.base_error * model.excess;
  // Edges that do not stand may be a part of the next one: then its plateau lies below them.
  double unjudged = 0;
  double unjudged_variance = 0;
  for (std::size_t i = 0; i < model.rises.size(); ++i) {
    const Rise& rise = model.rises[i];
    if (verdicts[i]) {
      const double confidence = verdicts[i]->confidence(rise.height);
      const double plateau = verdicts[i]->plateau;
      const bool is_below = verdicts[i]->has_plateau() && std::abs(plateau - (latency - unjudged)) < std::abs(plateau - latency);
      double before = is_below ? latency - unjudged : latency;
      double before_error = std::sqrt(is_below ? variance - unjudged_variance : variance);
      // A scattered edge before it says less about a flat plateau than the plateau itself.
      if (verdicts[i]->is_flat() && std::abs(plateau - before) <= hierarchy_thresholds.latency_errors * before_error) {
        before = plateau;
        before_error = std::min(before_error, verdicts[i]->plateau_error);
      }
      auto evidence = evidence_of(rise, *verdicts[i], before);
      if (rise.is_edge()) {
        Capacity capacity = capacity_interval(places, model, i);
        if (!verdicts[i]->has_plateau()) {
          capacity.low /= rise_thresholds.hidden_uncertainty;
          capacity.high *= rise_thresholds.hidden_uncertainty;
        }
        if (!rise.known) widen_to_places(capacity, places, rise);
        reading.levels.push_back({.latency = before,
                                  .latency_error = before_error,
                                  .plateau = verdicts[i]->has_plateau(),
                                  .size = capacity.best,
                                  .size_low = capacity.low,
                                  .size_high = capacity.high,
                                  .drift = verdicts[i]->drift,
                                  .edge_end = rise.onset * rise.shape->end(),
                                  .edge = rise,
                                  .confidence = confidence,
                                  .evidence = std::move(evidence)});
      } else {
        reading.tlbs.push_back(
            {.reach = rise.onset, .penalty = rise.height, .confidence = confidence, .evidence = std::move(evidence)});
      }
    }
    if (rise.is_edge()) {
      const double own = rise.height_error * rise.height_error * model.excess;
      latency += rise.height;
      variance += own;
      unjudged = verdicts[i] ? 0 : unjudged + rise.height;
      unjudged_variance = verdicts[i] ? 0 : unjudged_variance + own;
    }
  }
  if (!reading.levels.empty()) {
    reading.memory_latency = latency;
    reading.memory_latency_error = std::sqrt(variance);
  }
  return reading;
}

}  // namespace percycle
