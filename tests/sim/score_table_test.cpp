#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/coverage.hpp"
#include "sim/effect_model.hpp"
#include "sim/run_model.hpp"
#include "sim/score.hpp"

// How often analysis is right and how much it says, on random models in three modes.
// PERCYCLE_SIM_FIRST is the first seed and PERCYCLE_SIM_SEEDS the number of models; else three.
// tools/score-models adds up the printed counts.

namespace percycle::simtest {
namespace {

std::uint64_t number(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

std::vector<std::uint64_t> seeds() {
  const std::uint64_t first = number("PERCYCLE_SIM_FIRST");
  if (first == 0) return {2, 3, 7};  // 40 s of processor time together; 3 is hard
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < number("PERCYCLE_SIM_SEEDS"); ++i) all.push_back(first + i);
  return all;
}

/// The points of a run of the first experiment alone: later experiments add none to it.
std::vector<PointResult> latency_alone(std::vector<PointResult> results) {
  std::erase_if(results, [](const PointResult& result) {
    const auto& name = result.point.experiment;
    return name == "geometry" || name == "tlb" || name == "private-caches" || name == "sharing";
  });
  return results;
}

void print(const std::string& mode, const std::string& kind, const std::string& what, const Share& share) {
  if (share.all > 0) MESSAGE(fmt::format("score {} {} {} {} {}", mode, kind, what, share.right, share.all));
}

/// Prints the counts of one analysis. Returns whether nothing wrong was stated.
bool score(const DrawnModel& drawn, const std::string& mode, const std::vector<PointResult>& results) {
  const auto hierarchy = find_hierarchy(results);
  const auto all = statements(drawn.model, hierarchy);
  const std::string kind = drawn.hard ? "hard" : "plain";
  for (const auto& [quantity, share] : shares_of(all)) print(mode, kind, "stated:" + quantity, share);
  const auto coverage = coverage_of(drawn.model, hierarchy, all, results);
  for (const auto& [quantity, share] : coverage.facts) print(mode, kind, "covered:" + quantity, share);
  print(mode, kind, "missed:levels", coverage.missed);
  for (const auto& band : bands_of(all)) print(mode, kind, fmt::format("band:{:.1f}", band.low), band.share);
  bool sound = true;
  for (const auto& statement : all) {
    if (statement.right || statement.confidence < kStatedConfidence) continue;
    sound = false;
    MESSAGE(fmt::format("wrong {} {}: {:.2f} {}: {}", mode, kind, statement.confidence, drawn.model.name, statement.text));
  }
  return sound;
}

const std::vector<std::string> kAll{"latency", "geometry", "tlb", "private-caches", "sharing"};

TEST_CASE("score: nothing wrong is stated of a few random models") {
  for (const std::uint64_t seed : seeds()) {
    const DrawnModel drawn = drawn_model(seed);
    CAPTURE(drawn.model.name);
    const auto standard = run_model(drawn.model, kAll, Preset::standard, 1);
    CHECK(score(drawn, "standard", standard));
    CHECK(score(drawn, "latency", latency_alone(standard)));
    CHECK(score(drawn, "quick", run_model(drawn.model, kAll, Preset::quick, 1)));
  }
}

/// Two levels of 1 MiB and 4 MiB behind one of 16 KiB.
sim::Model three_levels() {
  sim::Model model = random_model(1);
  model.caches.resize(3);
  model.paths.resize(1);
  model.paths[0] = {MemoryPath::global, {}, 600};
  model.tlbs.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    model.caches[i] = {.name = "cache", .size_bytes = std::uint64_t{1} << (i == 0 ? 14 : 18 + 2 * i), .ways = 4};
    model.paths[0].hops.push_back({i, 100.0 * static_cast<double>(i + 1), std::nullopt, 0});
  }
  return model;
}

TEST_CASE("score: the truth of an exclusive level is its sum with the level before, of far lines the mean") {
  sim::Model model = three_levels();
  model.caches[2].inclusion = sim::Inclusion::exclusive;
  model.paths[0].hops[1].far_lines_cycles = 260;
  const auto truth = true_levels(model, MemoryPath::global, INFINITY);
  REQUIRE(truth.size() == 3);
  CHECK(truth[1].size == 1 << 20);
  CHECK(truth[2].size == 5 << 20);
  CHECK(truth[1].latency == 230);
}

TEST_CASE("score: coverage counts each fact once, and a wide range is no size") {
  const sim::Model model = three_levels();
  Hierarchy hierarchy;
  const auto level = [&](std::uint64_t size, double width, double cycles, double confidence) {
    HierarchyLevel made;
    made.path = "global";
    made.size_bytes = size;
    made.size_low = size;
    made.size_high = static_cast<std::uint64_t>(width * static_cast<double>(size));
    made.latency_cycles = cycles;
    made.confidence = made.latency_confidence = confidence;
    hierarchy.levels.push_back(made);
  };
  level(16384, 1, 100, 1);
  level(1 << 20, 1.5, 200, 0.8);
  level((1 << 20) + 4096, 1, 200, 0.8);  // the same level again
  std::vector<PointResult> results(1);
  results[0].point.experiment = "latency";
  results[0].point.parameters = {{"path", std::string("global")}, {"footprint", std::int64_t{1} << 30}};
  results[0].outcome.status = Status::ok;
  const auto all = statements(model, hierarchy);
  CHECK(shares_of(all).at("range").right == 1);
  const auto coverage = coverage_of(model, hierarchy, all, results);
  CHECK(coverage.facts.at("size").right == 1);
  CHECK(coverage.facts.at("size").all == 3);
  CHECK(coverage.facts.at("latency").right == 2);
  CHECK(coverage.facts.at("memory").all == 1);
  CHECK(coverage.missed.right == 1);
  CHECK(coverage.missed.all == 3);
}

}  // namespace
}  // namespace percycle::simtest
