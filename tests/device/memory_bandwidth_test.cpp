// The kernel pairs of cache, memory and transfer bandwidth: equal results on every device of both
// APIs and on the host by their emulation.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "described_device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "measure/counter.hpp"
#include "measure/measurer.hpp"
#include "two_samples.hpp"

namespace percycle::memory_bandwidth_test {
namespace {

/// Regions of one tile, of several, and of less than all lanes; slices; every work-group size and
/// unrolling in few groups.
std::vector<Point> cache_points() {
  std::vector<Point> points;
  const auto add = [&](const char* mode, std::int64_t footprint, std::int64_t groups, std::int64_t size, std::int64_t unroll) {
    points.push_back({"cache-bandwidth",
                      {{"test", std::string("footprint")},
                       {"mode", std::string(mode)},
                       {"footprint", footprint},
                       {"groups", groups},
                       {"group_size", size},
                       {"unroll", unroll}}});
  };
  add("shared", 8192, 2, 256, 4);
  add("shared", 16384, 1, 128, 8);
  add("shared", 81920, 3, 64, 4);
  add("private", 3 * 16384, 3, 256, 4);
  add("private", 5 * 32768, 5, 64, 8);
  return points;
}

/// Arrays of nine chunks.
std::vector<Point> memory_points() {
  std::vector<Point> points;
  for (const char* op : {"read", "write", "copy", "scale", "triad"}) {
    const std::int64_t arrays = std::string(op) == "triad" ? 3 : std::string(op) == "copy" || std::string(op) == "scale" ? 2 : 1;
    for (const std::int64_t width : {4, 8, 16}) {
      const std::int64_t unroll = width == 4 ? 8 : width == 8 ? 4 : 1;
      points.push_back({"dram-bandwidth",
                        {{"op", std::string(op)},
                         {"width", width},
                         {"footprint", 9 * 64 * unroll * width * arrays},
                         {"group_size", std::int64_t{64}},
                         {"unroll", unroll}}});
    }
  }
  return points;
}

/// Runs the timed dispatch like measure/.
Outcome run(Device& device, Trial& trial, std::uint32_t loops) {
  Dispatch& timed = trial.timed.dispatch;
  timed.parameters.at(trial.timed.loops_parameter) = loops;
  if (trial.timed.groups_per_loop) timed.groups = std::max(loops * *trial.timed.groups_per_loop, 1u);
  device.run(timed);
  return trial.timed.verify(device, loops);
}

Trial prepared(Device& device, const Point& point) {
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 20261121);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  return trial;
}

/// The contents of every buffer of the dispatch except the stamps, after some runs.
std::vector<std::vector<std::byte>> left_behind(Device& device, const Point& point) {
  Trial trial = prepared(device, point);
  for (const std::uint32_t loops : {0u, 1u, 2u, 5u}) {
    const Outcome outcome = run(device, trial, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
  }
  std::vector<std::vector<std::byte>> all;
  for (const auto& binding : trial.timed.dispatch.bindings) {
    if (trial.group_stamps && binding.buffer == trial.group_stamps->buffer) continue;
    auto& bytes = all.emplace_back(binding.buffer->bytes());
    device.read(*binding.buffer, 0, bytes);
  }
  return all;
}

TEST_CASE("parity: kernels of cache and memory bandwidth leave the same on both APIs and the host") {
  on_every_device([&](Device& device) {
    for (const auto& points : {cache_points(), memory_points()}) {
      for (const auto& point : points) {
        const std::string name = to_string(point);
        CAPTURE(name);
        REQUIRE_FALSE(find_experiment(point.experiment)->unsupported(device.info(), point));
        auto host = host_like(device.info());
        CHECK(left_behind(device, point) == left_behind(host, point));
      }
    }
  });
}

TEST_CASE("parity: one wrong word in the input of cache and memory bandwidth is caught, and one store left out") {
  on_every_device([&](Device& device) {
    for (const auto& points : {cache_points(), memory_points()}) {
      for (const auto& point : points) {
        CAPTURE(to_string(point));
        Trial trial = prepared(device, point);
        CHECK(run(device, trial, 1).status == Status::ok);
        if (point.experiment == "dram-bandwidth") {
          trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 1;
          --trial.timed.dispatch.groups;
          device.run(trial.timed.dispatch);
          CHECK(trial.timed.verify(device, 1).status == Status::invalid);
          if (word(point.parameters, "op") == "write") continue;  // reads nothing
        }
        Buffer& data = *trial.timed.dispatch.bindings[0].buffer;
        std::uint32_t value = 0;
        device.read(data, data.bytes() - 4, std::as_writable_bytes(std::span(&value, 1)));
        value ^= 0x100;
        device.write(data, data.bytes() - 4, std::as_bytes(std::span(&value, 1)));
        CHECK(run(device, trial, 1).status == Status::invalid);
      }
    }
  });
}

/// A device that claims to have a counter and a number of each unit. Kernels read 0 where there is
/// none.
DescribedDevice counting(Device& device) {
  DeviceInfo info = device.info();
  info.unit_clock = KernelClock{"claimed", false, {}};
  info.unit_id = "claimed";
  return {device, std::move(info)};
}

TEST_CASE("the first and the last groups of a memory dispatch leave their stamps, and no other group") {
  constexpr std::uint64_t kUnwritten = 0xabcdabcdabcdabcd;
  on_every_device([&](Device& real) {
    DescribedDevice device = counting(real);
    for (const auto& point : memory_points()) {
      if (integer(point.parameters, "width") != 16) continue;  // has no part in it
      CAPTURE(to_string(point));
      Trial trial = prepared(device, point);
      const GroupStamps where = trial.group_stamps.value();
      CHECK(where.groups == 8);  // of nine
      std::vector<std::uint64_t> counts(where.groups * 5);
      for (const std::uint32_t stamped : {4u, 3u}) {
        trial.timed.dispatch.parameters.at("stamped") = stamped;
        for (const std::uint32_t passes : {1u, 3u}) {
          std::fill(counts.begin(), counts.end(), kUnwritten);
          real.write(*where.buffer, 0, std::as_bytes(std::span(counts)));
          const Outcome outcome = run(device, trial, passes);
          CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
          real.read(*where.buffer, 0, std::as_writable_bytes(std::span(counts)));
          const auto first_unwritten = std::find(counts.begin(), counts.end(), kUnwritten) - counts.begin();
          CHECK(first_unwritten == stamped * 10);
          CHECK(std::count(counts.begin(), counts.end(), kUnwritten) == 40 - first_unwritten);
          for (std::size_t i = 0; i < stamped * 10; i += 5) {
            CHECK(elapsed_ticks(counts[i], counts[i + 1]).has_value());
            if (!real.info().unit_clock) CHECK(counts[i + 1] == 0);
          }
        }
      }
    }
  });
}

TEST_CASE("the whole protocol of cache, memory and transfer bandwidth ends well on every device") {
  const Protocol protocol = two_samples();
  std::vector<Point> transfers;
  for (const char* direction : {"to-device", "to-host"}) {
    for (const char* memory : {"pinned", "pageable"}) {
      transfers.push_back(
          {"transfer-bandwidth",
           {{"direction", std::string(direction)}, {"memory", std::string(memory)}, {"footprint", std::int64_t{1 << 20}}}});
    }
  }
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& device) {
    Measurer measurer(device, stop);
    for (const auto& points : {cache_points(), memory_points(), transfers}) {
      for (const auto& point : points) {
        CAPTURE(to_string(point));
        const auto measured = measurer.measure(*find_experiment(point.experiment), point, protocol, 3);
        REQUIRE_MESSAGE(measured.result.outcome.status == Status::ok, measured.result.outcome.reason);
        CHECK(measured.result.measurement->samples.size() == 2);
        CHECK(positive_or_too_short(*measured.result.measurement, "gb_per_s"));
      }
    }
  });
}

}  // namespace
}  // namespace percycle::memory_bandwidth_test
