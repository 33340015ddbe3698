#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "sim_examples.hpp"
#include "unit/measured_model.hpp"

namespace percycle::texture_latency_test {
namespace {

const Experiment& experiment() { return *find_experiment("texture-latency"); }

std::vector<Point> planned(const std::map<std::string, std::string>& set, Preset preset, const DeviceInfo& device = fake::gpu()) {
  return experiment().plan(device, make_options(std::vector{&experiment()}, set, preset, 1).front(), {});
}

std::int64_t value(const Point& point, const char* name) { return integer(point.parameters, name); }

TEST_CASE("texture latency: each texture has the bytes of its footprint and is about square") {
  for (const Preset preset : {Preset::quick, Preset::standard, Preset::full}) {
    const auto points = planned({}, preset);
    CHECK(value(points.front(), "footprint") == 4 * 1024);
    CHECK(value(points.back(), "footprint") == (preset == Preset::quick ? 256 << 20 : 1 << 30));
    std::int64_t before = 0;
    for (const Point& point : points) {
      CAPTURE(to_string(point));
      const std::int64_t width = value(point, "width");
      const std::int64_t height = value(point, "height");
      CHECK(width * height * 8 == value(point, "footprint"));
      CHECK(width % 4 == 0);
      CHECK(height % 4 == 0);
      CHECK(height <= 2 * width);
      CHECK(width <= 2 * height);
      CHECK(value(point, "footprint") > before);
      before = value(point, "footprint");
      CHECK_FALSE(experiment().unsupported(fake::gpu(), point));
    }
  }
  CHECK(planned({}, Preset::quick).size() == 17);
  CHECK(planned({}, Preset::standard).size() == 72);
  CHECK(planned({{"min", "256"}, {"max", "256"}}, Preset::quick).size() == 1);
}

TEST_CASE("texture latency: textures end with the largest image, buffer or a quarter of the memory") {
  const auto largest = [](const DeviceInfo& device) {
    return value(planned({{"max", "2G"}}, Preset::quick, device).back(), "footprint");
  };
  DeviceInfo device = fake::gpu();
  CHECK(largest(device) == std::int64_t{2} << 30);
  device.max_image_side = 4096;
  CHECK(largest(device) == 128 << 20);
  device.memory_bytes = 256 << 20;
  CHECK(largest(device) == 64 << 20);
  device.max_allocation_bytes = 32 << 20;
  CHECK(largest(device) == 32 << 20);
  device.max_storage_bytes = 16 << 20;
  CHECK(largest(device) == 16 << 20);
}

TEST_CASE(
    "texture latency: one point says that there are no images, or none so wide; a largest size below the smallest is refused") {
  DeviceInfo device = fake::gpu();
  const Point wide = planned({{"min", "1M"}, {"max", "1M"}}, Preset::quick).front();
  device.max_image_side = 511;
  CHECK_WORDS("texture-latency.long-row", experiment().unsupported(device, wide));
  device.max_image_side = 512;
  CHECK_FALSE(experiment().unsupported(device, wide));
  device.max_image_side.reset();
  CHECK_WORDS("device.no-images", experiment().unsupported(device, wide));
  CHECK(planned({}, Preset::standard, device).size() == 1);
  std::string refused;
  try {
    planned({{"max", "2K"}}, Preset::quick);
  } catch (const UsageError& error) {
    refused = error.what();
  }
  CHECK_WORDS("texture-latency.max", refused);
}

TEST_CASE("texture latency: a simulated texture shows the levels of its path, by their latencies and sizes") {
  sim::Model model = sim::examples::small();
  model.paths.push_back({.path = MemoryPath::texture,
                         .hops = {sim::examples::hop(0, 90), sim::examples::hop(1, 260)},
                         .memory_latency_cycles = 660});
  const auto results = sim::measured_plan(model, "texture-latency", {{"min", "1K"}, {"max", "1M"}});
  REQUIRE(results.size() > 30);
  for (const PointResult& result : results) {
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const auto bytes = static_cast<std::uint64_t>(value(result.point, "footprint"));
    const double cycles = result.measurement->statistics.at(figures::kCyclesPerOp).median;
    CAPTURE(bytes);
    if (bytes <= 4 * kKiB) CHECK(cycles == doctest::Approx(90).epsilon(0.001));
    if (bytes >= 16 * kKiB && bytes <= 64 * kKiB) CHECK(cycles == doctest::Approx(260).epsilon(0.001));
    if (bytes >= 256 * kKiB) CHECK(cycles == doctest::Approx(660).epsilon(0.001));
  }
}

TEST_CASE("texture latency: an end at another texel is invalid") {
  sim::Model model = sim::examples::small();
  model.paths.push_back(model.paths.front());
  model.paths.back().path = MemoryPath::texture;
  const Point point = planned({{"min", "4K"}, {"max", "4K"}}, Preset::quick).front();
  const auto device = open_sim(model, "test");
  Trial trial = experiment().prepare(*device, point, 7);
  trial.timed.dispatch.parameters.at("loops") = 3;
  device->run(trial.timed.dispatch);
  const Outcome outcome = trial.timed.verify(*device, 4);
  CHECK(outcome.status == Status::invalid);
  CHECK_WORDS("texture-latency.wrong-end", outcome.reason);
}

}  // namespace
}  // namespace percycle::texture_latency_test
