// Independent atomics on every device of both APIs: all of them happen once, and results that do
// not depend on the lanes' order equal the host's.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "two_samples.hpp"

namespace percycle::atomic_throughput_test {
namespace {

const Experiment& experiment() { return *find_experiment("atomic-throughput"); }

/// Every scenario, operation, memory and form, with sharers that divide the group and that do not,
/// on a few groups.
std::vector<Point> throughput_points() {
  struct Shape {
    const char* scenario;
    const char* memory;
    std::int64_t groups, sharers, group_size;
  };
  constexpr Shape kShapes[] = {
      {"words", "global", 1, 1, 64},      {"words", "global", 1, 5, 64},     {"words", "global", 1, 256, 256},
      {"lines", "global", 1, 32, 256},    {"one-word", "global", 5, 0, 64},  {"word-per-group", "global", 5, 64, 64},
      {"own-words", "global", 3, 1, 256}, {"own-lines", "global", 3, 1, 64}, {"words", "local", 3, 1, 64},
      {"words", "local", 3, 7, 256},      {"words", "local", 1, 256, 256}};
  std::vector<Point> points;
  for (const char* operation : {"add", "min", "exchange", "compare-exchange", "and-or"}) {
    for (const char* form : {"return", "no-return"}) {
      for (const auto& shape : kShapes) {
        points.push_back({"atomic-throughput",
                          {{"scenario", shape.scenario},
                           {"operation", operation},
                           {"memory", shape.memory},
                           {"form", form},
                           {"groups", shape.groups},
                           {"sharers", shape.sharers},
                           {"group_size", shape.group_size}}});
      }
    }
  }
  return points;
}

bool too_many_bits(const Point& point) {
  return word(point.parameters, "operation") == "and-or" &&
         (word(point.parameters, "scenario") == "one-word" || integer(point.parameters, "sharers") > 32);
}

/// Words with a single lane.
bool depends_on_order(const Point& point) {
  const auto& operation = word(point.parameters, "operation");
  return integer(point.parameters, "sharers") != 1 && operation != "and-or";
}

std::vector<std::uint32_t> contents(Device& device, const Binding& binding) {
  std::vector<std::uint32_t> words(binding.buffer->bytes() / 4);
  device.read(*binding.buffer, 0, std::as_writable_bytes(std::span(words)));
  return words;
}

void run(Device& device, Trial& trial, std::uint32_t loops) {
  for (const auto& dispatch : trial.before_sample) device.run(dispatch);
  trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = loops;
  device.run(trial.timed.dispatch);
}

/// The words' ends and each lane's sum, run after run, if the order does not matter.
std::vector<std::vector<std::uint32_t>> all_left_behind(Device& device, const Point& point) {
  Trial trial = experiment().prepare(device, point, 1);
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::uint32_t loops : {0u, 1u, 7u, 0u, 300u}) {
    run(device, trial, loops);
    const Outcome outcome = trial.timed.verify(device, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
    if (word(point.parameters, "operation") != "and-or" || word(point.parameters, "form") == "return") {
      // One turn more or less than reported is refused.
      CHECK(trial.timed.verify(device, loops + 1).status == Status::invalid);
      if (loops > 0) CHECK(trial.timed.verify(device, loops - 1).status == Status::invalid);
    }
    if (depends_on_order(point)) continue;
    for (const std::size_t binding : {0, 2}) all.push_back(contents(device, trial.timed.dispatch.bindings[binding]));
  }
  return all;
}

TEST_CASE("atomic throughput: none is left out on any device, and results that no order decides are alike everywhere") {
  on_every_device([&](Device& device) {
    for (const auto& point : throughput_points()) {
      CAPTURE(to_string(point));
      const auto reason = experiment().unsupported(device.info(), point);
      if (too_many_bits(point)) {
        CHECK(reason);
        continue;
      }
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      CHECK(all_left_behind(device, point) == all_left_behind(host, point));
    }
  });
}

TEST_CASE("atomic throughput: one wrong bit in the memory of a device is caught") {
  on_every_device([&](Device& device) {
    for (const auto& point : throughput_points()) {
      if (word(point.parameters, "form") != "return" || too_many_bits(point)) continue;
      CAPTURE(to_string(point));
      Trial trial = experiment().prepare(device, point, 1);
      run(device, trial, 5);
      for (const std::size_t binding : {0, 2}) {
        Buffer& buffer = *trial.timed.dispatch.bindings[binding].buffer;
        const auto right = contents(device, trial.timed.dispatch.bindings[binding]);
        for (const std::size_t at : {std::size_t{0}, right.size() / 2, right.size() - 1}) {
          CAPTURE(binding);
          CAPTURE(at);
          auto damaged = right;
          damaged[at] ^= 1u << 20;
          device.write(buffer, 0, std::as_bytes(std::span(damaged)));
          CHECK(trial.timed.verify(device, 5).status == Status::invalid);
        }
        device.write(buffer, 0, std::as_bytes(std::span(right)));
      }
      CHECK(trial.timed.verify(device, 5).status == Status::ok);
    }
  });
}

TEST_CASE("atomic throughput: the whole protocol ends well, with rates of all lanes") {
  const Protocol protocol = two_samples();
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& device) {
    Measurer measurer(device, stop);
    for (const auto& point : throughput_points()) {
      if (word(point.parameters, "operation") != "add") continue;
      CAPTURE(to_string(point));
      const auto measured = measurer.measure(experiment(), point, protocol, 3);
      REQUIRE_MESSAGE(measured.result.outcome.status == Status::ok, measured.result.outcome.reason);
      const Measurement& measurement = measured.result.measurement.value();
      CHECK(measurement.verified_samples == 2);
      CHECK(positive_or_too_short(measurement, "gops_per_s"));
      for (const auto& sample : measurement.samples) {
        REQUIRE(sample.groups);
        CHECK(sample.groups->groups == static_cast<std::uint64_t>(integer(point.parameters, "groups")));
        // Within the dispatch: clocks at another place than the host reads could be any number.
        if (sample.groups->span_ns) CHECK(*sample.groups->span_ns <= sample.timing.host_ns * 1.02 + 1e4);
        if (sample.groups->ticks) CHECK(sample.groups->ticks->max < sample.timing.host_ns * 10);
      }
    }
  });
}

}  // namespace
}  // namespace percycle::atomic_throughput_test
