// Atomics on every device of both APIs: all of them happen once, and results that do not depend on
// the lanes' order equal the host's.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "two_samples.hpp"

namespace percycle::atomics_test {
namespace {

constexpr std::array kOperations{"add", "min", "exchange", "compare-exchange", "and-or"};
constexpr std::size_t kClockWords = 8;

/// Floating-point numbers are added only.
std::vector<std::pair<std::string, std::string>> operations_on_types() {
  std::vector<std::pair<std::string, std::string>> both{{"add", "float"}};
  for (const char* operation : kOperations) {
    both.emplace_back(operation, "int32");
    both.emplace_back(operation, "int64");
  }
  return both;
}

const Experiment& experiment() { return *find_experiment("atomic-latency"); }

/// Every operation, type, memory and method: alone, a few lanes, more than any subgroup of a CPU
/// driver, on one word and on one each.
std::vector<Point> atomic_points() {
  std::vector<Point> points;
  for (const auto& [operation, type] : operations_on_types()) {
    for (const char* memory : {"global", "local"}) {
      for (const char* method : {"chain", "pair"}) {
        for (const auto& [placement, lanes] : {std::pair<const char*, std::int64_t>{"address", 1},
                                               {"address", 3},
                                               {"address", 32},
                                               {"address", 48},
                                               {"line", 2},
                                               {"line", 16}}) {
          points.push_back({"atomic-latency",
                            {{"operation", operation},
                             {"type", type},
                             {"memory", memory},
                             {"method", method},
                             {"placement", placement},
                             {"lanes", lanes}}});
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
           {"type", line % 2 == 0 ? "int64" : "int32"},
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

/// Runs both dispatches of a trial; returns the results of the operations, then of the control.
std::vector<std::vector<std::uint32_t>> all_left_behind(Device& device, const Point& point) {
  Trial trial = experiment().prepare(device, point, 1);
  std::vector<std::vector<std::uint32_t>> all;
  for (LoopedDispatch* looped : {&trial.timed, &*trial.control}) {
    for (const std::uint32_t loops : {0u, 1u, 7u, 0u, 500u}) {
      looped->dispatch.parameters.at(looped->loops_parameter) = loops;
      device.run(looped->dispatch);
      const Outcome outcome = looped->verify(device, loops);
      CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
      // One turn more or less than reported is refused.
      CHECK(looped->verify(device, loops + 1).status == Status::invalid);
      if (loops > 0) CHECK(looped->verify(device, loops - 1).status == Status::invalid);
      if (looped != &trial.timed || !depends_on_order(point)) all.push_back(left_behind(device, *looped));
    }
  }
  return all;
}

/// Whether the device has a point's operations: 32-bit ones, and those it reports.
bool has_type(const DeviceInfo& info, const Point& point) {
  const WideAtomics& atomics = word(point.parameters, "memory") == "local" ? info.local_atomics : info.global_atomics;
  const std::string type = word(point.parameters, "type");
  return type == "int32" || (type == "int64" ? atomics.int64 : atomics.float_add);
}

/// Whether the lanes have enough bits, or a line enough words.
bool has_room(const DeviceInfo& info, const Point& point) {
  const std::int64_t bits = word(point.parameters, "type") == "int64" ? 64 : 32;
  const std::int64_t lanes = integer(point.parameters, "lanes");
  return word(point.parameters, "placement") == "line"     ? lanes * bits <= 8 * std::int64_t{info.cache_line_bytes.value_or(128)}
         : word(point.parameters, "operation") == "and-or" ? lanes <= bits
                                                           : true;
}

TEST_CASE("atomics: CPU drivers with 64-bit integers have 64-bit ones, and lavapipe adds floating-point numbers") {
  on_every_device([&](Device& device) {
    const DeviceInfo& info = device.info();
    // SwiftShader has no 64-bit integers.
    if (info.type != DeviceType::cpu || !info.int64) return;
    CHECK(info.global_atomics.int64);
    CHECK(info.local_atomics.int64);
    if (info.api == Api::vulkan) CHECK(info.global_atomics.float_add);
    if (info.api == Api::vulkan) CHECK(info.local_atomics.float_add);
  });
}

TEST_CASE("atomics: none is left out on any device, and results that no order decides are alike everywhere") {
  on_every_device([&](Device& device) {
    std::size_t compared = 0;
    for (const auto& point : atomic_points()) {
      CAPTURE(to_string(point));
      const auto reason = experiment().unsupported(device.info(), point);
      if (!has_type(device.info(), point) || !has_room(device.info(), point)) {
        CHECK(reason);
        continue;
      }
      REQUIRE_MESSAGE(!reason, reason.value_or(""));
      auto host = host_like(device.info());
      CHECK(all_left_behind(device, point) == all_left_behind(host, point));
      ++compared;
    }
    CHECK(compared >= 5 * 4 * 6 - 4);
    for (const std::int64_t line : {1, 1022}) {
      if (!has_type(device.info(), on_line(line))) continue;
      CAPTURE(line);
      auto host = host_like(device.info());
      CHECK(all_left_behind(device, on_line(line)) == all_left_behind(host, on_line(line)));
    }
  });
}

TEST_CASE("atomics: one wrong bit in the memory of a device is caught") {
  on_every_device([&](Device& device) {
    for (const auto& pair : operations_on_types()) {
      const auto& operation = pair.first;
      const auto& type = pair.second;
      const Point point{"atomic-latency",
                        {{"operation", operation},
                         {"type", type},
                         {"memory", "global"},
                         {"method", "pair"},
                         {"placement", "address"},
                         {"lanes", std::int64_t{4}}}};
      CAPTURE(operation);
      CAPTURE(type);
      if (!has_type(device.info(), point)) continue;
      Trial trial = experiment().prepare(device, point, 1);
      trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 5;
      device.run(trial.timed.dispatch);
      Buffer& out = *trial.timed.dispatch.bindings.back().buffer;
      const auto right = left_behind(device, trial.timed);
      std::vector<std::size_t> places{0, 31, 34, right.size() - 1};  // ends, counts
      if (type == "int64") places.push_back(1);                      // the high half of an end
      if (operation != "and-or") places.push_back(32);               // a sum, and its high half
      if (operation != "and-or" && type == "int64") places.push_back(33);
      for (const std::size_t at : places) {
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
      if (word(point.parameters, "operation") != "add" || !has_type(device.info(), point) || !has_room(device.info(), point))
        continue;
      CAPTURE(to_string(point));
      const auto measured = measurer.measure(experiment(), point, protocol, 3);
      REQUIRE_MESSAGE(measured.result.outcome.status == Status::ok, measured.result.outcome.reason);
      const Measurement& measurement = measured.result.measurement.value();
      CHECK(measurement.verified_samples == 2);
      CHECK(measurement.control_samples.size() == 1);
      CHECK(positive_or_too_short(measurement, "ns_per_op"));
      for (const auto& sample : measurement.samples) {
        // Within the dispatch: clocks at another place than the host reads could be any number.
        if (sample.clock.realtime_ns) CHECK(*sample.clock.realtime_ns <= sample.timing.host_ns * 1.02 + 1e4);
        if (sample.clock.ticks) CHECK(static_cast<double>(*sample.clock.ticks) < sample.timing.host_ns * 10);
      }
    }
  });
}

}  // namespace
}  // namespace percycle::atomics_test
