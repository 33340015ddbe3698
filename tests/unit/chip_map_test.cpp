#include "analysis/chip_map.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "check_words.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "report/chip_map_text.hpp"
#include "sim/chip_layout.hpp"
#include "sim_examples.hpp"
#include "vocabulary/l2_map.hpp"

namespace percycle::chip_map_test {
namespace {

sim::Model drawn_chip(std::uint64_t seed) {
  sim::Model model = sim::examples::small();
  model.units = 24;
  model.subgroup_size = 32;
  model.unit_clock = sim::UnitClock{};
  model.clock.mhz = 1700;
  model.noise.gaussian = 0.002;
  model.chip = sim::ChipLayout{
      .slices = 16, .units_together = 2, .partitions = 2, .near_cycles = 200, .step_cycles = 6, .far_cycles = 150, .seed = seed};
  return model;
}

std::vector<ChipMap> maps_of(const sim::Model& model, Preset preset = Preset::standard) {
  return read_chip_maps(sim::measured_plan(model, experiment::kL2Map, {}, preset));
}

/// Numbers with the same key, in groups in the order of their first members.
template <typename Key>
std::vector<std::vector<std::uint32_t>> grouped_by(std::uint32_t count, const Key& key) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < count; ++i) groups[key(i)].push_back(i);
  std::vector<std::vector<std::uint32_t>> all;
  for (auto& [value, members] : groups) all.push_back(std::move(members));
  std::sort(all.begin(), all.end());
  return all;
}

/// The slice whose cycles are nearest to the line's.
std::uint32_t nearest_slice(const sim::Model& model, const std::vector<double>& line) {
  std::uint32_t nearest = 0;
  double least = 1e300;
  for (std::uint32_t slice = 0; slice < model.chip->slices; ++slice) {
    double sum = 0;
    for (std::uint32_t unit = 0; unit < model.units; ++unit) sum += std::abs(line[unit] - sim::hit_cycles(model, unit, slice));
    if (sum < least) nearest = slice;
    least = std::min(least, sum);
  }
  return nearest;
}

TEST_CASE("chip map: a drawn map is recovered, every unit and every line") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    CAPTURE(seed);
    const sim::Model model = drawn_chip(seed);
    const auto maps = maps_of(model);
    REQUIRE(maps.size() == 2);
    for (const ChipMap& map : maps) {
      CHECK(map.units == 24);
      CHECK(map.lines.size() == 256);
      CHECK(map.counts_cycles);
      std::set<std::uint32_t> slices;
      for (const auto& line : map.lines) {
        const std::uint32_t slice = nearest_slice(model, line);
        slices.insert(slice);
        double most = 0;
        for (std::uint32_t unit = 0; unit < map.units; ++unit)
          most = std::max(most, std::abs(line[unit] - sim::hit_cycles(model, unit, slice)));
        CHECK(most < 3);
      }
      CHECK(slices.size() == 16);
      REQUIRE(map.unit_groups.size() == 2);
      CHECK(map.unit_groups[0].groups == grouped_by(24, [](std::uint32_t unit) { return unit / 2; }));
      CHECK(map.unit_groups[1].groups ==
            grouped_by(24, [&](std::uint32_t unit) { return sim::partition_of(*model.chip, unit); }));
      REQUIRE_FALSE(map.line_groups.empty());
      CHECK(map.line_groups[0].groups ==
            grouped_by(256, [&](std::uint32_t line) { return nearest_slice(model, map.lines[line]); }));
    }
  }
}

TEST_CASE("chip map: two runs of one chip are one card, two chips are two") {
  const auto first = maps_of(drawn_chip(1));
  sim::Model again = drawn_chip(1);
  again.noise.seed = 99;
  again.clock.mhz = 1500;
  const auto second = maps_of(again);
  const auto other = maps_of(drawn_chip(2));
  for (std::size_t access = 0; access < 2; ++access) {
    const auto same = compare_maps(first[access], second[access]);
    REQUIRE(same);
    CHECK(same->verdict == SameCard::yes);
    CHECK(same->correlation > 0.99);
    const auto different = compare_maps(first[access], other[access]);
    REQUIRE(different);
    CHECK(different->verdict == SameCard::no);
  }
  sim::Model smaller = drawn_chip(1);
  smaller.units = 20;
  CHECK_FALSE(compare_maps(first[0], maps_of(smaller, Preset::quick)[0]));
}

TEST_CASE("chip map: partitions alone do not make two cards one") {
  // Both chips have the same partitions and other places.
  ChipMap first;
  first.units = 8;
  ChipMap second = first;
  for (std::uint32_t line = 0; line < 8; ++line) {
    std::vector<double> a;
    std::vector<double> b;
    for (std::uint32_t unit = 0; unit < 8; ++unit) {
      const double partition = unit < 4 ? 200 : 400;
      a.push_back(partition + 10.0 * ((unit + line) % 4));
      b.push_back(partition + 10.0 * ((unit * line) % 3));
    }
    first.lines.push_back(a);
    second.lines.push_back(b);
  }
  const ChipGrouping halves{{{0, 1, 2, 3}, {4, 5, 6, 7}}, 20, 200};
  first.unit_groups = second.unit_groups = {halves};
  const auto agreement = compare_maps(first, second);
  REQUIRE(agreement);
  CHECK(agreement->correlation < 0.9);
  first.unit_groups.clear();
  second.unit_groups.clear();
  CHECK(compare_maps(first, second)->correlation > 0.98);
}

TEST_CASE("chip map: a chip without differences has no groups and tells nothing of the card") {
  sim::Model model = drawn_chip(1);
  model.noise.gaussian = 0;
  model.chip = sim::ChipLayout{.slices = 1, .units_together = 24, .near_cycles = 200, .step_cycles = 6};
  const auto maps = maps_of(model, Preset::quick);
  REQUIRE(maps.size() == 2);
  CHECK(maps[0].unit_groups.empty());
  CHECK(maps[0].line_groups.empty());
  CHECK_FALSE(compare_maps(maps[0], maps[0]));
}

TEST_CASE("chip map: the text names spread, groups of units and lines, and failed points") {
  const auto results = sim::measured_plan(drawn_chip(1), experiment::kL2Map, {{parameter::kAccess, "load"}});
  std::vector<const PointResult*> pointers;
  for (const PointResult& result : results) pointers.push_back(&result);
  PointResult failed{results[0].point, {Status::unsupported, "no work-group ran on unit 3"}, std::nullopt};
  pointers.push_back(&failed);
  const std::string text = chip_map_text("l2-map", pointers);
  CAPTURE(text);
  CHECK(text.find("load: 256 lines from 24 units: ") != std::string::npos);
  CHECK(text.find("units: 12 groups of 2: ") != std::string::npos);
  CHECK(text.find("units: 2 groups of ") != std::string::npos);
  CHECK(text.find("lines: 16 groups of ") != std::string::npos);
  CHECK(text.find("1 point unsupported: no work-group ran on unit 3") != std::string::npos);
}

TEST_CASE("l2-map: unsupported without unit numbers, clocks or several known units, with the reason") {
  const Experiment& experiment = *find_experiment(experiment::kL2Map);
  const Experiment* const chosen[] = {&experiment};
  const Options options = make_options(chosen, {}, Preset::standard, 1).front();
  DeviceInfo info = fake::gpu();
  const auto reason = [&] {
    const auto points = experiment.plan(info, options, {});
    return points.size() == 1 ? experiment.unsupported(info, points[0]).value_or("") : std::string("none");
  };
  CHECK_WORDS("device.no-unit-number", reason());
  info.unit_id = "test";
  CHECK_WORDS("device.no-unit-clock", reason());
  info.unit_clock = KernelClock{};
  CHECK(reason() == "none");
  info.units->value = 1;
  CHECK_WORDS("device.one-unit-only", reason());
  info.units.reset();
  CHECK_WORDS("device.unknown-units", reason());
}

}  // namespace
}  // namespace percycle::chip_map_test
