#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/handover.hpp"
#include "experiments/unit_pairs.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kQuickPairs = 16;
constexpr std::uint64_t kStandardPairs = 1000;  // less than ten seconds on an H200

Handover of(const Point& point) {
  return {.between = Handover::Between::units,
          .local = false,
          .first = static_cast<std::uint32_t>(integer(point.parameters, "first_unit")),
          .second = static_cast<std::uint32_t>(integer(point.parameters, "second_unit")),
          .brief = true};
}

/// `atomic-handover` between many pairs of units: what lies near to what on the chip.
class AtomicHeatmap final : public Experiment {
 public:
  std::string name() const override { return "atomic-heatmap"; }
  std::string question() const override {
    return "How far apart are the units, by what handing a value over between two of them takes?";
  }
  std::string metric() const override {
    return "latency of handing a token over by compare-exchange between two units, by pair: ns and cycles per hand-over; tries: "
           "compare-exchanges to each, of both sides together";
  }
  std::string operation() const override { return "hand-over"; }

  std::vector<ParameterSpec> parameters() const override {
    return {
        {"pairs",
         ParameterSpec::Type::number,
         {},
         "auto",
         "how many pairs, rounded up so that each unit is in as many; auto: 1000, 6 to 8 s on an H200 (quick: 16, full: all)"}};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    std::vector<Point> points;
    const auto& wanted = options.value("pairs");
    const std::uint64_t pairs = wanted != "auto"                     ? std::stoull(wanted)
                                : options.preset == Preset::quick    ? kQuickPairs
                                : options.preset == Preset::standard ? kStandardPairs
                                                                     : UINT64_MAX;
    // Where units have no number, or there is one only, one point says so.
    const bool known = device.unit_id && device.units && device.units->value > 1;
    const auto all = known ? spread_pairs(device.units->value, pairs) : std::vector<UnitPair>{{0, 1}};
    for (const auto& [first, second] : all) {
      points.push_back({name(), {{"first_unit", std::int64_t{first}}, {"second_unit", std::int64_t{second}}}});
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    return percycle::unsupported(device, of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    return handover_trial(device, of(point));
  }
};

const RegisterExperiment registered(std::make_unique<AtomicHeatmap>());

}  // namespace
}  // namespace percycle
