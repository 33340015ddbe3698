#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "measure/measurer.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_latency_test {
namespace {

/// `small` with a texture and a constant path, each with its own latencies.
Model every_path() {
  Model model = examples::small();
  model.paths.push_back(
      {.path = MemoryPath::texture, .hops = {examples::hop(0, 80), examples::hop(1, 260)}, .memory_latency_cycles = 700});
  model.paths.push_back(
      {.path = MemoryPath::constant, .hops = {examples::hop(0, 27), examples::hop(1, 92)}, .memory_latency_cycles = 500});
  model.timer.resolution_ns = 1;
  return model;
}

struct Measuring {
  explicit Measuring(const Model& model) : device(open_sim(model, "test")) {}

  PointResult operator()(const std::string& path, const std::string& form, std::int64_t footprint) {
    const Point point{"latency",
                      {{"path", path},
                       {"form", form},
                       {"lanes", std::string("1")},
                       {"order", std::string("random")},
                       {"stride", std::int64_t{128}},
                       {"footprint", footprint}}};
    Protocol protocol;
    protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
    protocol.shortest_sample_ns = 1e5;
    protocol.longest_target_ns = 1e5;
    protocol.control_samples = 1;
    protocol.settle_ns = 1e5;
    return measurer.measure(*find_experiment("latency"), point, protocol, 7).result;
  }

  std::unique_ptr<Device> device;
  std::atomic<bool> stop{false};
  Measurer measurer{*device, stop};
};

TEST_CASE("sim latency: every level of every path is measured exactly, with and without a unit's counter") {
  for (const bool counter : {false, true}) {
    Model model = every_path();
    if (counter) model.unit_clock = UnitClock{};
    Measuring measuring(model);
    struct Level {
      const char* path;
      const char* form;
      std::int64_t footprint;
      double ns;
    };
    const std::vector<Level> levels{{"global", "pointer", 4096, 30},       {"global", "pointer", 65536, 200},
                                    {"global", "pointer", 1 << 20, 600},   {"global-index", "index", 4096, 30},
                                    {"global-index", "index", 65536, 200}, {"global-index", "index", 1 << 20, 600},
                                    {"scalar", "index", 4096, 30},         {"scalar", "index", 65536, 200},
                                    {"scalar", "index", 1 << 20, 600},     {"texture", "index", 4096, 80},
                                    {"texture", "index", 65536, 260},      {"texture", "index", 1 << 20, 700},
                                    {"constant", "index", 4096, 27},       {"constant", "index", 65536, 92},
                                    {"local", "index", 4096, 20},          {"global", "pointer", std::int64_t{1} << 30, 600}};
    for (const auto& level : levels) {
      CAPTURE(level.path);
      CAPTURE(level.footprint);
      const auto result = measuring(level.path, level.form, level.footprint);
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      const auto& statistics = result.measurement->statistics;
      CHECK(statistics.at("ns_per_op").median == doctest::Approx(level.ns).epsilon(1e-3));
      if (counter) CHECK(statistics.at("cycles_per_op").median == doctest::Approx(level.ns).epsilon(1e-3));
    }
  }
}

TEST_CASE("sim latency: each fault leads to the right status and reason") {
  const auto outcome = [](Fault::Effect kind, std::uint64_t at) {
    Model model = every_path();
    model.faults = {{kind, at}};
    return Measuring(model)("global", "pointer", 4096).outcome;
  };
  CHECK(outcome(Fault::Effect::build_failure, 1).status == Status::failed);
  CHECK(outcome(Fault::Effect::build_failure, 1).reason.rfind("the kernel did not build: ", 0) == 0);
  CHECK(outcome(Fault::Effect::out_of_memory, 1000).reason.rfind("out of memory: ", 0) == 0);
  CHECK(outcome(Fault::Effect::lost, 5).reason.rfind("device lost: ", 0) == 0);
  CHECK(outcome(Fault::Effect::wrong_result, 6).status == Status::invalid);
  // The host's timer replaces it.
  CHECK(outcome(Fault::Effect::timer_backwards, 4).status == Status::ok);
}

}  // namespace
}  // namespace percycle::sim::sim_latency_test
