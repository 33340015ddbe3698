#include <doctest/doctest.h>

#include <vector>

#include "measure/statistics.hpp"

namespace percycle::bandwidth_statistics_test {
namespace {

/// Two units at a reported 1000 MHz.
DeviceInfo device() {
  DeviceInfo info;
  info.timer_period_ns = 1;
  info.clock_mhz = Sourced<double>{1000, Provenance::reported};
  info.units = Sourced<std::uint32_t>{2, Provenance::reported};
  return info;
}

constexpr std::uint64_t kOps = 1000;
constexpr Work kWork{.bytes_per_op = 4096, .group_bytes_per_op = 1024};

GroupClocks everything() {
  return {.groups = 4,
          .units = 2,
          .span_ns = 20000,
          .ticks = GroupClocks::Range{29000, 28000, 30000},
          .ticks_per_ns = 1.5,
          .groups_per_tick = 2 / 29000.0,
          .groups_at_once = 1.75,
          .most_at_once = {}};
}

Measurement derived(const GroupClocks& groups, const DeviceInfo& info = device()) {
  Measurement measurement;
  measurement.samples.assign(3, {.ops = kOps, .timing = {60000, 50000}, .clock = {}, .groups = groups});
  measurement.idle_ns = 10000;
  measurement.work = kWork;
  derive_statistics(measurement, DeviceClock(info));
  return measurement;
}

double value(const Measurement& measurement, const char* name) { return measurement.statistics.at(name).median; }

TEST_CASE("bandwidth statistics: by the unit's own cycles, with no frequency in between") {
  const auto m = derived(everything());
  CHECK(m.time_source == "in-kernel clock");
  CHECK(value(m, "ns_per_op") == 20);
  CHECK(value(m, "gb_per_s") == 4096.0 * kOps / 20000);
  REQUIRE(m.clock_mhz);
  CHECK(*m.clock_mhz == Sourced<double>{1500, Provenance::measured_in_kernel});
  CHECK(value(m, "cycles_per_op") == 29);
  CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(1024.0 * kOps * 2 / 29000));
  CHECK(value(m, "units") == 2);
  CHECK(value(m, "groups_at_once") == 1.75);
}

TEST_CASE("bandwidth statistics: operations of so many lanes are a rate as bytes are") {
  Measurement m;
  m.samples.assign(3, {.ops = kOps, .timing = {60000, 50000}, .clock = {}, .groups = everything()});
  m.idle_ns = 10000;
  m.participants = Participants{.dispatch = 512, .group = 128};
  derive_statistics(m, DeviceClock(device()));
  CHECK(value(m, "gops_per_s") == 512.0 * kOps / 20000);
  CHECK(value(m, "ops_per_unit_cycle") == doctest::Approx(128.0 * kOps * 2 / 29000));
  CHECK(value(m, "units") == 2);
  CHECK_FALSE(m.statistics.contains("gb_per_s"));
  CHECK_FALSE(m.statistics.contains("bytes_per_unit_cycle"));
}

TEST_CASE("bandwidth statistics: a fixed-rate counter is no clock; the reported one is used and says so") {
  auto groups = everything();
  groups.ticks_per_ns = 1.001;  // a nanosecond counter
  const auto m = derived(groups);
  REQUIRE(m.clock_mhz);
  CHECK(*m.clock_mhz == Sourced<double>{1000, Provenance::reported});
  CHECK(m.counter_mhz == doctest::Approx(1001));
  CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(4096.0 * kOps / 20000 / 1.0 / 2));
}

TEST_CASE("bandwidth statistics: cycles of groups whose units are not known give the clock, not the sum") {
  auto groups = everything();
  groups.units.reset();
  groups.groups_per_tick.reset();
  groups.groups_at_once.reset();
  const auto m = derived(groups);
  CHECK(*m.clock_mhz == Sourced<double>{1500, Provenance::measured_in_kernel});
  CHECK(value(m, "units") == 2);  // as reported: there were groups for both
  CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(4096.0 * kOps / 20000 / 1.5 / 2));
  CHECK_FALSE(m.statistics.contains("groups_at_once"));

  groups.groups = 3;  // the number of units used by three groups of four is unknown
  DeviceInfo four = device();
  four.units->value = 4;
  const auto few = derived(groups, four);
  CHECK_FALSE(few.statistics.contains("units"));
  CHECK_FALSE(few.statistics.contains("bytes_per_unit_cycle"));
  CHECK(value(few, "gb_per_s") == 4096.0 * kOps / 20000);

  groups.groups = 1;  // but one group uses one
  const auto one = derived(groups, four);
  CHECK(value(one, "units") == 1);
  CHECK(value(one, "bytes_per_unit_cycle") == doctest::Approx(4096.0 * kOps / 20000 / 1.5));
}

TEST_CASE(
    "bandwidth statistics: without a device-wide clock the unit's counter is held against the dispatch, where it is the unit's") {
  auto groups = everything();
  groups.span_ns.reset();
  groups.ticks_per_ns.reset();
  const auto m = derived(groups);
  CHECK(m.time_source == "device timer");
  CHECK(value(m, "gb_per_s") == 4096.0 * kOps / 40000);
  CHECK(m.clock_mhz->value == doctest::Approx(29000 / 40000.0 * 1e3));
  CHECK(m.clock_mhz->provenance == Provenance::measured_in_kernel);
  CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(1024.0 * kOps * 2 / 29000));

  groups.units.reset();  // a single group may be any part of the dispatch
  groups.groups_per_tick.reset();
  const auto unknown = derived(groups);
  CHECK(*unknown.clock_mhz == Sourced<double>{1000, Provenance::reported});
  CHECK(value(unknown, "bytes_per_unit_cycle") == doctest::Approx(4096.0 * kOps / 40000 / 2));
}

TEST_CASE("bandwidth statistics: groups that end before their stores give the clock, the dispatch gives the time") {
  auto groups = everything();
  groups.span_ns.reset();
  groups.ticks.reset();
  groups.groups_per_tick.reset();
  const auto m = derived(groups);
  CHECK(m.time_source == "device timer");
  CHECK(*m.clock_mhz == Sourced<double>{1500, Provenance::measured_in_kernel});
  CHECK(value(m, "cycles_per_op") == doctest::Approx(40 * 1.5));
  CHECK(value(m, "bytes_per_unit_cycle") == doctest::Approx(4096.0 * kOps / 40000 / 1.5 / 2));
}

TEST_CASE("bandwidth statistics: unknown values stay absent") {
  GroupClocks groups;
  groups.groups = 4;
  DeviceInfo info = device();
  info.clock_mhz.reset();
  auto m = derived(groups, info);
  CHECK(m.statistics.contains("gb_per_s"));
  CHECK(m.statistics.contains("units"));
  CHECK_FALSE(m.statistics.contains("bytes_per_unit_cycle"));
  CHECK_FALSE(m.clock_mhz);
  info = device();
  info.units.reset();
  m = derived(groups, info);
  CHECK_FALSE(m.statistics.contains("units"));
  CHECK_FALSE(m.statistics.contains("bytes_per_unit_cycle"));
}

TEST_CASE("bandwidth statistics: none without work") {
  Measurement measurement;
  measurement.samples.assign(3, {.ops = kOps, .timing = {60000, 50000}, .clock = {}, .groups = everything()});
  derive_statistics(measurement, DeviceClock(device()));
  for (const char* name : {"gb_per_s", "bytes_per_unit_cycle", "units", "groups_at_once"}) {
    CHECK_FALSE(measurement.statistics.contains(name));
  }
  CHECK(value(measurement, "cycles_per_op") == 29);
}

}  // namespace
}  // namespace percycle::bandwidth_statistics_test
