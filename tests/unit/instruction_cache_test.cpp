#include "analysis/instruction_caches.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>

#include "codegen/assembly/sass.hpp"
#include "core/units.hpp"
#include "expected/block_program.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "sim_examples.hpp"
#include "vocabulary/instruction_cache.hpp"

namespace percycle {
namespace {

sim::Model with_caches(std::uint64_t first, std::uint64_t second) {
  sim::Model model = sim::examples::small();
  model.unit_clock = sim::UnitClock{};
  model.noise.gaussian = 0.001;
  model.instructions = sim::Instructions{.bytes = 16, .caches = {{first, 2}, {second, 4}}, .memory_cycles = 9};
  return model;
}

TEST_CASE("instruction caches: sizes within 5 % and cycles within 2 %, for every scope") {
  for (const auto& [first, second] : {std::pair{16 * kKiB, 46 * kKiB}, {12 * kKiB, 128 * kKiB}, {32 * kKiB, 192 * kKiB}}) {
    CAPTURE(first);
    const auto found = read_instruction_caches(sim::measured_plan(with_caches(first, second), experiment::kInstructionCache));
    REQUIRE(found.levels.size() == 6);
    for (std::size_t i = 0; i < found.levels.size(); ++i) {
      const auto& level = found.levels[i];
      const bool is_first = i % 2 == 0;
      CHECK(static_cast<double>(level.size_bytes) == doctest::Approx(is_first ? first : second).epsilon(0.05));
      CHECK(level.cycles_per_instruction == doctest::Approx(is_first ? 2 : 4).epsilon(0.02));
      CHECK(level.beyond == doctest::Approx(is_first ? 4 : 9).epsilon(0.02));
    }
  }
}

TEST_CASE("instruction caches: without the length of the machine code there is no size") {
  auto results = sim::measured_plan(with_caches(16 * kKiB, 46 * kKiB), experiment::kInstructionCache, {}, Preset::quick);
  for (PointResult& result : results) result.measurement->observed.erase(kObservedCodeBytes);
  const auto found = read_instruction_caches(results);
  CHECK(found.levels.empty());
  CHECK(found.evidence == std::vector<std::string>{"the machine code of some points was not read: they give no size"});
  // That of the driver counts as well.
  for (PointResult& result : results) result.measurement->codegen = Codegen{.code_bytes = 64 * 66 * 16};
  CHECK_FALSE(read_instruction_caches(results).levels.empty());
}

TEST_CASE("instruction caches: a block of the program adds what the host expects, by constants that differ") {
  const BlockProgram program{.block = 64, .blocks = 3};
  std::istringstream words(program.text());
  std::map<std::string, double> sums;
  std::set<std::string> constants;
  std::size_t additions = 0;
  for (std::string name, sign, value; words >> name;) {
    if (name == "if") {
      std::getline(words, value, ';');
      continue;
    }
    words >> sign >> value;
    sums[name] += (sign == "+=" ? 1 : -1) * std::stod(value);
    constants.insert(sign + value);
    ++additions;
  }
  CHECK(additions == 3 * 64);
  CHECK(constants.size() == additions);
  CHECK(sums.size() == BlockProgram::kNumbers);
  for (const auto& [name, sum] : sums) CHECK(sum == 3 * program.growth_per_block());
}

TEST_CASE("instruction caches: where machine code is not read the point says so") {
  const Experiment& experiment = *find_experiment(experiment::kInstructionCache);
  const Experiment* const chosen[] = {&experiment};
  const auto points = experiment.plan(fake::gpu(), make_options(chosen, {}, Preset::standard, 1).front(), {});
  REQUIRE(points.size() == 1);
  CHECK(experiment.unsupported(fake::gpu(), points[0]) ==
        "the length of this device's machine code is not read, so no size would follow");
}

TEST_CASE("SASS: the length of a kernel's code is that of its addresses") {
  CHECK(isa::parse_sass("/*0000*/ NOP ;\n/*0010*/ FADD R1, R1, 3 ;\n/*0020*/ EXIT ;\n", "k").code_bytes == 0x30);
  CHECK_FALSE(isa::parse_sass("NOP ;\nEXIT ;\n", "k").code_bytes);
}

}  // namespace
}  // namespace percycle
