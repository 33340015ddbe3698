#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"

namespace percycle::memory_bandwidth_trial_test {
namespace {

constexpr std::uint32_t kChunks = 8;

Point dram(const char* op, std::int64_t width = 16) {
  const std::int64_t arrays = std::string(op) == "triad" ? 3 : std::string(op) == "copy" || std::string(op) == "scale" ? 2 : 1;
  return {"dram-bandwidth",
          {{"op", std::string(op)},
           {"width", width},
           {"footprint", kChunks * 64 * 2 * width * arrays},
           {"group_size", std::int64_t{64}},
           {"unroll", std::int64_t{2}}}};
}

struct Prepared {
  explicit Prepared(const Point& point) : trial(find_experiment(point.experiment)->prepare(device, point, 3)) {
    for (const auto& dispatch : trial.setup) device.run(dispatch);
  }

  /// The status of a run of so many groups that claims so many passes.
  Status run(std::uint32_t passes, std::uint32_t groups) {
    Dispatch& timed = trial.timed.dispatch;
    timed.parameters.at(trial.timed.loops_parameter) = passes;
    timed.groups = groups;
    device.run(timed);
    return trial.timed.verify(device, passes).status;
  }

  fake::FakeDevice device{fake::Script{}};
  Trial trial;
};

TEST_CASE("memory passes: whole passes are right, a group too few or too many is not") {
  for (const char* op : {"read", "write", "copy", "scale", "triad"}) {
    for (const std::int64_t width : {4, 8, 16}) {
      CAPTURE(op);
      CAPTURE(width);
      Prepared prepared(dram(op, width));
      CHECK(prepared.run(0, 1) == Status::ok);
      CHECK(prepared.run(1, kChunks) == Status::ok);
      CHECK(prepared.run(3, 3 * kChunks) == Status::ok);
      CHECK(prepared.run(1, kChunks - 1) == Status::invalid);  // although an earlier run was right
      CHECK(prepared.run(1, kChunks) == Status::ok);
      // Words written twice are still right.
      CHECK((prepared.run(1, kChunks + 1) == Status::invalid) == (std::string(op) == "read"));
    }
  }
}

TEST_CASE("memory passes: one wrong word of a source shows") {
  for (const char* op : {"read", "copy", "scale", "triad"}) {
    CAPTURE(op);
    for (const std::size_t source : {0, 1}) {
      if (source == 1 && std::string(op) != "triad") continue;
      Prepared prepared(dram(op));
      fake::contents(prepared.trial.timed.dispatch.bindings[source])[1000] ^= std::byte{4};
      CHECK(prepared.run(1, kChunks) == Status::invalid);
    }
  }
}

TEST_CASE("memory passes: wrong sums from the device make a point invalid") {
  for (const std::size_t chunk : {0u, 3u, kChunks - 1}) {
    fake::Script script;
    script.after_run = [chunk](const Dispatch& dispatch, double, std::size_t) {
      auto& sums = fake::contents(dispatch.bindings.back());
      if (dispatch.bindings.size() == 1 && sums.size() == kChunks * 4) sums[chunk * 4] ^= std::byte{1};
    };
    fake::FakeDevice device(script);
    Trial trial = find_experiment("dram-bandwidth")->prepare(device, dram("write"), 3);
    for (const auto& dispatch : trial.setup) device.run(dispatch);
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = 1;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, 1);
    CHECK(outcome.status == Status::invalid);
    CHECK_WORDS("bandwidth-trial.wrong-hash", outcome.reason);
  }
}

TEST_CASE("memory passes: the dispatch grows by a pass of groups with each loop, and is one group without any") {
  std::set<std::uint64_t> passes;
  fake::Script script;
  script.after_run = [&](const Dispatch& dispatch, double, std::size_t) {
    if (dispatch.parameters.size() != 4 || dispatch.bindings.size() != 4) return;
    passes.insert(dispatch.parameters.at("passes").word());
    CHECK(dispatch.groups == std::max<std::uint32_t>(dispatch.parameters.at("passes").word() * kChunks, 1));
  };
  fake::FakeDevice device(script);
  Protocol protocol;
  protocol.stopping = {.min_samples = 2, .max_samples = 2, .relative_error = 1};
  protocol.shortest_sample_ns = 4000;
  protocol.longest_target_ns = 4000;
  protocol.settle_ns = 0;
  const std::atomic<bool> stop{false};
  const auto result = Measurer(device, stop).measure(*find_experiment("dram-bandwidth"), dram("read"), protocol, 42).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  CHECK(*passes.begin() == 0);
  CHECK(*passes.rbegin() > 1);
  for (const auto& sample : result.measurement->samples) CHECK(sample.ops == *passes.rbegin());
  CHECK(result.measurement->work->bytes_per_op == kChunks * 64 * 2 * 16);
}

/// A device on which kernels can read a unit's number and counter.
fake::Script counting() {
  fake::Script script;
  script.info.unit_clock = KernelClock{"test", false, {}};
  script.info.unit_id = "test";
  return script;
}

/// The groups that left a stamp, by place; the fake device runs each group on its own unit.
std::vector<std::uint64_t> stamped(const Trial& trial) {
  const GroupStamps& where = trial.group_stamps.value();
  std::vector<GroupStamp> stamps(where.groups);
  const Binding binding{where.buffer, nullptr};
  REQUIRE(fake::contents(binding).size() == stamps.size() * sizeof(GroupStamp));
  std::memcpy(stamps.data(), fake::contents(binding).data(), stamps.size() * sizeof(GroupStamp));
  std::vector<std::uint64_t> groups;
  for (const auto& stamp : stamps) groups.push_back(stamp.unit);
  return groups;
}

TEST_CASE("memory passes: the first and the last groups of all passes leave stamps, the check leaves none") {
  using Groups = std::vector<std::uint64_t>;
  for (const char* op : {"read", "write", "copy", "scale", "triad"}) {
    CAPTURE(op);
    fake::FakeDevice device(counting());
    Trial trial = find_experiment("dram-bandwidth")->prepare(device, dram(op), 3);
    for (const auto& dispatch : trial.setup) device.run(dispatch);
    REQUIRE(trial.group_stamps);
    CHECK(trial.group_stamps->groups == kChunks);
    CHECK(trial.group_stamps->ends_only);
    CHECK_FALSE(trial.observed.contains("unit_ticks"));
    Dispatch& timed = trial.timed.dispatch;
    const auto run = [&](std::uint32_t passes) {
      timed.parameters.at("passes") = passes;
      timed.groups = passes * kChunks;
      device.run(timed);
      CHECK(trial.timed.verify(device, passes).status == Status::ok);  // runs the check
      return stamped(trial);
    };
    CHECK(run(1) == Groups{0, 1, 2, 3, 7, 6, 5, 4});
    CHECK(run(3) == Groups{0, 1, 2, 3, 23, 22, 21, 20});
    timed.parameters.at("stamped") = 2;
    CHECK(run(2) == Groups{0, 1, 15, 14, 23, 22, 21, 20});  // the rest is left from the run before
  }
}

TEST_CASE("memory passes: groups leave no stamps unless the unit's counter and number can be read") {
  for (const bool counter : {true, false}) {
    fake::Script script = counting();
    counter ? script.info.unit_id.reset() : script.info.unit_clock.reset();
    fake::FakeDevice device(script);
    const Trial trial = find_experiment("dram-bandwidth")->prepare(device, dram("read"), 3);
    CHECK_FALSE(trial.group_stamps);
    CHECK_WORDS(counter ? "ticks.no-unit-number" : "ticks.no-unit-clock", trial.observed.at("unit_ticks"));
    const auto& desc = dynamic_cast<const fake::FakeKernel&>(*trial.timed.dispatch.kernel).desc;
    CHECK_FALSE(desc.definitions.contains("STAMPS"));
  }
}

TEST_CASE("memory passes: stamps give time and clock, and do not change the length of a sample") {
  constexpr double kPassNs = 125e3;
  std::uint64_t passes_unstamped = 0;
  for (const bool clocks : {false, true}) {
    fake::Script script = clocks ? counting() : fake::Script{};
    if (clocks) script.info.device_clock = KernelClock{"test", true, 1.0};
    double pass_ns = 0;
    script.after_run = [&](const Dispatch& dispatch, double, std::size_t) {
      pass_ns = 0;
      if (!dispatch.parameters.contains("passes")) return;
      pass_ns = kPassNs * dispatch.parameters.at("passes").word();
      // The check leaves no stamps.
      if (!clocks || pass_ns == 0 || dispatch.bindings.size() != 5) return;
      // Units 0 to 3 from begin to end at 1.75 GHz.
      std::vector<GroupStamp> stamps;
      const auto end = static_cast<std::uint64_t>(pass_ns);
      for (std::uint64_t unit = 0; unit < 4; ++unit) stamps.push_back({unit, unit + 100, 5000, 5010, unit});
      for (std::uint64_t unit = 0; unit < 4; ++unit)
        stamps.push_back({unit + end, unit + end * 7 / 4, 4900 + end, 5000 + end, unit});
      std::memcpy(fake::contents(dispatch.bindings.at(4)).data(), stamps.data(), stamps.size() * sizeof(GroupStamp));
    };
    script.timing = [&](Timing, std::size_t) { return Timing{pass_ns + 4000, pass_ns + 2800}; };
    fake::FakeDevice device(script);
    Protocol protocol;
    protocol.stopping = {.min_samples = 2, .max_samples = 2, .relative_error = 1};
    protocol.shortest_sample_ns = 1e5;
    protocol.settle_ns = 0;
    const std::atomic<bool> stop{false};
    const auto result = Measurer(device, stop).measure(*find_experiment("dram-bandwidth"), dram("copy"), protocol, 42).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const Measurement& m = result.measurement.value();
    const double gb_per_s = kChunks * 64 * 2 * 16 * 2 / kPassNs;
    CHECK(m.statistics.at("gb_per_s").median == doctest::Approx(gb_per_s));
    CHECK(m.time_source == (clocks ? "in-kernel clock" : "device timer"));
    if (!clocks) {
      passes_unstamped = m.samples[0].ops;
      continue;
    }
    CHECK(m.samples[0].ops == passes_unstamped);
    CHECK(*m.clock_mhz == Sourced<double>{1750, Provenance::measured_in_kernel});
    CHECK(m.statistics.at("units").median == 4);
    CHECK(m.statistics.at("cycles_per_op").median == doctest::Approx(kPassNs * 1.75));
    CHECK(m.statistics.at("bytes_per_unit_cycle").median == doctest::Approx(gb_per_s / 1.75 / 4));
    CHECK_FALSE(m.statistics.contains("groups_at_once"));
  }
  CHECK(passes_unstamped > 10);
}

Point transfer(const char* direction, const char* memory) {
  return {"transfer-bandwidth",
          {{"direction", std::string(direction)}, {"memory", std::string(memory)}, {"footprint", std::int64_t{65536}}}};
}

TEST_CASE("transfers: page-locked memory by the device's timer, ordinary memory by the host's") {
  for (const char* direction : {"to-device", "to-host"}) {
    for (const char* memory : {"pinned", "pageable"}) {
      CAPTURE(direction);
      CAPTURE(memory);
      // Each copy takes 1000 ns by the host, 500 by the device.
      fake::FakeDevice device{fake::Script{}};
      Protocol protocol;
      protocol.stopping = {.min_samples = 2, .max_samples = 2, .relative_error = 1};
      protocol.shortest_sample_ns = 16000;
      protocol.longest_target_ns = 16000;
      protocol.settle_ns = 0;
      const std::atomic<bool> stop{false};
      const auto result =
          Measurer(device, stop).measure(*find_experiment("transfer-bandwidth"), transfer(direction, memory), protocol, 1).result;
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      const bool pinned = std::string(memory) == "pinned";
      CHECK(result.measurement->time_source == (pinned ? "device timer" : "host timer"));
      CHECK(result.measurement->statistics.at("gb_per_s").median == doctest::Approx(65536 / (pinned ? 500.0 : 1000.0)));
      CHECK(result.measurement->warnings.empty());  // an idle run of no copies takes no time
    }
  }
}

TEST_CASE("transfers: the host's work around the copies counts against the time for samples") {
  // Reports 500 ns for a copy that really takes some microseconds.
  fake::FakeDevice device{fake::Script{}};
  Protocol protocol;
  // Never satisfied.
  protocol.stopping = {.min_samples = 3, .max_samples = 100000, .relative_error = -1};
  protocol.longest_sampling_ns = 20e6;
  const std::atomic<bool> stop{false};
  const auto result =
      Measurer(device, stop).measure(*find_experiment("transfer-bandwidth"), transfer("to-device", "pinned"), protocol, 1).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  const auto& samples = result.measurement->samples;
  CHECK(samples.size() >= 3);
  CHECK(static_cast<double>(samples.size()) < protocol.longest_sampling_ns / *samples.front().timing.device_ns);
}

TEST_CASE("transfers: bytes that did not arrive show, in every page") {
  for (const bool to_device : {true, false}) {
    CAPTURE(to_device);
    fake::FakeDevice device{fake::Script{}};
    Trial trial =
        find_experiment("transfer-bandwidth")->prepare(device, transfer(to_device ? "to-device" : "to-host", "pinned"), 1);
    for (const auto& dispatch : trial.setup) device.run(dispatch);
    const Transfer& copy = trial.timed.transfer.value();
    CHECK(copy.to_device == to_device);
    const auto all_but_a_page = [&](std::size_t left_out) {
      for (std::size_t at = 0; at < copy.host->size(); at += 4096) {
        if (at == left_out) continue;
        const std::span<std::byte> page(copy.host->data() + at, 4096);
        if (to_device) {
          device.write(*copy.buffer, at, page, HostMemory::pinned);
        } else {
          device.read(*copy.buffer, at, page, HostMemory::pinned);
        }
      }
    };
    CHECK(trial.timed.verify(device, 0).status == Status::ok);
    all_but_a_page(SIZE_MAX);
    CHECK(trial.timed.verify(device, 1).status == Status::ok);
    for (const std::size_t page : {0, 8192, 61440}) {
      all_but_a_page(page);
      const Outcome outcome = trial.timed.verify(device, 1);
      CHECK(outcome.status == Status::invalid);
      CHECK(outcome.reason == "byte " + std::to_string(page) + " arrived wrong");
      all_but_a_page(SIZE_MAX);
      CHECK(trial.timed.verify(device, 1).status == Status::ok);
    }
  }
}

Measurement measured_transfer(const Point& point, fake::Script script = {}) {
  fake::FakeDevice device{std::move(script)};
  Protocol protocol;
  protocol.stopping = {.min_samples = 2, .max_samples = 2, .relative_error = 1};
  protocol.settle_ns = 0;
  const std::atomic<bool> stop{false};
  const auto result = Measurer(device, stop).measure(*find_experiment("transfer-bandwidth"), point, protocol, 1).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  return *result.measurement;
}

TEST_CASE("transfers: copies both ways at once count the bytes of both") {
  const Measurement m = measured_transfer(transfer("both", "pinned"));
  CHECK(m.time_source == "device timer");
  CHECK(m.statistics.at("gb_per_s").median == doctest::Approx(2 * 65536 / 1000.0));
}

TEST_CASE("transfers: a small copy takes the host's time, and has no bandwidth") {
  Point point = transfer("to-host", "pinned");
  point.parameters["test"] = std::string("latency");
  point.parameters["footprint"] = std::int64_t{4};
  const Measurement m = measured_transfer(point);
  CHECK(m.time_source == "host timer");
  CHECK(m.statistics.at("ns_per_op").median == doctest::Approx(1000));
  CHECK_FALSE(m.statistics.contains("gb_per_s"));
}

TEST_CASE("transfers: bytes that did not come back show") {
  fake::FakeDevice device{fake::Script{}};
  Trial trial = find_experiment("transfer-bandwidth")->prepare(device, transfer("both", "pinned"), 1);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  const Transfer& copy = trial.timed.transfer.value();
  const auto exchange = [&] { device.exchange(*copy.buffer, *copy.host, *copy.back, *copy.host_back); };
  exchange();
  CHECK(trial.timed.verify(device, 1).status == Status::ok);
  device.write(*copy.buffer, 0, *copy.host, HostMemory::pinned);  // one way alone
  CHECK_WORDS("transfer-bandwidth.wrong-byte-0", trial.timed.verify(device, 1).reason);
  exchange();
  (*copy.host_back)[70] ^= std::byte{1};
  CHECK_WORDS("transfer-bandwidth.wrong-byte-70", trial.timed.verify(device, 1).reason);
}

fake::Script with_peer() {
  fake::Script script;
  script.info.peers = {{.index = 4, .name = "Far GPU"}, {.index = 5, .name = "Near GPU"}};
  return script;
}

Point to_peer(const char* peer) {
  return {"transfer-bandwidth", {{"direction", "to-peer"}, {"peer", std::string(peer)}, {"footprint", std::int64_t{65536}}}};
}

TEST_CASE("transfers: copies to a peer take the host's time; small ones have no bandwidth") {
  Measurement m = measured_transfer(to_peer("opencl:5"), with_peer());
  CHECK(m.time_source == "host timer");
  CHECK(m.statistics.at("gb_per_s").median == doctest::Approx(65536 / 1000.0));
  CHECK(m.observed.at("peer") == "Near GPU");
  Point small = to_peer("opencl:5");
  small.parameters["test"] = std::string("latency");
  m = measured_transfer(small, with_peer());
  CHECK(m.statistics.at("ns_per_op").median == doctest::Approx(1000));
  CHECK_FALSE(m.statistics.contains("gb_per_s"));
}

TEST_CASE("transfers: bytes that did not arrive at the peer show; no other device is a peer") {
  fake::FakeDevice device{with_peer()};
  const Experiment& experiment = *find_experiment("transfer-bandwidth");
  Trial trial = experiment.prepare(device, to_peer("opencl:4"), 1);
  auto& link = dynamic_cast<fake::FakeLink&>(*trial.timed.transfer.value().link);
  link.copy();
  CHECK(trial.timed.verify(device, 1).status == Status::ok);
  // There are other bytes to copy.
  CHECK_WORDS("peer.wrong-byte-0", trial.timed.verify(device, 1).reason);
  link.copy();
  link.target[4097] ^= std::byte{1};
  CHECK_WORDS("peer.wrong-byte-4097", trial.timed.verify(device, 1).reason);
  CHECK_THROWS_WORDS("peer.unknown", std::invalid_argument, experiment.prepare(device, to_peer("opencl:6"), 1));
}

}  // namespace
}  // namespace percycle::memory_bandwidth_trial_test
