#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "unit/brief_measurements.hpp"

namespace percycle::bandwidth_measurer_test {
namespace {

// Only kernel pair unit_bandwidth has this number of parameters here.
constexpr std::size_t kParameters = 6;

Measured measured(const fake::Script& script, const char* role, double shortest_ns = 65536, double longest_ns = 65536) {
  fake::FakeDevice device(script);
  Protocol protocol = examples::brief_protocol();
  protocol.shortest_sample_ns = shortest_ns;
  protocol.longest_target_ns = std::max(shortest_ns, longest_ns);
  const std::atomic<bool> stop{false};
  return Measurer(device, stop).measure(*find_experiment("l1-bandwidth"), examples::l1_point(role), protocol, 42);
}

/// The stamps of kernels: two groups on each of four units, the second of a unit beginning when the
/// first is half done; 32 ns and 64 ticks per load of an invocation.
fake::Script stamping() {
  fake::Script script;
  script.info.unit_clock = KernelClock{"test", false, {}};
  script.info.device_clock = KernelClock{"test", true, 1.0};
  script.info.unit_id = "test";
  script.after_run = [](const Dispatch& dispatch, double, std::size_t) {
    if (dispatch.parameters.size() != kParameters) return;
    // 32 loads per pass of the loop.
    const std::uint64_t ns = std::uint64_t{dispatch.parameters.at("loops").word()} * 32 * 32;
    std::vector<GroupStamp> stamps;
    for (std::uint64_t group = 0; group < dispatch.groups; ++group) {
      const std::uint64_t begin = group < 4 ? 0 : ns / 2;
      const std::uint64_t unit = group % 4;
      stamps.push_back({unit * 1000 + 2 * begin, unit * 1000 + 2 * (begin + ns), 5000 + begin, 5000 + begin + ns, unit});
    }
    std::memcpy(fake::contents(dispatch.bindings.back()).data(), stamps.data(), stamps.size() * sizeof(GroupStamp));
  };
  return script;
}

TEST_CASE("bandwidth is measured by the work-groups' stamps") {
  const auto result = measured(stamping(), "best").result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  const Measurement& m = result.measurement.value();
  CHECK(m.time_source == "in-kernel clock");
  CHECK(m.samples.size() == 3);
  CHECK(m.verified_samples == 3);
  REQUIRE(m.work);
  CHECK(m.work->bytes_per_op == 8 * 64 * 16);
  CHECK(m.work->group_bytes_per_op == 64 * 16);
  for (const Sample& sample : m.samples) {
    CHECK(sample.ops % 32 == 0);
    REQUIRE(sample.groups);
    const double ns = 32.0 * static_cast<double>(sample.ops);
    CHECK(sample.groups->groups == 8);
    CHECK(sample.groups->units == 4);
    CHECK(sample.groups->span_ns == 1.5 * ns);
    CHECK(sample.groups->ticks->median == 3 * ns);
    CHECK(sample.groups->ticks_per_ns == 2);
    CHECK(sample.groups->groups_at_once == doctest::Approx(4.0 / 3));
    CHECK_FALSE(sample.clock.ticks);
  }
  CHECK(m.statistics.at("gb_per_s").median == doctest::Approx(8 * 64 * 16 / (1.5 * 32)));
  CHECK(m.statistics.at("bytes_per_unit_cycle").median == doctest::Approx(2 * 64 * 16 / (3.0 * 32)));
  CHECK(*m.clock_mhz == Sourced<double>{2000, Provenance::measured_in_kernel});
}

TEST_CASE("bandwidth without a clock in the kernel uses the device timer, and stamps are not read") {
  fake::Script script;
  script.info.clock_mhz = Sourced<double>{1000, Provenance::reported};
  const auto result = measured(script, "best").result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  const Measurement& m = result.measurement.value();
  CHECK(m.time_source == "device timer");
  for (const Sample& sample : m.samples) {
    REQUIRE(sample.groups);
    CHECK(sample.groups->groups == 8);
    CHECK_FALSE(sample.groups->units);
    CHECK_FALSE(sample.groups->span_ns);
  }
  CHECK(m.statistics.at("gb_per_s").median == 8 * 64 * 16 / 64.0);
  CHECK(m.statistics.at("bytes_per_unit_cycle").median == 8 * 64 * 16 / 64.0 / 4);
}

TEST_CASE("a launch that the stamps do not see does not lengthen the samples") {
  for (const bool stamped : {true, false}) {
    fake::Script script = stamped ? stamping() : fake::Script{};
    script.launch_ns = 1e5;
    const auto result = measured(script, "best", 65536, 1e9).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    // Two steps of 1 us of the device-wide clock, or the launch, are 0.2 % of 1 ms and of 100 ms.
    CHECK((*result.measurement.value().samples[0].timing.device_ns < 1e7) == stamped);
  }
}

TEST_CASE("a search takes one sample of half a millisecond under any protocol") {
  for (const double shortest_ns : {65536.0, 20e6}) {
    const auto result = measured(fake::Script{}, "search", shortest_ns).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const auto& samples = result.measurement.value().samples;
    REQUIRE(samples.size() == 1);
    CHECK(*samples[0].timing.device_ns >= 0.5e6);
    CHECK(*samples[0].timing.device_ns < 1.5e6);
  }
}

TEST_CASE("a bandwidth with a wrong result is invalid; a missing feature is unsupported") {
  fake::Script script;
  script.after_run = [](const Dispatch& dispatch, double, std::size_t run) {
    if (dispatch.parameters.size() == kParameters && run == 3) fake::contents(dispatch.bindings[1])[5] ^= std::byte{1};
  };
  auto result = measured(script, "best").result;
  CHECK(result.outcome.status == Status::invalid);
  CHECK(result.outcome.reason.rfind("invocation 1 ended with ", 0) == 0);
  CHECK_FALSE(result.measurement);

  script = {};
  script.after_run = [](const Dispatch&, double, std::size_t) {
    throw DeviceError(Api::opencl, DeviceError::Kind::unsupported, "call", "code", "texels of 8 B");
  };
  result = measured(script, "best").result;
  CHECK_WORDS("bandwidth-trial.refused-texels", result.outcome);
}

}  // namespace
}  // namespace percycle::bandwidth_measurer_test
