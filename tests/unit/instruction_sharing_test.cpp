#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/instruction_owners.hpp"
#include "check_words.hpp"
#include "core/units.hpp"
#include "expected/block_program.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "point_examples.hpp"
#include "sim/instructions.hpp"
#include "sim_examples.hpp"
#include "vocabulary/instruction_sharing.hpp"

namespace percycle::instruction_sharing_test {
namespace {

constexpr double kInner = 1.1;  // cycles of an instruction within 32 KiB
constexpr double kOuter = 2.2;  // within 128 KiB
constexpr double kBeyond = 5.8;

/// Points of instruction-cache with levels of 32 and 128 KiB.
std::vector<PointResult> sizes() {
  std::vector<PointResult> results;
  for (const std::int64_t block : {64, 256}) {
    for (std::int64_t blocks = 1; blocks <= kProgramBlocks; ++blocks) {
      const std::int64_t bytes = block * blocks * 16;
      const double cycles = bytes <= 32768 ? kInner : bytes <= 131072 ? kOuter : kBeyond;
      results.push_back(examples::measured(
          experiment::kInstructionCache,
          {{parameter::kScope, instruction_scope::kSubgroup}, {parameter::kBlockLength, block}, {parameter::kRunBlocks, blocks}},
          cycles));
      Measurement& measurement = *results.back().measurement;
      measurement.statistics["net_cycles_per_op"] = {cycles, 0.001, cycles, cycles, 5};
      measurement.observed[kObservedCodeBytes] = std::to_string(block * kProgramBlocks * 16);
    }
  }
  return results;
}

PointResult beside_aggressor(const char* place, std::int64_t aggressor, double cycles, std::int64_t level = 1) {
  return examples::measured(experiment::kInstructionSharing,
                            {{parameter::kVictim, code_victim::kCode},
                             {parameter::kBeside, place},
                             {parameter::kLevel, level},
                             {parameter::kAggressor, aggressor}},
                            cycles);
}

/// The reading of level 1, where these aggressors evict.
InstructionSharingReading read_evicting(const std::vector<std::int64_t>& subgroups, const std::vector<std::int64_t>& units,
                                        std::int64_t all = 8) {
  const auto cycles = [](const std::vector<std::int64_t>& evicting, std::int64_t number) {
    return std::find(evicting.begin(), evicting.end(), number) == evicting.end() ? kInner : kOuter;
  };
  auto results = sizes();
  results.push_back(beside_aggressor(code_aggressor::kNothing, 0, kInner));
  for (std::int64_t number = 0; number < all; ++number)
    results.push_back(beside_aggressor(code_aggressor::kSubgroup, number, cycles(subgroups, number)));
  for (const std::int64_t number : {1, 66})
    results.push_back(beside_aggressor(code_aggressor::kUnit, number, cycles(units, number)));
  return read_instruction_sharing(results);
}

TEST_CASE("instruction sharing: the aggressors that evict identify the owner") {
  using OwnerKind = InstructionCacheOwner::OwnerKind;
  const auto owner_of = [](const std::vector<std::int64_t>& subgroups, const std::vector<std::int64_t>& units) {
    const auto found = read_evicting(subgroups, units);
    REQUIRE(found.owners.size() == 1);
    CHECK(found.owners[0].level == 1);
    CHECK(static_cast<double>(found.owners[0].size_bytes) == doctest::Approx(32768).epsilon(0.05));
    return found.owners[0];
  };
  const auto schedulers = owner_of({0, 4}, {});
  CHECK(schedulers.part == OwnerKind::subgroups);
  CHECK(schedulers.copies == 4);
  CHECK_WORDS("instruction-sharing.some-subgroups", schedulers.owner_words());
  CHECK(schedulers.evidence.size() == 2);
  const std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(owner_of({0, 2, 4, 6}, {}).copies == 2);
  CHECK(owner_of({0}, {}).copies == 8);
  CHECK(read_evicting({0, 4}, {}, 6).owners.at(0).copies == 4);
  CHECK(owner_of({0, 3, 5, 6}, {}).copies == 2);  // at no fixed distance
  CHECK(owner_of(all, {}).part == OwnerKind::unit);
  CHECK(owner_of(all, {}).copies == 1);
  CHECK(owner_of(all, {1}).part == OwnerKind::neighbours);
  CHECK(owner_of(all, {1, 66}).part == OwnerKind::device);
}

TEST_CASE("instruction sharing: a level has no owner if code of the victim's subgroup does not evict it") {
  const auto found = read_evicting({}, {});
  CHECK(found.owners.empty());
  CHECK_WORDS("instruction-sharing.own-subgroup", found.evidence);
  CHECK(read_instruction_sharing({}).owners.empty());
}

TEST_CASE("instruction sharing: constants that become slower beside long code live in its cache") {
  const auto read = [](double beside_code) {
    auto results = sizes();
    const auto curve = examples::sweep("constant", {2048, 65536 * 1024.0}, {34, 100, 100});
    results.insert(results.end(), curve.begin(), curve.end());
    for (const std::int64_t level : {1, 2}) {
      for (const std::int64_t blocks : {0, 8, 16, 24, 32}) {
        const double slower = level == 2 && blocks > 16 ? beside_code : 100;
        results.push_back(examples::measured(experiment::kInstructionSharing,
                                             {{parameter::kVictim, code_victim::kConstants},
                                              {parameter::kBeside, code_aggressor::kSubgroup},
                                              {parameter::kLevel, level},
                                              {parameter::kInnerBytes, 1408},
                                              {parameter::kOuterBytes, 62 * 1024},
                                              {parameter::kBlockLength, 256},
                                              {parameter::kAggressorBlocks, blocks}},
                                             level == 1 ? 34 : slower));
      }
    }
    return read_instruction_sharing(results).constants;
  };
  const auto found = read(250);
  REQUIRE(found.size() == 2);
  CHECK(found[0].constant_bytes == 1408);
  CHECK_FALSE(found[0].shared);
  CHECK_FALSE(found[0].level);
  CHECK(found[1].shared);
  CHECK(found[1].level == 2);
  CHECK(found[1].fitting_bytes == (62 + 64) * kKiB);
  CHECK(found[1].evicting_bytes == (62 + 96) * kKiB);
  CHECK(found[1].most_cycles == doctest::Approx(250));
  CHECK_FALSE(read(110)[1].shared);
}

TEST_CASE("instruction sharing: the code of all that share a cache must fit it together") {
  sim::Model model = sim::examples::small();
  model.schedulers = 4;
  model.instructions = sim::InstructionMemory{.bytes = 16, .caches = {{1024, 2}, {4096, 4}}, .memory_cycles = 9};
  auto& first = model.instructions->caches[0];
  const auto cycles = [&](sim::Actor actor) {
    return sim::cycles_per_instruction(model, {.bytes = 700, .actor = {}, .other_bytes = 700, .other = actor});
  };
  first.owner = sim::CodeOwner::scheduler;
  CHECK(cycles({0, 4}) == 4);
  CHECK(cycles({0, 3}) == 2);
  CHECK(cycles({1, 4}) == 2);
  first.owner = sim::CodeOwner::unit;
  CHECK(cycles({0, 3}) == 4);
  CHECK(cycles({1, 0}) == 2);
  first.owner = sim::CodeOwner::neighbours;
  CHECK(cycles({1, 0}) == 4);
  CHECK(cycles({2, 0}) == 2);
  first.owner = sim::CodeOwner::device;
  CHECK(cycles({2, 0}) == 4);
}

TEST_CASE("instruction sharing: the programs of both sides have no constant in common") {
  const BlockProgram first{.block = 16, .blocks = 4, .limit = "victim_blocks"};
  const BlockProgram second{.block = 16, .blocks = 4, .limit = "aggressor_blocks", .blocks_before = 4};
  CHECK(first.text().find("if (p.victim_blocks == 3u) continue; ") != std::string::npos);
  CHECK(second.text().starts_with("if (p.aggressor_blocks == 0u) continue; "));
  const BlockProgram both{.block = 16, .blocks = 8};
  const auto additions = [](std::string text) {
    while (text.find("if") != std::string::npos) text.erase(text.find("if"), text.find("continue; ") + 10 - text.find("if"));
    return text;
  };
  CHECK(additions(first.text()) + additions(second.text()) == additions(both.text()));
}

TEST_CASE("instruction sharing: devices without readable machine code or units say so") {
  const Experiment& experiment = *find_experiment(experiment::kInstructionSharing);
  const Experiment* const chosen[] = {&experiment};
  const auto points = experiment.plan(fake::gpu(), make_options(chosen, {}, Preset::standard, 1).front(), {});
  REQUIRE(points.size() == 1);
  CHECK_WORDS("instruction-cache.no-code-length", experiment.unsupported(fake::gpu(), points[0]));
  DeviceInfo nvidia = fake::gpu();
  nvidia.vendor = "NVIDIA";
  CHECK_WORDS("device.no-unit-clock", experiment.unsupported(nvidia, points[0]));
  nvidia.unit_clock = KernelClock{.name = "clock", .tick_ns = {}};
  CHECK_FALSE(experiment.unsupported(nvidia, points[0]));
  CHECK_WORDS("device.no-unit-number", experiment.unsupported(nvidia, beside_aggressor(code_aggressor::kUnit, 1, 1).point));
  Point large = points[0];
  large.parameters[parameter::kVictimBlocks] = 33;
  CHECK_WORDS("instruction-sharing.small-program", experiment.unsupported(nvidia, large));
}

}  // namespace
}  // namespace percycle::instruction_sharing_test
