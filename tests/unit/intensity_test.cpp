#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "codegen/programs/timed_kernels.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "expected/intensity.hpp"
#include "experiments/experiment.hpp"
#include "experiments/trial.hpp"
#include "fake_device.hpp"
#include "sim_examples.hpp"
#include "unit/measured_model.hpp"

namespace percycle::intensity_test {
namespace {

/// 64, 16 and 4 B per cycle of a unit from L1, L2 and memory, and 128 multiply-adds.
sim::Model model() {
  sim::Model model = sim::examples::small();
  model.caches[0].bytes_per_cycle = 64;
  model.caches[1].size_bytes = kMiB;
  model.caches[1].bytes_per_cycle = 64;
  model.memory_bytes_per_cycle = 16;
  model.schedulers = 4;
  model.operation_results["fp32-fma"] = 128;
  return model;
}

Point point(const char* level, std::int64_t fmas) {
  Point made{"intensity", {{"level", level}, {"fmas", fmas}}};
  if (std::string(level) == "dram")
    made.parameters["footprint"] = std::int64_t{4 * kMiB};
  else
    made.parameters["groups_per_unit"] = std::int64_t{4};
  return made;
}

TEST_CASE("intensity: bandwidth decides at one end, the execution units at the other, the lower roof between") {
  const std::vector<std::pair<const char*, double>> levels{{"l1", 64}, {"l2", 16}, {"dram", 4}};
  for (const auto& each : levels) {
    const char* level = each.first;  // clang 14's lambdas capture no structured bindings
    const double bytes = each.second;
    for (const std::int64_t fmas : {1, 4, 16, 64, 512, 1024}) {
      CAPTURE(level);
      CAPTURE(fmas);
      const PointResult result = examples::measured(point(level, fmas), model());
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      const auto& statistics = result.measurement->statistics;
      // Four units at 1 GHz.
      const double rate = 4 * std::min(128.0, bytes * static_cast<double>(fmas) / 4);
      CHECK(statistics.at("gops_per_s").median == doctest::Approx(rate).epsilon(0.02));
      CHECK(statistics.at("gb_per_s").median == doctest::Approx(rate * 4 / static_cast<double>(fmas)).epsilon(0.02));
    }
  }
}

TEST_CASE("intensity: a pass that a watchdog would end is refused, and a smaller array takes its place") {
  sim::Model slow = model();
  slow.operation_results["fp32-fma"] = 0.125;  // 2^30 multiply-adds take 2.1 s
  const PointResult refused = examples::measured(point("dram", 1024), slow);
  CHECK(refused.outcome.status == Status::unsupported);
  CHECK_WORDS("intensity.long-pass", refused.outcome.reason);
  CHECK(examples::measured(point("dram", 256), slow).outcome.status == Status::ok);

  const Experiment& experiment = *find_experiment("intensity");
  DeviceInfo gpu = fake::gpu();
  gpu.memory_bytes = gpu.max_allocation_bytes = 16 * kGiB;
  gpu.max_groups = 1 << 30;
  const auto footprints = [&](std::map<std::string, std::string> set, std::size_t refusals) {
    set.merge(std::map<std::string, std::string>{{"level", "dram"}, {"fmas", "64"}});
    const Experiment* one = &experiment;
    const Options options = make_options(std::span(&one, 1), set, Preset::quick, 1).front();
    std::vector<PointResult> done;
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i <= refusals; ++i) {
      found.clear();
      const std::vector<Point> planned = experiment.plan(gpu, options, done);
      for (const Point& each : planned) found.push_back(integer(each.parameters, "footprint"));
      done.push_back({planned.back(), {Status::unsupported, fmt::format("{} 2.0 s", kLongDispatch)}, std::nullopt});
    }
    return found;
  };
  constexpr std::int64_t kMebi = 1 << 20;
  CHECK(footprints({}, 0) == std::vector{1024 * kMebi});
  CHECK(footprints({}, 2) == std::vector{1024 * kMebi, 256 * kMebi, 64 * kMebi});
  CHECK(footprints({}, 9).back() == 16 * kMebi);
  CHECK(footprints({{"footprint", "256M"}}, 2) == std::vector{256 * kMebi});
}

TEST_CASE("intensity: closed forms are those of the steps that a lane takes") {
  const IntensityShape shape{.tile_lanes = 4, .unroll = 2, .fmas = 8};
  const TileElement element = [&](std::uint32_t index) { return intensity_element(shape, 11, index); };
  std::uint32_t tile_sum = 0;
  for (std::uint32_t lane = 0; lane < shape.tile_lanes; ++lane) {
    const auto sums = intensity_sums(shape, element, lane);
    for (std::uint32_t channel = 0; channel < 4; ++channel) {
      float sum = 0;
      for (std::uint32_t row = 0; row < 2; ++row) {
        for (int i = 0; i < 8; ++i) sum += static_cast<float>(element(4 * (4 * row + lane) + channel));
      }
      CHECK(static_cast<float>(sums[channel]) == sum);
      tile_sum += (2 * channel + 1) * sums[channel];
    }
    for (const std::uint32_t turns : {0u, 1u, 2u, 7u, 100u}) {
      std::uint32_t expected = 0;
      for (std::uint32_t channel = 0; channel < 4; ++channel) {
        std::uint32_t end = 0;
        for (std::uint32_t turn = 0; turn < turns; ++turn)
          end = 5 * end + std::bit_cast<std::uint32_t>(static_cast<float>(sums[channel]));
        expected += (2 * channel + 1) * end;
      }
      CHECK(intensity_end(sums, turns) == expected);
    }
  }
  CHECK(intensity_tile_sum(shape, element) == tile_sum);
}

TEST_CASE("intensity: no sum of any shape is above 2^24, where whole numbers are exact") {
  for (const std::uint32_t rows : {1u, 2u, 4u, 8u}) {
    for (std::uint32_t fmas = 1; fmas <= 1024; fmas *= 2) {
      const IntensityShape shape{.tile_lanes = 32, .unroll = rows, .fmas = fmas};
      CAPTURE(rows);
      CAPTURE(fmas);
      CHECK(std::uint64_t{rows} * fmas * 2 * shape.addend_mask() < 1u << 24u);
      CHECK(std::has_single_bit(shape.addend_mask() + 1));
      CHECK(shape.addend_mask() >= 0x1ff);
    }
  }
}

TEST_CASE("intensity: a search tries twice the rows and, in the L2, larger groups for few multiply-adds") {
  const Experiment& experiment = *find_experiment("intensity");
  using Numbers = std::vector<std::int64_t>;
  const auto searched = [&](const char* fmas, const char* level, const char* parameter) {
    const Options options =
        make_options(std::vector{&experiment}, {{"fmas", fmas}, {"level", level}}, Preset::standard, 1).front();
    Numbers all;
    for (const Point& each : experiment.plan(fake::gpu(), options, {})) all.push_back(integer_or(each.parameters, parameter, 0));
    return all;
  };
  CHECK(searched("4", "l2", "rows") == Numbers{4, 8, 4, 8, 4, 8, 4, 8, 4, 8});
  CHECK(searched("4", "l2", "group_size") == Numbers{256, 256, 256, 256, 256, 256, 1024, 1024, 1024, 1024});
  CHECK(searched("4", "l1", "group_size") == Numbers(6, 256));
  CHECK(searched("8", "l2", "rows") == Numbers{4, 8, 4, 8, 4, 8});
  CHECK(searched("8", "l2", "group_size") == Numbers(6, 256));
  CHECK(searched("16", "l1", "rows") == Numbers{4, 8, 4, 8, 4, 8});
  CHECK(searched("32", "l2", "rows") == Numbers{0, 0, 0});
  const Options quick = make_options(std::vector{&experiment}, {{"fmas", "4"}, {"level", "l2"}}, Preset::quick, 1).front();
  const auto points = experiment.plan(fake::gpu(), quick, {});
  REQUIRE(points.size() == 1);
  CHECK_FALSE(points[0].parameters.contains("rows"));
}

TEST_CASE("intensity: the factor does not follow the advance, which NVIDIA's compiler would load with it") {
  const DeviceInfo gpu = fake::gpu();
  const Point point{"intensity", {{"level", "l1"}, {"fmas", std::int64_t{4}}, {"groups_per_unit", std::int64_t{4}}}};
  const auto kernels = timed_kernels(gpu, {point}, 1);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels.front().desc.parameters.front().name == "factor");
}

TEST_CASE("intensity: the sweep goes from one multiply-add to 1024") {
  const Experiment& experiment = *find_experiment("intensity");
  const DeviceInfo gpu = fake::gpu();
  Options options = make_options(std::vector{&experiment}, {}, Preset::standard, 1).front();
  std::vector<std::int64_t> of_dram;
  for (const Point& each : experiment.plan(gpu, options, {})) {
    CHECK_FALSE(experiment.unsupported(gpu, each));
    if (word(each.parameters, "level") == "dram") of_dram.push_back(integer(each.parameters, "fmas"));
  }
  CHECK(of_dram == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024});
  options = make_options(std::vector{&experiment}, {{"fmas", "3"}}, Preset::quick, 1).front();
  CHECK_THROWS_WORDS("intensity.powers-of-two", UsageError, experiment.plan(gpu, options, {}));
}

}  // namespace
}  // namespace percycle::intensity_test
