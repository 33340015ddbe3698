#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "measure/statistics.hpp"

namespace percycle::statistics_derived_test {
namespace {

/// A device with a 1 ns timer that reports 1500 MHz.
DeviceInfo device() {
  DeviceInfo info;
  info.timer_period_ns = 1;
  info.clock_mhz = Sourced<double>{1500, Provenance::reported};
  return info;
}

Sample sample(std::uint64_t ops, double host_ns, std::optional<double> device_ns, std::optional<std::uint64_t> ticks = {},
              std::optional<double> realtime_ns = {}) {
  return {.ops = ops, .timing = {host_ns, device_ns}, .clock = {ticks, realtime_ns}};
}

Measurement derived(std::vector<Sample> samples, const DeviceInfo& info = device(), std::vector<Sample> control = {},
                    std::optional<double> idle_ns = {}) {
  Measurement measurement;
  measurement.samples = std::move(samples);
  measurement.control_samples = std::move(control);
  measurement.idle_ns = idle_ns;
  derive_statistics(measurement, DeviceClock(info));
  return measurement;
}

const Summary* statistic(const Measurement& measurement, const std::string& name) {
  const auto found = measurement.statistics.find(name);
  return found == measurement.statistics.end() ? nullptr : &found->second;
}

double median_of(const Measurement& measurement, const std::string& name) {
  const auto* summary = statistic(measurement, name);
  REQUIRE_MESSAGE(summary != nullptr, name);
  return summary->median;
}

constexpr std::uint64_t kOps = 1000;

TEST_CASE("no samples have no statistics") {
  Measurement measurement;
  CHECK_THROWS_AS(derive_statistics(measurement, DeviceClock(device())), std::invalid_argument);
}

TEST_CASE("time comes from the in-kernel clock where there is one") {
  const auto m = derived(
      {sample(kOps, 60000, 50000, {}, 32000), sample(kOps, 60000, 50000, {}, 34000), sample(kOps, 60000, 50000, {}, 40000)},
      device(), {}, 9000);
  CHECK(m.time_source == "in-kernel clock");
  CHECK(m.warnings.empty());
  const auto& ns = *statistic(m, "ns_per_op");
  CHECK(ns.median == 34);  // idle time is outside of it
  CHECK(ns.mad == 2);
  CHECK(ns.min == 32);
  CHECK(ns.max == 40);
  CHECK(ns.n == 3);
  CHECK(median_of(m, "device_ns_per_op") == 50);
}

TEST_CASE("a CPU also has the fastest tenth of the samples, at least one") {
  DeviceInfo cpu = device();
  cpu.type = DeviceType::cpu;
  std::vector<Sample> samples{sample(kOps, 60000, 50000), sample(kOps, 60000, 42000), sample(kOps, 60000, 44000)};
  auto m = derived(samples, cpu, {}, 2000);
  CHECK(median_of(m, "ns_per_op") == 42);
  CHECK(median_of(m, "fastest_ns_per_op") == 40);
  CHECK(statistic(m, "fastest_ns_per_op")->n == 1);
  CHECK(median_of(m, "fastest_cycles_per_op") == doctest::Approx(60));
  CHECK(statistic(m, "fastest_device_ns_per_op") == nullptr);

  // The fastest 3 of 21, at any positions.
  for (int i = 0; i < 18; ++i) samples.push_back(sample(kOps, 90000, 80000));
  m = derived(samples, cpu, {}, 2000);
  CHECK(median_of(m, "ns_per_op") == 78);
  const auto& fastest = *statistic(m, "fastest_ns_per_op");
  CHECK(fastest.n == 3);
  CHECK(fastest.median == 42);
  CHECK(fastest.mad == 2);
  CHECK(fastest.max == 48);

  for (const DeviceType type : {DeviceType::gpu, DeviceType::other}) {
    cpu.type = type;
    CHECK(statistic(derived(samples, cpu, {}, 2000), "fastest_ns_per_op") == nullptr);
  }
}

TEST_CASE("else from the device timer, less the time of an idle dispatch") {
  const auto m = derived({sample(kOps, 60000, 50000), sample(2 * kOps, 99000, 90000)}, device(), {}, 10000);
  CHECK(m.time_source == "device timer");
  CHECK(median_of(m, "ns_per_op") == 40);
  CHECK(median_of(m, "device_ns_per_op") == 47.5);  // nothing subtracted
  CHECK(m.warnings.empty());
}

TEST_CASE("else from the host timer, and then there is no device time") {
  const auto m = derived({sample(kOps, 60000, {}), sample(kOps, 62000, {})}, device(), {}, 10000);
  CHECK(m.time_source == "host timer");
  CHECK(median_of(m, "ns_per_op") == 51);
  CHECK(statistic(m, "device_ns_per_op") == nullptr);
  CHECK(statistic(m, "control_ns_per_op") == nullptr);
  CHECK(statistic(m, "net_ns_per_op") == nullptr);
}

TEST_CASE("one sample without the better clock is enough to fall back") {
  CHECK(derived({sample(kOps, 60000, 50000, {}, 32000), sample(kOps, 60000, 50000)}).time_source == "device timer");
  CHECK(derived({sample(kOps, 60000, 50000, {}, 32000), sample(kOps, 60000, 50000, {}, 0)}).time_source == "device timer");
  CHECK(derived({sample(kOps, 60000, 50000), sample(kOps, 60000, {})}).time_source == "host timer");
  CHECK(derived({sample(kOps, 60000, 50000), sample(kOps, 60000, 0)}).time_source == "host timer");
}

TEST_CASE("a device timer that runs past the host's is not used, and said") {
  const auto m = derived({sample(kOps, 1e6, 1.5e6)});
  CHECK(m.time_source == "host timer");
  CHECK(median_of(m, "ns_per_op") == 1000);
  CHECK_WORDS("measurer.device-timer-long", m.warnings);
  // Two clocks may drift by 2 % and 10 us.
  CHECK(derived({sample(kOps, 1e6, 1.029e6)}).time_source == "device timer");
  CHECK(derived({sample(kOps, 1e6, 1.031e6)}).time_source == "host timer");
}

TEST_CASE("an in-kernel clock that runs past its dispatch is not used, and said") {
  const auto m = derived({sample(kOps, 2e6, 1e6, {}, 1.5e6)});
  CHECK(m.time_source == "device timer");
  CHECK(median_of(m, "ns_per_op") == 1000);
  CHECK_WORDS("statistics.clock-beyond-dispatch", m.warnings);
  CHECK(derived({sample(kOps, 2e6, 1e6, {}, 1.029e6)}).time_source == "in-kernel clock");
}

TEST_CASE("a sample no longer than an idle dispatch is said, and gives no time per operation") {
  const auto m =
      derived({sample(kOps, 60000, 9000), sample(kOps, 60000, 20000), sample(kOps, 60000, 30000)}, device(), {}, 10000);
  CHECK(is_too_short(m));
  CHECK(statistic(m, "ns_per_op") == nullptr);
  CHECK(statistic(m, "cycles_per_op") == nullptr);
  CHECK(median_of(m, "device_ns_per_op") == 20);
  CHECK_WORDS("statistics.sample-without-time", m.warnings);
  CHECK_FALSE(is_too_short(derived({sample(kOps, 60000, 10001)}, device(), {}, 10000)));
  CHECK(derived({sample(kOps, 60000, 9000, {}, 500)}, device(), {}, 10000).warnings.empty());
}

TEST_CASE("a unit's counter that counts cycles gives the cycles and the clock") {
  // 34 000 ticks in 20 000 ns.
  const auto m = derived({sample(kOps, 60000, 50000, 34000, 20000)});
  CHECK(median_of(m, "cycles_per_op") == 34);
  REQUIRE(m.clock_mhz);
  CHECK(m.clock_mhz->value == 1700);
  CHECK(m.clock_mhz->provenance == Provenance::measured_in_kernel);
  CHECK_FALSE(m.counter_mhz);
}

TEST_CASE("counted cycles stay if a sample is too short for a time") {
  const auto m = derived({sample(kOps, 60000, 9000, 80000), sample(kOps, 60000, 50000, 80000), sample(kOps, 60000, 50000, 82000)},
                         device(), {}, 10000);
  CHECK(median_of(m, "cycles_per_op") == 80);
  CHECK(statistic(m, "ns_per_op") == nullptr);
  REQUIRE(m.clock_mhz);
  CHECK(m.clock_mhz->value == 2025);  // by the two samples that have a time
  CHECK(m.clock_mhz->provenance == Provenance::measured_in_kernel);
}

TEST_CASE("if the counter of a control stood still, its statistic is left out with a warning") {
  const auto m = derived({sample(kOps, 60000, 50000, 34000, 20000)}, device(), {sample(kOps, 60000, 50000, 0, 20000)});
  CHECK(median_of(m, "cycles_per_op") == 34);
  CHECK(statistic(m, "control_cycles_per_op") == nullptr);
  CHECK_WORDS("statistics.control-of-zero", m.warnings);
}

TEST_CASE("the counter's rate is taken against the device timer, too") {
  const auto m = derived({sample(kOps, 60000, 50000, 80000)}, device(), {}, 10000);
  CHECK(median_of(m, "cycles_per_op") == 80);
  REQUIRE(m.clock_mhz);
  CHECK(m.clock_mhz->value == 2000);
  CHECK(m.clock_mhz->provenance == Provenance::measured_in_kernel);
}

TEST_CASE("all points so far decide the unit that a counter counts") {
  const DeviceInfo info = device();
  const auto after = [&](std::uint64_t ticks, const DeviceClock& clock) {
    Measurement m;
    m.samples = {sample(kOps, 60000, 50000, ticks, 20000)};
    derive_statistics(m, clock);
    return m;
  };
  DeviceClock core(info);
  DeviceClock reference(info);
  const auto alone = after(20000, DeviceClock(info));  // one tick per nanosecond, like the timer
  CHECK(alone.counter_mhz == 1000);
  for (int i = 0; i < 2; ++i) {
    core.observe(after(34000, core));
    reference.observe(alone);
  }
  CHECK(core.counter_rates() == std::vector<double>{1.7, 1.7});
  CHECK(reference.counter_rates() == std::vector<double>{1, 1});
  const auto slowed = after(20000, core);  // a core clock at the same rate by chance
  CHECK_FALSE(slowed.counter_mhz);
  CHECK(slowed.clock_mhz->provenance == Provenance::measured_in_kernel);
  core.observe(slowed);
  CHECK(core.counter_rates().back() == 1);
  CHECK(after(20200, reference).counter_mhz == 1010);  // a hundredth off by a disturbed timer
  reference.observe(derived({sample(kOps, 60000, 50000)}));
  CHECK(reference.counter_rates().size() == 2);
}

TEST_CASE("a counter of fixed rate is no clock: cycles then come from the reported one") {
  DeviceInfo info = device();
  info.timer_period_ns = 10;
  const auto m = derived({sample(kOps, 60000, 40000, 4000)}, info);
  REQUIRE(m.counter_mhz);
  CHECK(*m.counter_mhz == 100);
  REQUIRE(m.clock_mhz);
  CHECK(*m.clock_mhz == Sourced<double>{1500, Provenance::reported});
  CHECK(median_of(m, "cycles_per_op") == 60);  // 40 ns at 1.5 GHz
}

TEST_CASE("no counter: cycles from the reported clock, which keeps its provenance") {
  DeviceInfo info = device();
  info.clock_mhz->provenance = Provenance::catalogue;
  const auto m = derived({sample(kOps, 60000, 40000)}, info, {sample(kOps, 60000, 2000)});
  CHECK(median_of(m, "cycles_per_op") == 60);
  CHECK(median_of(m, "control_cycles_per_op") == 3);
  CHECK(median_of(m, "net_cycles_per_op") == 57);
  REQUIRE(m.clock_mhz);
  CHECK(m.clock_mhz->provenance == Provenance::catalogue);
  CHECK_FALSE(m.counter_mhz);
}

TEST_CASE("no clock at all: no cycles") {
  DeviceInfo info = device();
  info.clock_mhz.reset();
  const auto m = derived({sample(kOps, 60000, 40000, 40000)}, info);  // 1 tick per ns
  CHECK(median_of(m, "ns_per_op") == 40);
  CHECK(statistic(m, "cycles_per_op") == nullptr);
  CHECK_FALSE(m.clock_mhz);
  REQUIRE(m.counter_mhz);
  CHECK(*m.counter_mhz == 1000);
}

TEST_CASE("a sample with an unclassified counter leaves the counter out") {
  const auto m = derived({sample(kOps, 60000, 40000, 80000), sample(kOps, 60000, 40000)});
  CHECK(median_of(m, "cycles_per_op") == 60);
  CHECK(m.clock_mhz->provenance == Provenance::reported);
  CHECK_FALSE(m.counter_mhz);
}

TEST_CASE("net columns: every sample less the control's median, the spread untouched") {
  const auto m = derived({sample(kOps, 90000, 80000, 64000, 30000), sample(kOps, 90000, 80000, 68000, 34000),
                          sample(kOps, 90000, 80000, 80000, 40000)},
                         device(), {sample(kOps, 90000, 5000, 4000, 2000), sample(kOps, 90000, 5000, 8000, 4000)});
  CHECK(median_of(m, "control_ns_per_op") == 3);
  CHECK(median_of(m, "control_cycles_per_op") == 6);
  const auto& ns = *statistic(m, "net_ns_per_op");
  CHECK(ns.median == 31);
  CHECK(ns.min == 27);
  CHECK(ns.max == 37);
  CHECK(ns.mad == 4);
  CHECK(ns.n == 3);
  const auto& cycles = *statistic(m, "net_cycles_per_op");
  CHECK(cycles.median == 62);
  CHECK(cycles.mad == statistic(m, "cycles_per_op")->mad);
  // Raw stays raw.
  CHECK(median_of(m, "ns_per_op") == 34);
  CHECK(median_of(m, "cycles_per_op") == 68);
}

TEST_CASE("net columns: a control with half of the operations leaves the time of the other half") {
  Measurement measured;
  measured.samples = {sample(kOps, 90000, 80000, 64000, 30000), sample(kOps, 90000, 80000, 68000, 34000),
                      sample(kOps, 90000, 80000, 80000, 40000)};
  measured.control_samples = {sample(kOps, 90000, 5000, 40000, 20000)};
  measured.control_share = 0.5;
  derive_statistics(measured, DeviceClock(device()));
  const auto& ns = *statistic(measured, "net_ns_per_op");
  CHECK(ns.median == 2 * (34 - 20 / 2.0));
  CHECK(ns.min == 2 * (30 - 20 / 2.0));
  CHECK(ns.max == 2 * (40 - 20 / 2.0));
  CHECK(ns.mad == 8);
}

TEST_CASE("a control kernel that takes longer than the timed kernel is a warning") {
  const auto overlapping = derived({sample(kOps, 90000, 80000, 4000, 3000)}, device(), {sample(kOps, 90000, 80000, 5000, 4000)});
  CHECK(median_of(overlapping, "net_ns_per_op") == -1);
  REQUIRE(overlapping.warnings.size() == 1);
  CHECK(overlapping.warnings[0].find("the net value is not a latency") != std::string::npos);
  CHECK(derived({sample(kOps, 90000, 80000, 5000, 4000)}, device(), {sample(kOps, 90000, 80000, 5000, 4000)}).warnings.empty());
}

TEST_CASE("the sum of a series to each operation, where every sample has it") {
  Measurement measurement;
  measurement.samples = {sample(kOps, 90000, 80000), sample(2 * kOps, 90000, 80000), sample(kOps, 90000, 80000)};
  measurement.series["tries"] = {{500, 500}, {1500, 2500}, {700, 800}};
  derive_series_sum(measurement, "tries");
  const auto& tries = *statistic(measurement, "tries_per_op");
  CHECK(tries.min == 1);
  CHECK(tries.median == 1.5);
  CHECK(tries.max == 2);
  measurement.statistics.clear();
  measurement.series["tries"].pop_back();
  derive_series_sum(measurement, "tries");
  CHECK(statistic(measurement, "tries_per_op") == nullptr);
}

TEST_CASE("the control is taken from the clock of the samples") {
  CHECK(median_of(derived({sample(kOps, 60000, 40000)}, device(), {sample(kOps, 9000, 2000)}), "control_ns_per_op") == 2);
  CHECK(median_of(derived({sample(kOps, 60000, {})}, device(), {sample(kOps, 9000, {})}), "control_ns_per_op") == 9);
  // In-kernel samples with a control without this clock: two clocks are not mixed.
  const auto m = derived({sample(kOps, 60000, 40000, {}, 30000)}, device(), {sample(kOps, 9000, 2000)});
  CHECK(statistic(m, "control_ns_per_op") == nullptr);
  CHECK(statistic(m, "net_ns_per_op") == nullptr);
}

}  // namespace
}  // namespace percycle::statistics_derived_test
