#include <array>
#include <memory>
#include <string>
#include <vector>

#include "experiments/atomics/parts/atomic_handover.hpp"
#include "experiments/common/word_list.hpp"
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
  const auto& name = word(point.parameters, "between");
  for (const auto& each : kBetween) {
    if (each.name == name) handover.between = each.between;
  }
  handover.local = word(point.parameters, "memory") == "local";
  const auto unit = [&](const char* side) { return static_cast<std::uint32_t>(integer_or(point.parameters, side, 0)); };
  handover.first = unit("first_unit");
  handover.second = unit("second_unit");
  return handover;
}

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
                         .name = "between subgroups",
                         .only = {{"between", "subgroups"}, {"memory", "local"}},
                         .figure = "ns_per_op",
                         .pick = SummaryFigure::Pick::lowest}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    using Type = ParameterSpec::Type;
    return {
        {"between",
         Type::words,
         {"lanes", "subgroups", "unit", "units", "groups"},
         "lanes,subgroups,unit,units,groups",
         "two lanes of a subgroup, subgroups of a work-group, or work-groups on one unit, on two units (neighbours, and half of "
         "all units apart) or anywhere"},
        {"memory", Type::words, {"global", "local"}, "global,local", "memory of the token; local: lanes and subgroups only"},
    };
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    std::vector<Point> points;
    for (const auto& between : word_list(options.value("between"))) {
      for (const auto& memory : word_list(options.value("memory"))) {
        const bool one_group = between == "lanes" || between == "subgroups";
        if (memory == "local" && !one_group) continue;
        const Point point{name(), {{"between", between}, {"memory", memory}}};
        if (between == "unit") {
          points.push_back(with_units(point, 0, std::nullopt));
        } else if (between == "units") {
          const std::int64_t half = device.units ? device.units->value / 2 : 0;
          points.push_back(with_units(point, 0, 1));
          if (half > 1) points.push_back(with_units(point, 0, half));
        } else {
          points.push_back(point);
        }
      }
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
  static Point with_units(Point point, std::int64_t first, std::optional<std::int64_t> second) {
    point.parameters["first_unit"] = first;
    if (second) point.parameters["second_unit"] = *second;
    return point;
  }
};

const RegisterExperiment registered(std::make_unique<AtomicHandover>());

}  // namespace
}  // namespace percycle::atomic_handover_experiment
