#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <string>

#include "check_words.hpp"
#include "experiments/atomics/parts/atomic_handover.hpp"
#include "experiments/common/prerequisite.hpp"
#include "measure/measurer.hpp"
#include "report/pair_map.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_atomic_handover_test {
namespace {

Model with_handover() {
  Model model = examples::small();
  model.units = 8;
  model.unit_clock = UnitClock{};
  model.handover = HandoverCosts{.local_cycles = 30, .unit_cycles = 90, .cluster_cycles = 100, .far_cycles = 160, .clusters = 2};
  return model;
}

struct Measuring {
  explicit Measuring(const Model& model) : device(open_sim(model, "test")) {}

  PointResult operator()(const std::string& experiment, const Parameters& parameters) {
    Protocol protocol;
    protocol.settle_ns = 0;
    return measurer.measure(*find_experiment(experiment), {experiment, parameters}, protocol, 7).result;
  }

  std::unique_ptr<Device> device;
  std::atomic<bool> stop{false};
  Measurer measurer{*device, stop};
};

Options options(const std::string& experiment, Preset preset = Preset::standard,
                const std::map<std::string, std::string>& set = {}) {
  const Experiment* const chosen[] = {find_experiment(experiment)};
  return make_options(chosen, set, preset, 1).front();
}

TEST_CASE("sim hand-over: the model's values are recovered within 2 %, for any sides") {
  Measuring measuring(with_handover());
  const auto points = find_experiment("atomic-handover")->plan(measuring.device->info(), options("atomic-handover"), {});
  CHECK(points.size() == 8);
  for (const auto& point : points) {
    CAPTURE(to_string(point));
    const auto result = measuring("atomic-handover", point.parameters);
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const bool far = point.parameters.contains("second_unit") && integer(point.parameters, "second_unit") == 4;
    const auto& between = word(point.parameters, "between");
    const double right = word(point.parameters, "memory") == "local" ? 30
                         : far                                       ? 160
                         : between == "units" || between == "groups" ? 100
                                                                     : 90;
    const auto& statistics = result.measurement->statistics;
    CHECK(statistics.at("cycles_per_op").median == doctest::Approx(right).epsilon(0.02));
    CHECK(statistics.at("tries_per_op").median == 1);
    CHECK(result.measurement->samples.size() == 31);
  }
}

TEST_CASE("sim hand-over: the heatmap finds the clusters") {
  Measuring measuring(with_handover());
  const Experiment& heatmap = *find_experiment("atomic-heatmap");
  std::vector<PointResult> results;
  // A first round, then all: a simulated device takes no time.
  for (int generation = 0; generation < 2; ++generation) {
    for (const auto& point : still_open(heatmap.plan(measuring.device->info(), options("atomic-heatmap"), results), results)) {
      results.push_back(measuring("atomic-heatmap", point.parameters));
      const auto& result = results.back();
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      CHECK(result.measurement->samples.size() == 5);
      const auto first = static_cast<std::uint32_t>(integer(point.parameters, "first_unit"));
      const auto second = static_cast<std::uint32_t>(integer(point.parameters, "second_unit"));
      const double right = first / 4 == second / 4 ? 100 : 160;
      CHECK(result.measurement->statistics.at("ns_per_op").median == doctest::Approx(right).epsilon(0.02));
    }
    CHECK(results.size() == (generation == 0 ? 4 : 28));
  }
  CHECK(results.size() == 28);
  std::vector<const PointResult*> pointers;
  for (const auto& result : results) pointers.push_back(&result);
  const std::string text = pair_map("atomic-heatmap", pointers);
  CHECK(text.find("28 pairs of units, ns/hand-over: min 100.") != std::string::npos);
  CHECK(text.find("p90 160.") != std::string::npos);
  CHECK(text.find("no groups of units: their nearest partners are 100.") != std::string::npos);
}

DeviceInfo of_units(std::uint32_t units) {
  Model model = with_handover();
  model.units = units;
  return open_sim(model, "test")->info();
}

/// The pairs of 132 units that a heatmap measures if each takes so many seconds and ends so.
std::size_t pairs_measured(Preset preset, const std::string& seconds, double each, Status status = Status::ok) {
  const DeviceInfo info = of_units(132);
  const Options wanted = options("atomic-heatmap", preset, {{"seconds", seconds}});
  std::vector<PointResult> done;
  for (;;) {
    const auto open = still_open(find_experiment("atomic-heatmap")->plan(info, wanted, done), done);
    if (open.empty()) return done.size();
    for (const auto& point : open) {
      done.push_back({point, {status, status == Status::ok ? "" : "no reason"}, {}});
      if (each > 0) done.back().seconds = each;
    }
  }
}

TEST_CASE("sim hand-over: a heatmap has as many rounds as its time allows, and at least one") {
  CHECK(pairs_measured(Preset::standard, "auto", 0.005) == 30 * 66);  // of 0.33 s
  CHECK(pairs_measured(Preset::quick, "auto", 0.005) == 3 * 66);
  CHECK(pairs_measured(Preset::full, "auto", 0.005) == 131 * 66);
  CHECK(pairs_measured(Preset::full, "20", 0.005) == 60 * 66);
  CHECK(pairs_measured(Preset::quick, "20", 0.005) == 60 * 66);
  CHECK(pairs_measured(Preset::standard, "auto", 1) == 66);
  CHECK(pairs_measured(Preset::standard, "auto", 1e-4) == 131 * 66);
  CHECK(pairs_measured(Preset::standard, "auto", 0) == 131 * 66);  // no clock on the wall
  CHECK(pairs_measured(Preset::standard, "auto", 1e-4, Status::unsupported) == 66);
}

/// The pairs of 132 units that a heatmap measures in 10 seconds, if a pair of the first round takes
/// so many seconds and any other pair so many.
std::size_t pairs_measured(double first_round, double others) {
  const DeviceInfo info = of_units(132);
  const Options wanted = options("atomic-heatmap");
  std::vector<PointResult> done;
  for (;;) {
    const auto open = still_open(find_experiment("atomic-heatmap")->plan(info, wanted, done), done);
    if (open.empty()) return done.size();
    for (const auto& point : open) {
      done.push_back({point, {}, {}});
      done.back().seconds = done.size() <= 66 ? first_round : others;
    }
  }
}

TEST_CASE("sim hand-over: the time of the first round alone does not set the number of rounds") {
  CHECK(pairs_measured(0.02, 0.005) == 27 * 66);   // 1.32 + 26 * 0.33 = 9.9 s
  CHECK(pairs_measured(0.001, 0.005) == 31 * 66);  // 0.07 + 30 * 0.33 = 9.97 s
}

TEST_CASE("sim hand-over: without unit numbers, a heatmap has one point that says so") {
  const auto planned = [](const DeviceInfo& info) {
    return find_experiment("atomic-heatmap")->plan(info, options("atomic-heatmap"), {});
  };
  DeviceInfo blind = of_units(132);
  blind.unit_id.reset();
  const auto points = planned(blind);
  REQUIRE(points.size() == 1);
  CHECK_WORDS("device.no-unit-number", find_experiment("atomic-heatmap")->unsupported(blind, points[0]));
  const DeviceInfo one = of_units(1);
  CHECK_WORDS("device.only-1-unit", find_experiment("atomic-heatmap")->unsupported(one, planned(one).at(0)));
}

TEST_CASE("sim hand-over: a model without hand-over costs does not support it") {
  const auto result = Measuring(examples::small())("atomic-handover", {{"between", "lanes"}, {"memory", "local"}});
  CHECK(result.outcome.status == Status::unsupported);
  CHECK(result.outcome.reason.find("the model has no hand-over costs (table [handover])") != std::string::npos);
}

}  // namespace
}  // namespace percycle::sim::sim_atomic_handover_test
