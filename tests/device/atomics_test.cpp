// Atomics on every device of both APIs: all of them are done, once, and what does not depend on the lanes' order is the host's.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "two_samples.hpp"

namespace percycle {
namespace {

constexpr std::array kOperations{"add", "min", "exchange", "compare-exchange", "and-or"};
constexpr std::size_t kClockWords = 8;

const Experiment& experiment() { return *find_experiment("atomic-latency"); }

/// Every operation, memory and method: alone, a few lanes, more than any subgroup of a CPU driver, on one word and on one each.
std::vector<Point> atomic_points() {
  std::vector<Point> points;
  for (const char* operation : kOperations) {
    for (const char* memory : {"global", "local"}) {
      for (const char* method : {"chain", "pair"}) {
        for (const auto& [placement, lanes] : {std::pair<const char*, std::int64_t>{"address", 1},
                                               {"address", 3},
                                               {"address", 32},
                                               {"address", 48},
                                               {"line", 2},
                                               {"line", 16}}) {
          points.push_back(
              {"atomic-latency",
               {{"operation", operation}, {"memory", memory}, {"method", method}, {"placement", placement}, {"lanes", lanes}}});
        }
      }
    }
  }
  return points;
}

/// A line that is not the first.
Point on_line(std::int64_t line) {
  return {"atomic-latency",
          {{"operation", "add"},
           {"memory", "global"},
           {"method", "pair"},
           {"placement", "address"},
           {"lanes", std::int64_t{1}},
           {"line", line}}};
}

/// The words' ends and the lanes' totals.
std::vector<std::uint32_t> left_behind(Device& device, const LoopedDispatch& looped) {
  const Buffer& out = *looped.dispatch.bindings.back().buffer;
  std::vector<std::uint32_t> words(out.bytes() / 4 - kClockWords);
  device.read(out, kClockWords * 4, std::as_writable_bytes(std::span(words)));
  return words;
}

bool depends_on_order(const Point& point) {
  return integer(point.parameters, "lanes") > 1 && word(point.parameters, "placement") == "address";
}

/// Runs both dispatches of a trial; what the operations leave behind, then the control.
std::vector<std::vector<std::uint32_t>> all_left_behind(Device& device, const Point& point) {
  Trial trial = experiment().prepare(device, point, 1);
  std::vector<std::vector<std::uint32_t>> all;
  for (LoopedDispatch* looped : {&trial.timed, &*trial.control}) {
    for (const std::uint32_t loops : {0u, 1u, 7u, 0u, 500u}) {
      looped->dispatch.parameters.at(looped->loops_word) = loops;
      device.run(looped->dispatch);
      const Outcome outcome = looped->verify(device, loops);
      CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
      // One turn more or less than there was does not pass.
      CHECK(looped->verify(device, loops + 1).status == Status::invalid);
      if (loops > 0) CHECK(looped->verify(device, loops - 1).status == Status::invalid);
      if (looped != &trial.timed || !depends_on_order(point)) all.push_back(left_behind(device, *looped));
    }
  }
  return all;
}

TEST_CASE("atomics: none is left out on any device, and what no order decides is alike everywhere") {
  on_every_device([&](Device& device) {
    std::size_t compared = 0;
    for (const auto& point : atomic_points()) {
      CAPTURE(to_string(point));
      const auto reason = experiment().unsupported(device.info(), point);
      if (word(point.parameters, "operation") == "and-or" && integer(point.parameters, "lanes") == 48) {
        CHECK(reason);
        continue;
      }
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      CHECK(all_left_behind(device, point) == all_left_behind(host, point));
      ++compared;
    }
    CHECK(compared == 5 * 4 * 6 - 4);
    for (const std::int64_t line : {1, 1023}) {
      CAPTURE(line);
      auto host = host_like(device.info());
      CHECK(all_left_behind(device, on_line(line)) == all_left_behind(host, on_line(line)));
    }
  });
}

TEST_CASE("atomics: one wrong bit in what a device leaves behind is caught") {
  on_every_device([&](Device& device) {
    for (const char* operation : kOperations) {
      const Point point{"atomic-latency",
                        {{"operation", operation},
                         {"memory", "global"},
                         {"method", "pair"},
                         {"placement", "address"},
                         {"lanes", std::int64_t{4}}}};
      CAPTURE(operation);
      Trial trial = experiment().prepare(device, point, 1);
      trial.timed.dispatch.parameters.at(trial.timed.loops_word) = 5;
      device.run(trial.timed.dispatch);
      Buffer& out = *trial.timed.dispatch.bindings.back().buffer;
      const auto right = left_behind(device, trial.timed);
      for (const std::size_t at : {std::size_t{0}, std::size_t{31}, std::size_t{33}, right.size() - 1}) {  // ends, counts
        CAPTURE(at);
        auto damaged = right;
        damaged[at] ^= 1;
        device.write(out, kClockWords * 4, std::as_bytes(std::span(damaged)));
        CHECK(trial.timed.verify(device, 5).status == Status::invalid);
      }
      device.write(out, kClockWords * 4, std::as_bytes(std::span(right)));
      CHECK(trial.timed.verify(device, 5).status == Status::ok);
    }
  });
}

TEST_CASE("atomics: the whole protocol ends well, with a control for each method") {
  const Protocol protocol = two_samples();
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& device) {
    Measurer measurer(device, stop);
    for (const auto& point : atomic_points()) {
      if (word(point.parameters, "operation") != "add") continue;
      CAPTURE(to_string(point));
      const auto measured = measurer.measure(experiment(), point, protocol, 3);
      REQUIRE_MESSAGE(measured.result.outcome.status == Status::ok, measured.result.outcome.reason);
      const Measurement& measurement = measured.result.measurement.value();
      CHECK(measurement.verified_samples == 2);
      CHECK(measurement.control_samples.size() == 1);
      CHECK(measurement.statistics.at("ns_per_op").median > 0);
      for (const auto& sample : measurement.samples) {
        // Within the dispatch: clocks that lie elsewhere than the host reads would be any number.
        if (sample.clock.realtime_ns) CHECK(*sample.clock.realtime_ns <= sample.timing.host_ns * 1.02 + 1e4);
        if (sample.clock.ticks) CHECK(static_cast<double>(*sample.clock.ticks) < sample.timing.host_ns * 10);
      }
    }
  });
}

}  // namespace
}  // namespace percycle
