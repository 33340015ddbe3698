#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "sim/run_model.hpp"
#include "sim/score.hpp"

// Hierarchies without noise that are hard to read. No wrong figure may be stated without doubt, and
// each test finds the figures in its name.

namespace percycle::simtest {
namespace {

using sim::Cache;
using sim::Replacement;
using sim::SetIndex;

constexpr std::uint64_t kKib = 1024;
constexpr std::uint64_t kMib = 1024 * kKib;

Cache cache(std::uint64_t size, std::uint64_t line, std::uint32_t ways, Replacement replacement = Replacement::lru,
            SetIndex index = SetIndex::modulo) {
  Cache cache;
  cache.name = "cache";
  cache.size_bytes = size;
  cache.line_bytes = cache.sector_bytes = line;
  cache.ways = ways;
  cache.replacement = replacement;
  cache.index = index;
  return cache;
}

/// `latencies`: of each cache, then of the memory.
sim::Model model(std::initializer_list<Cache> caches, const std::vector<double>& latencies,
                 std::vector<sim::TlbModel> tlbs = {}) {
  sim::Model model;
  model.name = "hard";
  model.vendor = "nobody";
  model.units = 4;
  model.memory_bytes = 8 * 1024 * kMib;
  model.local = {16 * kKib, 20, 32, 4};
  model.unit_clock = sim::UnitClock{};
  model.caches = caches;
  model.caches.front().scope = sim::Scope::unit;
  sim::Path path{MemoryPath::global, {}, latencies.back()};
  for (std::size_t i = 0; i < model.caches.size(); ++i) path.hops.push_back({i, latencies[i], std::nullopt, 0});
  model.paths = {path};
  model.tlbs = std::move(tlbs);
  model.text_hash = "0";
  return model;
}

sim::TlbModel tlb(std::uint64_t page, std::uint64_t reach, double penalty) { return {"TLB", page, reach, penalty, 1}; }

Hierarchy read(const sim::Model& model) {
  const auto hierarchy = find_hierarchy(run_model(model, {"latency", "geometry", "tlb", "private-caches"}, Preset::standard, 1));
  for (const auto& statement : statements(model, hierarchy)) {
    CAPTURE(statement.text);
    CAPTURE(statement.confidence);
    CHECK((statement.right || statement.confidence < kStatedConfidence));
  }
  return hierarchy;
}

/// The levels of the global path that are stated without doubt.
std::vector<HierarchyLevel> stated_levels(const Hierarchy& hierarchy) {
  std::vector<HierarchyLevel> levels;
  for (const auto& level : hierarchy.levels) {
    if (level.path == "global" && level.confidence >= kStatedConfidence) levels.push_back(level);
  }
  return levels;
}

void check_memory(const Hierarchy& hierarchy, double cycles) {
  for (const auto& memory : hierarchy.memory) {
    if (memory.path != "global") continue;
    CHECK(memory.confidence >= kStatedConfidence);
    CHECK(memory.stated_cycles().value_or(0) == doctest::Approx(cycles).epsilon(0.01));
  }
}

void check_tlbs(const Hierarchy& hierarchy, const std::vector<sim::TlbModel>& truth) {
  REQUIRE(hierarchy.tlbs.size() == truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    CHECK(hierarchy.tlbs[i].page_bytes == truth[i].page_bytes);
    CHECK(hierarchy.tlbs[i].reach_bytes == truth[i].reach_bytes);
    CHECK(hierarchy.tlbs[i].penalty_cycles.value_or(0) == doctest::Approx(truth[i].penalty_cycles).epsilon(0.01));
  }
}

TEST_CASE("hard: fetches of two strides leave the latencies behind exact") {
  const auto found =
      read(model({cache(16 * kKib, 64, 4), cache(512 * kKib, 256, 8), cache(16 * kMib, 256, 16)}, {50, 300, 600, 900}));
  REQUIRE(stated_levels(found).size() == 3);
  CHECK(stated_levels(found)[2].latency_cycles.value_or(0) == doctest::Approx(600).epsilon(0.01));
  check_memory(found, 900);
}

TEST_CASE("hard: lines of two strides in both levels are found") {
  const auto found =
      read(model({cache(144 * kKib, 256, 36, Replacement::lru, SetIndex::hashed), cache(1920 * kKib, 256, 24)}, {265, 363, 723}));
  REQUIRE(stated_levels(found).size() == 2);
  CHECK(stated_levels(found)[0].line_bytes == 256u);
  CHECK(stated_levels(found)[1].ways == 24u);
  check_memory(found, 723);
}

TEST_CASE("hard: an outer cache 2.5 times as large as a random one is found") {
  const auto found = read(model({cache(16 * kKib, 64, 16, Replacement::random), cache(40 * kKib, 64, 16)}, {84, 160, 264}));
  CHECK(stated_levels(found).size() == 2);
}

TEST_CASE("hard: ways stay unknown if one line more hardly ever misses") {
  const auto found = read(model({cache(96 * kKib, 128, 96, Replacement::not_mru)}, {30, 300}));
  REQUIRE(stated_levels(found).size() == 1);
  CHECK_FALSE(stated_levels(found)[0].ways);
}

TEST_CASE("hard: a second TLB with longer pages and cheaper misses is found") {
  for (const auto& tlbs : {std::vector{tlb(2 * kMib, 64 * kMib, 200), tlb(16 * kMib, 3200 * kMib, 166)},
                           std::vector{tlb(2 * kMib, 32 * kMib, 200), tlb(16 * kMib, 2048 * kMib, 120)}}) {
    auto device = model({cache(32 * kKib, 128, 8), cache(4 * kMib, 128, 16)}, {32, 188, 296}, tlbs);
    device.memory_bytes = 16 * 1024 * kMib;
    check_tlbs(read(device), tlbs);
  }
}

TEST_CASE("hard: strides of 1.5 times the step do not distort the page test") {
  const std::vector tlbs{tlb(64 * kKib, 1536 * kKib, 187)};
  auto device =
      model({cache(32 * kKib, 64, 4), cache(768 * kKib, 128, 96), cache(64 * kMib, 128, 8)}, {119, 226, 411, 563}, tlbs);
  device.memory_bytes = 12 * 1024 * kMib;
  const auto found = read(device);
  check_tlbs(found, tlbs);
  check_memory(found, 563);
}

TEST_CASE("hard: small pages cause no wrong statement") {
  read(model({cache(8 * kKib, 64, 16), cache(256 * kKib, 64, 16)}, {39, 128, 205}, {tlb(4 * kKib, 128 * kKib, 90)}));
  auto hashed = model({cache(512 * kKib, 64, 8, Replacement::random, SetIndex::hashed),
                       cache(12 * kMib, 64, 24, Replacement::random, SetIndex::hashed)},
                      {114, 155, 278}, {tlb(4 * kKib, 512 * kKib, 125)});
  hashed.tlb_before_caches = true;
  hashed.memory_bytes = 2 * 1024 * kMib;
  read(hashed);
}

TEST_CASE("hard: a TLB that imitates every odd set factor causes no wrong statement") {
  read(model({cache(16 * kKib, 128, 8), cache(264 * kKib, 128, 16)}, {71, 137, 331}, {tlb(16 * kKib, 1536 * kKib, 422)}));
}

}  // namespace
}  // namespace percycle::simtest
