#include "analysis/shared_levels.hpp"

#include <doctest/doctest.h>

namespace percycle {
namespace {

HierarchyLevel level(std::uint64_t size, std::uint64_t low, std::uint64_t high, double confidence) {
  HierarchyLevel result;
  result.path = "global-index";
  result.size_bytes = size;
  result.size_low = low;
  result.size_high = high;
  result.confidence = confidence;
  return result;
}

UnitSharing between_units(std::uint64_t size, std::uint64_t walked, bool shared) {
  UnitSharing result;
  result.path = "global-index";
  result.level = 1;
  result.size_bytes = size;
  result.shared = shared;
  result.confidence = 0.95;
  result.walked_bytes = walked;
  return result;
}

UnitSharing adopted(UnitSharing unit, const std::vector<HierarchyLevel>& levels) {
  SharingReading reading{{}, {std::move(unit)}};
  adopt_levels(reading, levels);
  return reading.units.front();
}

TEST_CASE("a shared level has the number, size and at most the confidence of the level that is stated") {
  const std::vector levels{level(16'000, 15'900, 16'100, 0.98), level(1'000'000, 990'000, 1'010'000, 0.9)};
  const auto unit = adopted(between_units(1'040'000, 720'000, false), levels);
  CHECK(unit.level == 2);
  CHECK(unit.size_bytes == 1'000'000);
  CHECK(unit.confidence == 0.9);
  CHECK(unit.evidence.empty());
  CHECK(adopted(between_units(16'400, 11'000, true), levels).confidence == 0.95);
}

TEST_CASE("sharing of a level that the path does not have is doubted") {
  for (const bool shared : {false, true}) {
    const auto unit = adopted(between_units(1'000'000, 700'000, shared), {level(16'000, 15'900, 16'100, 0.98)});
    CHECK(unit.confidence == doctest::Approx(0.95 * 0.69));
    CHECK(unit.evidence.size() == 1);
  }
}

TEST_CASE("units seem to share no level if both chains or not even one may fit into it") {
  const auto larger = level(1'000'000, 980'000, 1'500'000, 0.98);
  const auto smaller = level(1'000'000, 600'000, 1'020'000, 0.98);
  const auto exact = level(1'000'000, 980'000, 1'020'000, 0.98);
  for (const auto& each : {larger, smaller}) {
    CHECK(adopted(between_units(1'000'000, 700'000, false), {each}).confidence < 0.7);
    CHECK(adopted(between_units(1'000'000, 700'000, true), {each}).confidence == 0.95);
  }
  CHECK(adopted(between_units(1'000'000, 700'000, false), {exact}).confidence == 0.95);
}

TEST_CASE("two paths share a first level no more certainly than both levels are known") {
  SharingReading reading{{{"texture", "global-index", true, 0.95, {}}}, {}};
  auto texture = level(16'000, 15'900, 16'100, 0.8);
  texture.path = "texture";
  adopt_levels(reading, std::vector{level(16'000, 15'900, 16'100, 0.9), texture});
  CHECK(reading.paths.front().confidence == 0.8);
  adopt_levels(reading, std::vector{texture});
  CHECK(reading.paths.front().confidence < 0.7);
}

}  // namespace
}  // namespace percycle
