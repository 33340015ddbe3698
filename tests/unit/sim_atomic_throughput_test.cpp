#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "measure/measurer.hpp"
#include "sim/atomic_costs.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_atomic_throughput_test {
namespace {

struct Measuring {
  explicit Measuring(const Model& model) : device(open_sim(model, "test")) {}

  PointResult operator()(const std::string& scenario, const std::string& memory, const std::string& form, std::int64_t groups,
                         std::int64_t sharers, const std::string& operation = "add") {
    const Point point{"atomic-throughput",
                      {{"scenario", scenario},
                       {"operation", operation},
                       {"memory", memory},
                       {"form", form},
                       {"groups", groups},
                       {"sharers", sharers},
                       {"group_size", std::int64_t{1024}}}};
    Protocol protocol;
    protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
    protocol.shortest_sample_ns = 1e5;
    protocol.longest_target_ns = 1e5;
    protocol.settle_ns = 1e5;
    return measurer.measure(*find_experiment("atomic-throughput"), point, protocol, 7).result;
  }

  std::unique_ptr<Device> device;
  std::atomic<bool> stop{false};
  Measurer measurer{*device, stop};
};

TEST_CASE("sim atomic throughput: the slowest limit of units, words, lines and device decides") {
  Model model = load_model("t4");  // lines of 64 B
  model.units = 2;
  model.atomics->throughput =
      AtomicRates{.local_word = 0.5, .local_unit = 8, .global_word = 1, .global_line = 3, .global_unit = 16, .global_device = 24};
  const auto cycles = [&](std::vector<AtomicStream> streams) { return atomic_cycles(model, streams); };
  using Cycles = std::vector<double>;
  const AtomicStream stream{.group = 0, .offset = 0, .lanes = 48, .sharers = 1, .spread = 64, .operations = 10};
  CHECK(cycles({stream}) == Cycles{480 / 16.0, 0});
  AtomicStream shared = stream;
  shared.sharers = 40;  // and 8 lanes on another word
  CHECK(cycles({shared}) == Cycles{400, 0});
  AtomicStream close_words = stream;
  close_words.spread = 4;
  CHECK(cycles({close_words}) == Cycles{160 / 3.0, 0});  // of 16 lanes to a line
  AtomicStream other = stream;
  other.group = 1;
  other.offset = 48 * 64;
  CHECK(cycles({stream, other}) == Cycles{40, 40});  // 960 of the device
  other.offset = 0;
  other.operations = 1;
  CHECK(cycles({stream, other}) == Cycles{30, 22});  // 528 of the device, 11 of each word
  other.sharers = 48;
  CHECK(cycles({stream, other}) == Cycles{58, 58});  // of the one word that both use
  other.group = 3;                                   // on unit 1, too
  CHECK(cycles({stream, other}) == Cycles{58, 58});
  AtomicStream local = stream;
  local.path = MemoryPath::local;
  CHECK(cycles({local}) == Cycles{60, 0});
  local.sharers = 48;
  CHECK(cycles({local}) == Cycles{960, 0});
  AtomicStream next = local;
  next.group = 2;
  next.operations = 5;
  CHECK(cycles({local, next}) == Cycles{960, 0});  // its own word
  local.sharers = next.sharers = 1;
  CHECK(cycles({local, next}) == Cycles{90, 0});  // by one unit
}

struct Expected {
  const char* scenario;
  const char* memory;
  std::int64_t groups, sharers;
  double per_unit_cycle;
};

TEST_CASE("sim atomic throughput: the model's values are recovered within 2 % in every scenario") {
  const Model model = load_model("t4");
  REQUIRE(model.units == 40);
  REQUIRE(model.caches[model.paths[0].hops.back().cache].line_bytes == 64);
  const double ghz = model.clock.mhz / 1e3;
  Measuring measuring(model);
  // A word does 1 per cycle, a line 4, a unit 16, all units 128; in local memory a word 0.5, a unit
  // 32.
  for (const auto& expected : {Expected{"words", "global", 1, 1, 16},
                               {"words", "global", 1, 8, 16},
                               // 16 words of 32 lanes per line.
                               {"words", "global", 1, 32, 1024 / 128.0},
                               {"words", "global", 1, 1024, 1},
                               {"lines", "global", 1, 32, 16},
                               {"lines", "global", 1, 128, 8},  // of 8 words
                               {"lines", "global", 1, 1024, 1},
                               {"one-word", "global", 1, 0, 1},
                               {"one-word", "global", 4, 0, 0.25},
                               {"one-word", "global", 40, 0, 1 / 40.0},
                               {"word-per-group", "global", 4, 1024, 1},
                               {"word-per-group", "global", 40, 1024, 1},
                               {"word-per-group", "global", 80, 1024, 2},
                               {"own-words", "global", 40, 1, 128 / 40.0},
                               {"own-lines", "global", 40, 1, 128 / 40.0},
                               {"words", "local", 1, 1, 32},
                               {"words", "local", 1, 32, 16},
                               {"words", "local", 1, 1024, 0.5},
                               {"words", "local", 40, 1024, 0.5}}) {
    for (const char* form : {"return", "no-return"}) {
      CAPTURE(expected.scenario);
      CAPTURE(expected.memory);
      CAPTURE(expected.groups);
      CAPTURE(expected.sharers);
      const auto result = measuring(expected.scenario, expected.memory, form, expected.groups, expected.sharers);
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      const auto& statistics = result.measurement->statistics;
      CHECK(statistics.at("ops_per_unit_cycle").median == doctest::Approx(expected.per_unit_cycle).epsilon(0.02));
      const double units = std::min(static_cast<double>(expected.groups), 40.0);
      CHECK(statistics.at("gops_per_s").median == doctest::Approx(expected.per_unit_cycle * units * ghz).epsilon(0.02));
      CHECK(statistics.at("units").median == units);
    }
  }
}

TEST_CASE("sim atomic throughput: every operation takes the model's time, noise included") {
  Measuring measuring(load_model("t4"));
  Model slow = load_model("t4");
  slow.noise.outlier_share = 1;  // each duration three times as long
  Measuring slowly(slow);
  for (const char* operation : {"add", "min", "exchange", "compare-exchange", "and-or"}) {
    CAPTURE(operation);
    const auto check = [&](Measuring& by, double per_unit_cycle) {
      const auto result = by("words", "local", "return", 2, 32, operation);
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      const auto& statistics = result.measurement->statistics;
      CHECK(statistics.at("ops_per_unit_cycle").median == doctest::Approx(per_unit_cycle).epsilon(0.02));
      CHECK(statistics.at("gops_per_s").median == doctest::Approx(2 * per_unit_cycle * 1.59).epsilon(0.02));
    };
    check(measuring, 16);
    check(slowly, 16 / 3.0);
  }
}

TEST_CASE("sim atomic throughput: a model without a throughput does not support it") {
  for (const Model& model : {examples::small(), load_model("v100")}) {
    const auto result = Measuring(model)("words", "global", "return", 1, 1);
    CHECK(result.outcome.status == Status::unsupported);
    CHECK(result.outcome.reason.find("the model has no throughput of atomic operations (table [atomics.throughput])") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace percycle::sim::sim_atomic_throughput_test
