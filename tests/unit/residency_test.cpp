#include "analysis/residency.hpp"

#include <doctest/doctest.h>

#include "check_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "expected/residency.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "sim_examples.hpp"
#include "vocabulary/residency.hpp"

namespace percycle::residency_test {
namespace {

sim::Model with(const sim::UnitCapacity& unit) {
  sim::Model model = sim::examples::small();
  model.units = 2;
  model.unit_clock = sim::UnitClock{};
  model.residency = unit;
  return model;
}

/// The capacities of an H100, seen through CUDA and OpenCL, of a T4, and of an invented unit.
const sim::UnitCapacity kLarge{64, 32, 65536, 8, 228 * kKiB, 128, 1024};
const sim::UnitCapacity kOpencl{64, 32, 65536, 8, 228 * kKiB, 128, 1152};
const sim::UnitCapacity kSmall{32, 16, 65536, 8, 64 * kKiB, 256, 0};
const sim::UnitCapacity kOdd{48, 24, 40960, 4, 100 * kKiB, 512, 0};

TEST_CASE("residency: every capacity of a unit is found exactly") {
  for (const sim::UnitCapacity& unit : {kOpencl, kSmall, kOdd}) {
    CAPTURE(unit.local_bytes);
    const auto results = sim::measured_plan(with(unit), experiment::kResidency);
    CHECK(results.size() < 60);
    const Residency found = read_residency(results);
    CHECK(found.groups == unit.groups);
    CHECK(found.subgroups == unit.subgroups);
    CHECK(found.invocations == std::uint64_t{unit.subgroups} * 32);
    CHECK(found.registers == unit.registers);
    CHECK(found.register_step == unit.register_step);
    CHECK(found.local_bytes == unit.local_bytes);
    CHECK(found.local_step == unit.local_step);
    CHECK(found.local_overhead == unit.local_overhead);
    CHECK(found.evidence.size() == 3);
  }
}

TEST_CASE("residency: the quick preset states only sizes that its few counts decide") {
  const Residency found = read_residency(sim::measured_plan(with(kLarge), experiment::kResidency, {}, Preset::quick));
  CHECK(found.groups == 32);
  CHECK(found.subgroups == 64);
  CHECK_FALSE(found.local_overhead);
  CHECK(found.evidence.size() == 3);
}

TEST_CASE("residency: counts that no size explains give none") {
  auto results = sim::measured_plan(with(kLarge), experiment::kResidency, {{parameter::kResource, "local-memory"}});
  for (PointResult& result : results) {
    if (integer_or(result.point.parameters, parameter::kLocalBytes, 0) < 16384) continue;
    Summary& most = result.measurement->statistics.at(figures::kMostAtOnce);
    most.median += 3;
    most.max = most.median;
  }
  const Residency found = read_residency(results);
  CHECK_FALSE(found.local_bytes);
  REQUIRE(found.evidence.size() == 1);
  CHECK(found.evidence[0].starts_with("no local memory explains all"));
  CHECK(read_residency({}).empty());
}

TEST_CASE("residency: the most registers of an invocation are those of the last kernel without spills") {
  auto results = sim::measured_plan(with(kLarge), experiment::kResidency);
  PointResult more = *std::ranges::find_if(
      results, [](const PointResult& result) { return integer_or(result.point.parameters, parameter::kValues, 0) == 224; });
  const auto with_values = [&](std::int64_t values, std::uint64_t registers, std::uint64_t spills) {
    more.point.parameters[parameter::kValues] = values;
    more.measurement->observed.clear();
    more.measurement->codegen.emplace();
    more.measurement->codegen->registers = registers;
    more.measurement->codegen->spills = spills;
    return more;
  };
  CHECK_FALSE(read_residency(results).most_registers);
  results.push_back(with_values(240, 253, 0));
  results.push_back(with_values(244, 255, 24));
  results.push_back(with_values(248, 255, 40));
  const Residency found = read_residency(results);
  CHECK(found.most_registers == 253);
  CHECK(found.registers == 65536);  // the kernels that spill do not count
  CHECK(found.evidence.back() == "an invocation keeps 240 words in 253 registers; of 244 words some lie in memory");
}

TEST_CASE("residency: unsupported without unit numbers, clocks or known units, with the reason") {
  const Experiment& experiment = *find_experiment(experiment::kResidency);
  const Experiment* const chosen[] = {&experiment};
  const Options options = make_options(chosen, {}, Preset::standard, 1).front();
  DeviceInfo info = fake::gpu();
  const auto reasons = [&] {
    std::vector<std::string> all;
    for (const Point& point : experiment.plan(info, options, {})) all.push_back(experiment.unsupported(info, point).value_or(""));
    return all;
  };
  CHECK(reasons() == std::vector<std::string>(3, "a kernel cannot read which unit runs it"));
  info.unit_id = "test";
  CHECK(reasons() == std::vector<std::string>(3, "a kernel cannot read its unit's clock"));
  info.unit_clock = KernelClock{};
  CHECK(reasons().size() > 30);
  info.units.reset();
  CHECK(reasons() == std::vector<std::string>(3, "the number of units is unknown"));
}

TEST_CASE("residency: the sum of a ring of values is that of each invocation's own turns") {
  const ValueRing ring{.starts = {3, 1000, 77}, .factor = 0x2c9277b5};
  for (const std::uint32_t lane : {0u, 1u, 31u}) {
    std::uint32_t a = 3 + lane;
    std::uint32_t b = 1000 + lane;
    std::uint32_t c = 77 + lane;
    for (int turn = 0; turn < 5; ++turn) {
      a = a * ring.factor + b;
      b = b * ring.factor + c;
      c = c * ring.factor + a;
    }
    CHECK(ring.sum(5).of_invocation(lane) == a + b + c);
  }
}

}  // namespace
}  // namespace percycle::residency_test
