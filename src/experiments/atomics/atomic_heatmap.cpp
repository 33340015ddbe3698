#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "experiments/atomics/parts/atomic_handover.hpp"
#include "experiments/atomics/parts/unit_pairs.hpp"
#include "experiments/experiment.hpp"

namespace percycle::atomic_heatmap_experiment {
namespace {

constexpr double kQuickSeconds = 1;
constexpr double kStandardSeconds = 10;

const NumberParameter kSeconds{
    "seconds",
    "seconds for measuring pairs, in whole rounds that use each unit once; auto: 10 (quick: 1, full: all pairs, however long)"};

Handover handover_of(const Point& point) {
  return {.between = Handover::Between::units,
          .local = false,
          .first = number<std::uint32_t>(point, "first_unit"),
          .second = number<std::uint32_t>(point, "second_unit"),
          .brief = true};
}

Point pair_of(std::uint32_t first, std::uint32_t second) {
  return {"atomic-heatmap", {{"first_unit", first}, {"second_unit", second}}};
}

/// The measuring time of finished pairs.
struct Spent {
  std::map<std::string, double> seconds;  ///< by to_string(point)
  bool any_ok = false;

  explicit Spent(std::span<const PointResult> done) {
    for (const auto& result : done) {
      if (result.point.experiment != "atomic-heatmap") continue;
      seconds.emplace(to_string(result.point), result.seconds.value_or(0));
      any_ok = any_ok || result.outcome.status == Status::ok;
    }
  }

  /// Whether all these pairs are done.
  bool covers(const std::vector<UnitPair>& pairs) const {
    return std::all_of(pairs.begin(), pairs.end(),
                       [&](const UnitPair& pair) { return seconds.contains(to_string(pair_of(pair.first, pair.second))); });
  }

  double sum() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0, [](double sum, const auto& each) { return sum + each.second; });
  }
};

/// The number of rounds that fit the budget (in seconds; empty: all), given the time of the
/// finished rounds. The first plan is one round.
std::uint32_t rounds_within(std::uint32_t units, const Spent& spent, std::optional<double> budget) {
  const std::uint32_t all = tournament_rounds(units);
  std::uint32_t done = 0;
  while (done < all && spent.covers(tournament_round(units, done))) ++done;
  if (done == 0) return 1;
  if (!spent.any_ok) return done;  // if no pair of a round works, no other will
  const double sum = spent.sum();
  if (!budget || sum <= 0) return all;
  // The first rounds predict later ones badly, so a plan at most doubles them.
  const double affordable = std::min(*budget * done / sum, 2.0 * done);
  return affordable >= all ? all : std::max(done, static_cast<std::uint32_t>(affordable));
}

/// `atomic-handover` between many pairs of units. It shows which units are close on the chip.
class AtomicHeatmap final : public Experiment {
 public:
  std::string name() const override { return "atomic-heatmap"; }
  Presentation presentation() const override {
    return {.title = "Hand-over between units",
            .question = "How long does a hand-over take between each pair of units?",
            .method =
                "Pairs of units pass a token to and fro by compare-exchange, in whole rounds that use each unit once. "
                "Units of one block of the chip stand out as squares.",
            .metric =
                "hand-over latency by pair of units: ns and cycles per hand-over; tries: compare-exchanges of both sides per "
                "hand-over",
            .operation = "hand-over",
            .order = 330,
            .shows_range = true,
            .pairs = {{.name = "handover",
                       .title = "Hand-over between units",
                       .first = "first_unit",
                       .second = "second_unit",
                       .figure = figures::kNsPerOp,
                       // Sides in step need one try each per round trip, others up to two.
                       .split = {.figure = figures::kTriesPerOp, .most = 1.5, .below = "in step", .above = "out of step"}}},
            .leads = true,
            .summary = {{.line = "hand-over",
                         .figure = figures::kNsPerOp,
                         .pick = SummaryFigure::Pick::median,
                         .key = "hand-over, units",
                         .words = "hand-over between units"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kSeconds}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    // If units have no number or there is only one unit, one point reports it.
    if (!device.unit_id || !device.units || device.units->value < 2) return {pair_of(0, 1)};
    const std::uint32_t units = device.units->value;
    std::vector<Point> points;
    const std::uint32_t rounds = rounds_within(units, Spent(done), budget(options));
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (const auto& [first, second] : tournament_round(units, round)) points.push_back(pair_of(first, second));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    return percycle::unsupported(device, handover_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    return handover_trial(device, handover_of(point));
  }

 private:
  /// The time budget in seconds; empty: all pairs.
  static std::optional<double> budget(const Options& options) {
    if (const auto seconds = options[kSeconds]) return *seconds;
    if (options.preset == Preset::full) return std::nullopt;
    return options.preset == Preset::quick ? kQuickSeconds : kStandardSeconds;
  }
};

const RegisterExperiment registered(std::make_unique<AtomicHeatmap>());

}  // namespace
}  // namespace percycle::atomic_heatmap_experiment
