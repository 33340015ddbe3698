#include "analysis/instruction_caches.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <vector>

#include "analysis/code_stairs.hpp"
#include "check_words.hpp"
#include "codegen/assembly/sass.hpp"
#include "core/units.hpp"
#include "expected/block_program.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "sim_examples.hpp"
#include "vocabulary/instruction_cache.hpp"

namespace percycle::instruction_cache_test {
namespace {

sim::Model with_caches(std::uint64_t first, std::uint64_t second) {
  sim::Model model = sim::examples::small();
  model.unit_clock = sim::UnitClock{};
  model.noise.gaussian = 0.001;
  model.instructions = sim::InstructionMemory{.bytes = 16, .caches = {{first, 2}, {second, 4}}, .memory_cycles = 9};
  return model;
}

TEST_CASE("instruction caches: sizes within 5 % and cycles within 2 %, for every scope") {
  for (const auto& sizes : {std::pair{16 * kKiB, 46 * kKiB}, {12 * kKiB, 128 * kKiB}, {32 * kKiB, 192 * kKiB}}) {
    const auto first = sizes.first;
    const auto second = sizes.second;
    CAPTURE(first);
    const auto found = read_instruction_caches(sim::measured_plan(with_caches(first, second), experiment::kInstructionCache));
    REQUIRE(found.levels.size() == 6);
    for (std::size_t i = 0; i < found.levels.size(); ++i) {
      const auto& level = found.levels[i];
      const bool is_first = i % 2 == 0;
      CHECK(static_cast<double>(level.size_bytes) ==
            doctest::Approx(static_cast<double>(is_first ? first : second)).epsilon(0.05));
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
  CHECK_WORDS("instruction-cache.unread-code", found.evidence);
  // The driver's length counts too.
  for (PointResult& result : results) result.measurement->codegen.emplace().code_bytes = 64 * 66 * 16;
  CHECK_FALSE(read_instruction_caches(results).levels.empty());
}

/// Code in a cache of 32 KiB with 4 ways and one of 128 KiB with 8. Sets overflow one by one.
std::vector<CurveSample> ramps() {
  const auto missing = [](double bytes, double size, double ways) {
    return std::clamp((ways + 1) * (bytes - size) / bytes, 0.0, 1.0);
  };
  std::vector<CurveSample> samples;
  for (double bytes = 4096; bytes < 300000; bytes *= 1.08) {
    const double value = 1.1 + missing(bytes, 32768, 4) + 3.5 * missing(bytes, 131072, 8);
    samples.push_back({bytes, value + 0.002 * static_cast<double>(samples.size() % 3), 0.001});
  }
  return samples;
}

TEST_CASE("code stairs: a step begins where the sets of a cache begin to overflow") {
  const auto stairs = fit_code_stairs(ramps());
  REQUIRE(stairs);
  REQUIRE(stairs->steps.size() == 2);
  CHECK(stairs->steps[0].bytes == doctest::Approx(32768).epsilon(0.02));
  CHECK(stairs->steps[0].ways == 4);
  CHECK(stairs->steps[1].bytes == doctest::Approx(131072).epsilon(0.02));
  CHECK(stairs->steps[1].ways == 8);
  CHECK(stairs->treads[0] == doctest::Approx(1.1).epsilon(0.01));
  CHECK(stairs->treads[1] == doctest::Approx(2.1).epsilon(0.01));
  CHECK(stairs->treads[2] == doctest::Approx(5.6).epsilon(0.01));
}

TEST_CASE("code stairs: neither single outliers nor a small rise before a step are steps") {
  auto samples = ramps();
  for (std::size_t i = 5; i < samples.size(); i += 11) samples[i].value *= 0.8;
  for (CurveSample& sample : samples) {
    if (sample.bytes > 28000 && sample.bytes <= 32768) sample.value += 0.1;
  }
  const auto stairs = fit_code_stairs(samples);
  REQUIRE(stairs);
  REQUIRE(stairs->steps.size() == 2);
  CHECK(stairs->steps[0].bytes == doctest::Approx(32768).epsilon(0.04));
  CHECK(stairs->steps[1].bytes == doctest::Approx(131072).epsilon(0.04));
}

TEST_CASE("code stairs: a curve without a rise has one tread, too few samples have no result") {
  auto samples = ramps();
  for (CurveSample& sample : samples) sample.value = 2 + 0.01 * static_cast<double>(&sample - samples.data()) / 100;
  const auto stairs = fit_code_stairs(samples);
  REQUIRE(stairs);
  CHECK(stairs->steps.empty());
  CHECK(stairs->treads.size() == 1);
  CHECK_FALSE(fit_code_stairs(std::span(samples).first(2)));
}

TEST_CASE("instruction caches: a block adds the sum that the host expects, by constants that differ") {
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
  CHECK_WORDS("instruction-cache.no-code-length", experiment.unsupported(fake::gpu(), points[0]));
}

TEST_CASE("SASS: the length of code is from the first to the last of its most frequent instruction") {
  CHECK(isa::parse_sass(
            "/*0000*/ NOP ;\n/*0010*/ FADD R1, R1, 3 ;\n/*0020*/ MOV R1, R2 ;\n/*0030*/ FADD R1, R1, 5 ;\n/*0040*/ EXIT ;\n", "k")
            .code_bytes == 0x30);
  CHECK_FALSE(isa::parse_sass("NOP ;\nEXIT ;\n", "k").code_bytes);
}

}  // namespace
}  // namespace percycle::instruction_cache_test
