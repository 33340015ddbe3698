#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/chip_map.hpp"
#include "analysis/constant_words.hpp"
#include "analysis/hierarchy.hpp"
#include "analysis/instruction_owners.hpp"
#include "analysis/sharing.hpp"
#include "core/configuration.hpp"
#include "expected/instruction_chain.hpp"
#include "report/scheduler_text.hpp"
#include "sim/chip_layout.hpp"
#include "sim/run_model.hpp"
#include "sim/sim.hpp"

namespace percycle {
namespace {

TEST_CASE("units: each operation has the net time of its model") {
  for (const char* name : {"t4", "v100", "p100", "p4", "m60", "k80", "gtx680"}) {
    CAPTURE(name);
    const sim::Model model = sim::load_model(name);
    CHECK(model.operation_cycles.size() > 20);
    std::string all;
    for (const ChainOperation& operation : chain_operations()) all += (all.empty() ? "" : ",") + operation.name;
    std::size_t found = 0;
    std::size_t barriers = 0;
    for (const PointResult& result : simtest::run_model(model, {"instruction-latency"}, Preset::quick, 1, {{"operation", all}})) {
      const auto operation = std::find_if(chain_operations().begin(), chain_operations().end(), [&](const ChainOperation& one) {
        return one.group == word(result.point.parameters, "class") &&
               one.instruction == word(result.point.parameters, "instruction");
      });
      REQUIRE(operation != chain_operations().end());
      CAPTURE(operation->name);
      // Only PTX has this arithmetic, and models have no PTX.
      if (operation->need == ChainNeed::bfloat) {
        CHECK(result.outcome.status == Status::unsupported);
        ++found;
        continue;
      }
      REQUIRE(result.outcome.status == Status::ok);
      const auto known = model.operation_cycles.find(operation->name);
      const double truth = known == model.operation_cycles.end() ? model.cycles_per_operation : known->second;
      CHECK(std::abs(result.measurement->statistics.at("net_cycles_per_op").median - truth) < 0.1);
      (operation->need == ChainNeed::barrier ? barriers : found) += 1;
    }
    CHECK(barriers == 6);
    CHECK(found == chain_operations().size() - 1);
  }
}

/// The highest rate among the best points of an operation.
std::map<std::string, double> best_rates(const std::vector<PointResult>& results) {
  std::map<std::string, double> rates;
  for (const PointResult& result : results) {
    CAPTURE(to_string(result.point));
    REQUIRE(result.outcome.status == Status::ok);
    if (is_search(result.point)) continue;
    double& rate = rates[word(result.point.parameters, "operation")];
    rate = std::max(rate, result.measurement->statistics.at("ops_per_unit_cycle").median);
  }
  return rates;
}

TEST_CASE("units: each rate is its model's, within a hundredth") {
  for (const char* name : {"t4", "v100", "p100", "p4", "m60", "k80", "gtx680"}) {
    CAPTURE(name);
    const sim::Model model = sim::load_model(name);
    const auto rates = best_rates(simtest::run_model(model, {"arithmetic-throughput"}, Preset::quick, 1));
    CHECK(rates.size() == 4);
    for (const auto& pair : rates) {
      const auto& operation = pair.first;
      const auto& rate = pair.second;
      CAPTURE(operation);
      const auto truth = model.operation_results.find(operation);
      // Maxwell and Pascal have no instruction that multiplies 32-bit integers.
      if (truth == model.operation_results.end()) {
        CHECK(operation == "int32-mad");
        continue;
      }
      CHECK(std::abs(rate / truth->second - 1) < 0.01);
    }
  }
}

TEST_CASE("units: the whole table of chains and subgroups is in the record") {
  const auto results = simtest::run_model(sim::load_model("t4"), {"arithmetic-throughput"}, Preset::standard, 1,
                                          {{"operation", "fp32-fma,int32-mad+int32-add"}});
  std::map<std::pair<std::int64_t, std::int64_t>, double> table;
  for (const PointResult& result : results) {
    REQUIRE(result.outcome.status == Status::ok);
    if (!is_search(result.point) || result.point.parameters.contains("beside")) continue;
    table[{integer(result.point.parameters, "chains"), integer(result.point.parameters, "subgroups")}] =
        result.measurement->statistics.at("ops_per_unit_cycle").median;
  }
  CHECK(table.size() == 28);
  // 32 lanes every 4 cycles; 4 schedulers of 16 lanes.
  const auto is_near = [](double rate, double truth) { return std::abs(rate / truth - 1) < 0.01; };
  CHECK(is_near(table.at({1, 1}), 8));
  CHECK(is_near(table.at({2, 1}), 16));
  CHECK(is_near(table.at({8, 1}), 16));
  CHECK(is_near(table.at({1, 4}), 32));
  CHECK(is_near(table.at({2, 4}), 64));
  CHECK(is_near(table.at({1, 8}), 64));
  CHECK(is_near(table.at({8, 64}), 64));
}

TEST_CASE("units: the schedulers are their models'") {
  for (const char* name : {"t4", "v100", "p100", "p4", "m60", "k80", "gtx680"}) {
    CAPTURE(name);
    const sim::Model model = sim::load_model(name);
    const auto results = simtest::run_model(model, {"scheduler-map"}, Preset::quick, 1);
    CHECK(results.size() == 29);
    std::vector<const PointResult*> pointers;
    for (const PointResult& result : results) pointers.push_back(&result);
    const std::string sentence = std::to_string(model.schedulers) + " schedulers: subgroups share one if their numbers modulo " +
                                 std::to_string(model.schedulers) + " are equal";
    CHECK(scheduler_text("scheduler-map", pointers).find(sentence) != std::string::npos);
  }
}

TEST_CASE("units: the map of each chip is that of its model") {
  for (const char* name : {"t4", "v100", "p100"}) {
    CAPTURE(name);
    const sim::Model model = sim::load_model(name);
    const auto maps = read_chip_maps(simtest::run_model(model, {"l2-map"}, Preset::standard, 1));
    REQUIRE(maps.size() == 2);
    for (const ChipMap& map : maps) {
      REQUIRE_FALSE(map.unit_groups.empty());
      CHECK(map.unit_groups[0].groups.size() == model.units / model.chip->units_together);
      for (const auto& units : map.unit_groups[0].groups) {
        REQUIRE(units.size() == 2);
        CHECK(units[0] / 2 == units[1] / 2);
      }
      REQUIRE_FALSE(map.line_groups.empty());
      CHECK(map.line_groups[0].groups.size() == model.chip->slices);
      // Lines of a group are nearest to one slice of the model.
      std::set<std::uint32_t> slices;
      for (const auto& lines : map.line_groups[0].groups) {
        std::set<std::uint32_t> of_group;
        for (const std::uint32_t line : lines) {
          std::pair<double, std::uint32_t> nearest{1e300, 0};
          for (std::uint32_t slice = 0; slice < model.chip->slices; ++slice) {
            double sum = 0;
            for (std::uint32_t unit = 0; unit < map.units; ++unit)
              sum += std::abs(map.lines[line][unit] - sim::hit_cycles(model, unit, slice));
            nearest = std::min(nearest, {sum, slice});
          }
          of_group.insert(nearest.second);
        }
        CHECK(of_group.size() == 1);
        slices.merge(of_group);
      }
      CHECK(slices.size() == model.chip->slices);
    }
  }
}

TEST_CASE("units: each instruction cache has the owner of its model, and constants live in the right one") {
  using OwnerKind = InstructionCacheOwner::OwnerKind;
  const std::map<sim::CodeOwner, OwnerKind> parts{{sim::CodeOwner::scheduler, OwnerKind::subgroups},
                                                  {sim::CodeOwner::unit, OwnerKind::unit},
                                                  {sim::CodeOwner::neighbours, OwnerKind::neighbours},
                                                  {sim::CodeOwner::device, OwnerKind::device}};
  for (const bool far : {false, true}) {
    for (const char* name : {"t4", "v100", "p100"}) {
      CAPTURE(name);
      CAPTURE(far);
      sim::Model model = sim::load_model(name);
      auto& caches = model.instructions->caches;
      if (far) {
        // As no model that ships: constants beside code in other levels, larger groups of units.
        caches[0].owner = sim::CodeOwner::neighbours;
        caches[1].owner = sim::CodeOwner::device;
        std::swap(caches[0].constants, caches[1].constants);
        caches[0].constants.reset();
      }
      const auto found = read_instruction_sharing(simtest::run_model(model, {"instruction-sharing"}, Preset::standard, 1));
      REQUIRE(found.owners.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        CAPTURE(i);
        CHECK(found.owners[i].level == i + 1);
        CHECK(found.owners[i].part == parts.at(caches[i].owner));
        CHECK(found.owners[i].copies == (caches[i].owner == sim::CodeOwner::scheduler ? model.schedulers : 1));
        CHECK(found.owners[i].confidence > 0.5);
      }
      REQUIRE(found.constants.size() == 2);
      CHECK_FALSE(found.constants[0].shared);
      CHECK(found.constants[1].shared == caches[1].constants.has_value());
      if (!found.constants[1].shared) continue;
      CHECK(found.constants[1].level == 2);
      CHECK(found.constants[1].fitting_bytes <= caches[1].size_bytes);
      CHECK(found.constants[1].evicting_bytes > caches[1].size_bytes);
    }
  }
}

TEST_CASE("units: each further word of a constant load takes the time of its level's model") {
  for (const char* name : {"t4", "v100", "p100"}) {
    CAPTURE(name);
    const sim::Model model = sim::load_model(name);
    const auto& hops = model.path(MemoryPath::constant)->hops;
    const auto levels = read_constant_words(simtest::run_model(model, {"constant-words"}, Preset::standard, 1));
    // Constant memory ends at 64 KiB, as does the second level of some.
    REQUIRE(levels.size() == (name == std::string("t4") ? hops.size() : hops.size() - 1));
    for (std::size_t i = 0; i < levels.size(); ++i) {
      CAPTURE(i);
      CHECK(levels[i].most_words == 32);
      CHECK(levels[i].in_cycles);
      CHECK(levels[i].each_further == doctest::Approx(hops[i].word_cycles).epsilon(0.01));
      CHECK(levels[i].most - levels[i].one_word == doctest::Approx(31 * hops[i].word_cycles).epsilon(0.01));
      CHECK(levels[i].unevenness < 0.01);
    }
    CHECK(levels[0].one_word == doctest::Approx(hops[0].latency_cycles).epsilon(0.01));
    CHECK(levels[1].one_word == doctest::Approx(hops[1].latency_cycles).epsilon(0.02));
  }
}

TEST_CASE("units: a cache of constants larger than one buffer shows its end in several") {
  const sim::Model model = sim::load_model("v100");
  // A node in each line of the larger cache, so that no load behind it hits a line of another node.
  const Hierarchy hierarchy = find_hierarchy(
      simtest::run_model(model, {"latency"}, Preset::standard, 1, {{"path", "constant"}, {"max", "1M"}, {"stride", "256"}}));
  const auto& hops = model.path(MemoryPath::constant)->hops;
  REQUIRE(hierarchy.levels.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CAPTURE(i);
    const auto size = static_cast<double>(model.caches[hops[i].cache].size_bytes);
    CHECK(hierarchy.levels[i].size_bytes == doctest::Approx(size).epsilon(0.05));
    CHECK(hierarchy.levels[i].latency_cycles == doctest::Approx(hops[i].latency_cycles).epsilon(0.02));
  }
  REQUIRE(hierarchy.memory.size() == 1);
  CHECK(hierarchy.memory[0].latency_cycles == doctest::Approx(hops[2].latency_cycles).epsilon(0.02));
}

TEST_CASE("units: the caches of constants have the copies and the sharers of their model") {
  for (const std::uint32_t copies : {1u, 2u}) {
    for (const sim::Scope scope : {sim::Scope::unit, sim::Scope::device}) {
      CAPTURE(copies);
      sim::Model model = sim::load_model("t4");
      const auto& hops = model.path(MemoryPath::constant)->hops;
      model.caches[hops[0].cache].copies = copies;
      model.caches[hops[1].cache].scope = scope;
      const auto copied =
          find_hierarchy(simtest::run_model(model, {"private-caches"}, Preset::standard, 1, {{"path", "constant"}}));
      REQUIRE(copied.private_copies.size() == 1);
      CHECK(copied.private_copies[0].path == "constant");
      CHECK(copied.private_copies[0].per_unit == copies);
      const auto shared = read_sharing(simtest::run_model(model, {"sharing"}, Preset::standard, 1, {{"test", "constants"}}));
      CHECK(shared.paths.empty());
      REQUIRE(shared.units.size() == 2);
      CHECK(shared.units[0].path == "constant");
      CHECK_FALSE(shared.units[0].shared);
      CHECK(shared.units[1].shared == (scope == sim::Scope::device));
    }
  }
}

}  // namespace
}  // namespace percycle
