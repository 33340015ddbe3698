#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "experiments/atomics/parts/atomic_handover.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::atomic_handover_experiment {
namespace {

struct BetweenName {
  const char* name;
  Handover::Between between;
};
constexpr std::array<BetweenName, 5> kBetween{{{"lanes", Handover::Between::lanes},
                                               {"subgroups", Handover::Between::subgroups},
                                               {"unit", Handover::Between::unit},
                                               {"units", Handover::Between::units},
                                               {"groups", Handover::Between::groups}}};

Handover handover_of(const Point& point) {
  Handover handover;
  const auto& name = word(point, "between");
  for (const auto& each : kBetween) {
    if (each.name == name) handover.between = each.between;
  }
  handover.local = word(point, "memory") == "local";
  handover.first = number_or(point, "first_unit", 0u);
  handover.second = number_or(point, "second_unit", 0u);
  return handover;
}

const WordsParameter kBetweens{
    "between",
    {"lanes", "subgroups", "unit", "units", "groups"},
    "two lanes of a subgroup, subgroups of a work-group, or work-groups on one unit, on two units (neighbours, and half of all "
    "units apart) or anywhere"};
const WordsParameter kMemories{"memory", {"global", "local"}, "memory of the token; local: lanes and subgroups only"};

/// Hand-overs by compare-exchange (Chips and Cheese, "Inside Kepler", section on atomics). Unlike
/// there, the two sides are known, and waiting is bounded.
class AtomicHandover final : public Experiment {
 public:
  std::string name() const override { return "atomic-handover"; }
  Presentation presentation() const override {
    return {.title = "Hand-over of a token",
            .question = "How long does a hand-over between two invocations take, by where they run?",
            .method =
                "Two invocations pass a token to and fro by compare-exchange. "
                "One operation is one hand-over: it ends when the other invocation has seen the value and answered.",
            .metric = "hand-over latency: ns and cycles per hand-over; tries: compare-exchanges of both sides per hand-over",
            .operation = "hand-over",
            .order = 320,
            .shows_range = true,
            .summary = {{.line = "hand-over",
                         .only = {{"between", "subgroups"}, {"memory", "local"}},
                         .figure = figures::kNsPerOp,
                         .pick = SummaryFigure::Pick::lowest,
                         .key = "hand-over, local",
                         .words = "hand-over between subgroups of a unit"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kBetweens, kMemories}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    std::vector<Point> points;
    for (const Point& point : product({name(), {}}, {{"between", options[kBetweens]}, {"memory", options[kMemories]}})) {
      const std::string& between = word(point, "between");
      const bool one_group = between == "lanes" || between == "subgroups";
      if (word(point, "memory") == "local" && !one_group) continue;
      std::vector<Axis> axes;
      if (between == "unit" || between == "units") axes.emplace_back("first_unit", std::vector{0});
      if (between == "units") {
        const std::uint32_t half = device.units ? device.units->value / 2 : 0;
        axes.emplace_back("second_unit", half > 1 ? std::vector{1u, half} : std::vector{1u});
      }
      append(points, product(point, axes));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    return percycle::unsupported(device, handover_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    return handover_trial(device, handover_of(point));
  }
};

const RegisterExperiment registered(std::make_unique<AtomicHandover>());

}  // namespace
}  // namespace percycle::atomic_handover_experiment
