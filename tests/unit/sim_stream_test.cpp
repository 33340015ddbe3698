#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "experiments/experiment.hpp"
#include "measure/trial_run.hpp"
#include "sim/dispatch_run.hpp"
#include "sim/sim.hpp"
#include "sim/stream_costs.hpp"
#include "sim_examples.hpp"
#include "test_emulations.hpp"

namespace percycle::sim::sim_stream_test {
namespace {

/// `small` with bandwidths: 64 B per cycle from each first level (4 KiB), 96 from the second (64
/// KiB), 20 from memory.
Model model() {
  Model model = examples::small();
  model.caches[0].bytes_per_cycle = 64;
  model.caches[1].bytes_per_cycle = 96;
  model.memory_bytes_per_cycle = 20;
  return model;
}

Stream stream(std::uint32_t group, std::uint64_t base, std::uint64_t bytes) {
  Stream stream;
  stream.group = group;
  stream.base = base;
  stream.bytes = bytes;
  stream.accesses = 1000;
  stream.lanes = 64;
  stream.width = 16;
  stream.lane_stride = 16;
  return stream;
}

constexpr double kMoved = 1000.0 * 64 * 16;
using Cycles = std::vector<double>;

TEST_CASE("streams: the groups of a unit share its first level, units do not") {
  CHECK(stream_cycles(model(), std::vector{stream(0, 0, 4096)}) == Cycles{kMoved / 64, 0, 0, 0});
  std::vector<Stream> all;
  for (std::uint32_t group = 0; group < 6; ++group) all.push_back(stream(group, 0, 4096));
  CHECK(stream_cycles(model(), all) == Cycles{2 * kMoved / 64, 2 * kMoved / 64, kMoved / 64, kMoved / 64});
}

TEST_CASE("streams: those of an earlier dispatch cost the same and are not asked for again") {
  Model noisy = model();
  noisy.noise = {.gaussian = 0.05, .seed = 3};
  noisy.unit_clock = UnitClock{};
  const KernelDesc kernel{
      .name = "test", .definitions = {}, .bindings = {{"data"}}, .parameters = {}, .constants = {}, .subgroup_size = {}};
  const AddressRange data{1 << 20, 1 << 20};
  std::vector<Stream> all;
  for (std::uint32_t group = 0; group < 6; ++group) all.push_back(stream(group, group * 4096, 4096));
  DeviceState plain(noisy);
  DeviceState remembering(noisy);
  int builds = 0;
  for (int dispatch = 0; dispatch < 3; ++dispatch) {
    DispatchRun once(plain, kernel, {&data, 1}, {}, 0);
    DispatchRun again(remembering, kernel, {&data, 1}, {}, 0);
    const auto stamps = once.stream(all);
    const auto of_units = again.stream_again("key", [&] {
      ++builds;
      return all;
    });
    CHECK(again.cycles() == once.cycles());
    REQUIRE(stamps.size() == 6);
    for (std::size_t group = 0; group < stamps.size(); ++group) {
      const GroupStamp& found = of_units[group % of_units.size()];
      CHECK(found.unit == stamps[group].unit);
      CHECK(found.unit_begin == stamps[group].unit_begin);
      CHECK(found.unit_end == stamps[group].unit_end);
    }
    ++plain.dispatches;
    ++remembering.dispatches;
  }
  CHECK(builds == 1);
  const AddressRange small_data{1 << 20, 4096};
  DispatchRun outside(remembering, kernel, {&small_data, 1}, {}, 0);
  CHECK_THROWS_AS(outside.stream_again("key", [&] { return all; }), std::logic_error);
  const std::vector<Stream> reversed(all.rbegin(), all.rend());  // the last one is inside
  CHECK_THROWS_AS(outside.stream_again("reversed", [&] { return reversed; }), std::logic_error);
  DispatchRun other(remembering, kernel, {&data, 1}, {}, 0);
  other.stream_again("other key", [&] { return std::vector{all[0]}; });
  CHECK(other.cycles() < DispatchRun(plain, kernel, {&data, 1}, {}, 0).cycles() + 2 * kMoved / 64);
}

/// The device's time for a run of so many loops.
double device_ns(Device& device, const Point& point, std::uint64_t loops) {
  const std::atomic<bool> stop = false;
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 7);
  TrialRun run(device, stop, trial);
  run.set_up();
  return run.timed(loops).timing.device_ns.value();
}

TEST_CASE("streams: a device that ran other points takes as long for a point as another device") {
  Model swept = model();
  swept.schedulers = 4;
  swept.operation_results["fp32-fma"] = 128;
  using Number = std::int64_t;
  const auto passes = [](const char* op, Number width, Number footprint, Number group_size, Number unroll) {
    return Point{
        "dram-bandwidth",
        {{"op", std::string(op)}, {"width", width}, {"footprint", footprint}, {"group_size", group_size}, {"unroll", unroll}}};
  };
  const auto sweep = [](Number fmas) {
    return Point{"intensity", {{"level", std::string("dram")}, {"fmas", fmas}, {"footprint", Number{1} << 20}}};
  };
  const std::vector<Point> points{passes("read", 16, 1 << 20, 256, 4),
                                  passes("write", 16, 1 << 20, 256, 4),
                                  passes("copy", 16, 1 << 21, 256, 4),
                                  passes("triad", 16, 3 << 20, 256, 4),
                                  passes("read", 4, 1 << 18, 256, 4),
                                  passes("read", 16, 1 << 19, 256, 2),
                                  passes("read", 16, 1 << 19, 128, 4),
                                  sweep(1),
                                  sweep(256),
                                  sweep(512)};
  const auto used = open_sim(swept, "test");
  for (const Point& point : points) {
    for (const std::uint64_t loops : {1u, 3u}) {
      CAPTURE(to_string(point));
      CAPTURE(loops);
      const auto unused = open_sim(swept, "test");
      CHECK(device_ns(*used, point, loops) == device_ns(*unused, point, loops));
    }
  }
}

TEST_CASE("streams: each work-group of intensity in a cache notes its own unit") {
  Model swept = model();
  swept.schedulers = 4;
  swept.operation_results["fp32-fma"] = 128;
  swept.unit_clock = UnitClock{};
  const auto device = open_sim(swept, "test");
  const std::atomic<bool> stop = false;
  const Point point{"intensity", {{"level", std::string("l1")}, {"fmas", std::int64_t{4}}, {"groups_per_unit", std::int64_t{2}}}};
  Trial trial = find_experiment("intensity")->prepare(*device, point, 7);
  TrialRun run(*device, stop, trial);
  run.set_up();
  const Sample sample = run.timed(3);
  REQUIRE(sample.groups);
  CHECK(sample.groups->groups == 2 * swept.units);
  CHECK(sample.groups->units == swept.units);
}

TEST_CASE("streams: a region that does not fit is served by the next level, which the units share") {
  const std::vector two{stream(0, 0, 65536), stream(1, 0, 65536)};  // the same region: it fits
  CHECK(stream_cycles(model(), two) == Cycles{2 * kMoved / 96, 2 * kMoved / 96, 0, 0});
  // One alone is limited by its first level, through which its bytes also go.
  CHECK(stream_cycles(model(), std::vector{stream(0, 0, 65536)}) == Cycles{kMoved / 64, 0, 0, 0});
  const std::vector apart{stream(0, 0, 40960), stream(1, 40960, 40960)};  // together too large
  CHECK(stream_cycles(model(), apart) == Cycles{2 * kMoved / 20, 2 * kMoved / 20, 0, 0});
  const std::vector fits{stream(0, 0, 4096), stream(1, 0, 65536)};
  CHECK(stream_cycles(model(), fits) == Cycles{kMoved / 64, kMoved / 64, 0, 0});
}

TEST_CASE("streams: the regions of a unit's groups must fit together; a common region counts once") {
  CHECK(stream_cycles(model(), std::vector{stream(0, 0, 4096), stream(4, 0, 4096)})[0] == 2 * kMoved / 64);
  Model slow = model();
  slow.caches[1].bytes_per_cycle = 1;
  CHECK(stream_cycles(slow, std::vector{stream(0, 0, 4096), stream(4, 4096, 4096)})[0] == 2 * kMoved / 1);
  auto other = stream(4, 0, 4096);
  other.binding = 1;  // elsewhere
  CHECK(stream_cycles(slow, std::vector{stream(0, 0, 4096), other})[0] == 2 * kMoved / 1);
}

TEST_CASE("streams: the copies of a unit's cache serve its subgroups in parallel") {
  Model copies = model();
  copies.caches[0].copies = 4;
  // 64 lanes are two subgroups
  CHECK(stream_cycles(copies, std::vector{stream(0, 0, 4096)})[0] == kMoved / (2 * 64));
}

TEST_CASE("streams: a level without a bandwidth sets no limit; without any limit, accesses wait for each other") {
  Model unknown = model();
  unknown.caches[0].bytes_per_cycle = 0;
  CHECK(stream_cycles(unknown, std::vector{stream(0, 0, 65536)})[0] == kMoved / 96);
  // Two subgroups each.
  CHECK(stream_cycles(unknown, std::vector{stream(0, 0, 4096), stream(4, 0, 4096)})[0] == 2 * 1000.0 * 30);
  unknown.caches[1].bytes_per_cycle = 0;
  unknown.memory_bytes_per_cycle = 0;
  CHECK(stream_cycles(unknown, std::vector{stream(0, 0, 1 << 20)})[0] == 2 * 1000.0 * 600);
  auto chase = stream(0, 0, 4096);
  chase.dependent = true;
  CHECK(stream_cycles(model(), std::vector{chase})[0] == 1000.0 * 30);
}

TEST_CASE("streams: bank conflicts slow down local memory") {
  const LocalMemory local{.bytes = 49152, .latency_cycles = 20, .banks = 32, .bank_bytes = 4};
  for (std::uint32_t stride = 1; stride <= 64; ++stride) {
    CAPTURE(stride);
    CHECK(bank_cycles(local, 32, 4, stride * 4) == std::gcd(stride, 32u));
  }
  CHECK(bank_cycles(local, 32, 4, 0) == 1);  // one word for all
  CHECK(bank_cycles(local, 32, 8, 8) == 2);
  CHECK(bank_cycles(local, 32, 16, 16) == 4);
  CHECK(bank_cycles(local, 64, 4, 4) == 2);
  CHECK(bank_cycles({.bytes = 0, .latency_cycles = 1, .banks = 32, .bank_bytes = 8}, 32, 8, 8) == 1);

  Stream sweep = stream(0, 0, 4096);
  sweep.path = MemoryPath::local;
  sweep.width = sweep.lane_stride = 4;
  // Side by side.
  CHECK(stream_cycles(model(), std::vector{sweep, stream(4, 0, 4096)})[0] == kMoved / 64);
  CHECK(stream_cycles(model(), std::vector{sweep})[0] == 2 * 1000.0);
  sweep.lane_stride = 16;
  CHECK(stream_cycles(model(), std::vector{sweep, sweep})[0] == 2 * 2 * 4 * 1000.0);
  Model narrow = model();
  // Half of the banks' capacity: no limit if banks conflict.
  narrow.local.bytes_per_cycle = 64;
  CHECK(stream_cycles(narrow, std::vector{sweep})[0] == 2 * 4 * 1000.0);
  sweep.lane_stride = 4;
  CHECK(stream_cycles(narrow, std::vector{sweep})[0] == 2 * 2 * 1000.0);
  sweep.lane_stride = 16;
  sweep.dependent = true;
  CHECK(stream_cycles(model(), std::vector{sweep, sweep})[0] == 1000.0 * (20 + 3));
}

/// Runs one dispatch of two groups on the model; `each` is the emulation's timed part.
std::vector<GroupStamp> stamps_of(Model model, std::span<const Stream> streams, Timing& timing) {
  const auto device = open_sim(std::move(model), "test", test_emulations());
  std::vector<GroupStamp> stamps;
  KernelDesc desc;
  desc.name = "test";
  desc.bindings = {{"out"}};
  test_emulations()["test"] = [&](const Execution&, MemoryModel& memory) { stamps = memory.stream(streams); };
  const auto buffer = device->create(BufferDesc{65536});
  timing = device->run({device->create(desc), {{buffer, nullptr}}, {}, 2});
  return stamps;
}

TEST_CASE("streams: the stamp of a group has its unit and busy cycles; the longest group sets the time") {
  Model counting = model();
  counting.unit_clock = UnitClock{};
  Timing timing;
  const std::vector streams{stream(0, 0, 4096), stream(1, 0, 4096), stream(4, 0, 4096)};
  auto stamps = stamps_of(counting, streams, timing);
  REQUIRE(stamps.size() == 5);
  CHECK(stamps[0].unit_end - stamps[0].unit_begin == 2 * kMoved / 64);
  CHECK(stamps[1].unit_end - stamps[1].unit_begin == kMoved / 64);
  CHECK(stamps[4].unit_begin == stamps[0].unit_begin);
  CHECK(stamps[4].unit_end == stamps[0].unit_end);
  CHECK(stamps[0].unit == 0);
  CHECK(stamps[1].unit == 1);
  CHECK(stamps[4].unit == 0);
  CHECK(timing.device_ns == 4000 + 2 * kMoved / 64);  // at 1 GHz

  counting.unit_clock->tick_mhz = 100;
  stamps = stamps_of(counting, streams, timing);
  CHECK(stamps[0].unit_end - stamps[0].unit_begin == doctest::Approx(2 * kMoved / 64 / 10).epsilon(1e-3));
  counting.unit_clock.reset();
  stamps = stamps_of(counting, streams, timing);
  CHECK(stamps[0].unit_end == 0);
  CHECK(stamps[1].unit == 1);
}

TEST_CASE("streams: a stream outside its memory is a fault of the kernel") {
  Timing timing;
  CHECK_THROWS_AS(stamps_of(model(), std::vector{stream(0, 61440, 8192)}, timing), std::logic_error);
}

}  // namespace
}  // namespace percycle::sim::sim_stream_test
