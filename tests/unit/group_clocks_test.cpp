#include "measure/group_clocks.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace percycle::group_clocks_test {
namespace {

/// A device on which kernels can read everything; its device-wide clock ticks every 2 ns.
DeviceInfo device() {
  DeviceInfo info;
  info.unit_clock = KernelClock{"test", false, {}};
  info.device_clock = KernelClock{"test", true, 2.0};
  info.unit_id = "test";
  return info;
}

/// Units 7 and 9 with two groups each and independent counters. On unit 7 the groups overlap for
/// half of their time, on unit 9 one follows the other.
std::vector<GroupStamp> stamps() {
  return {{1000, 1400, 50, 150, 7}, {900000, 900100, 45, 70, 9}, {1200, 1600, 100, 200, 7}, {900100, 900300, 70, 120, 9}};
}

TEST_CASE("group clocks: spans by unit and device, rates and concurrency") {
  const GroupClocks clocks = reduce(stamps(), device());
  CHECK(clocks.groups == 4);
  CHECK(clocks.units == 2);
  CHECK(clocks.span_ns == 2 * (200 - 45));
  REQUIRE(clocks.ticks);
  CHECK(clocks.ticks->median == (600 + 300) / 2.0);
  CHECK(clocks.ticks->min == 300);
  CHECK(clocks.ticks->max == 600);
  CHECK(clocks.ticks_per_ns == (600 / 300.0 + 300 / 150.0) / 2);
  CHECK(clocks.groups_per_tick == (2 / 600.0 + 2 / 300.0) / 2);
  CHECK(clocks.groups_at_once == (800 / 600.0 + 300 / 300.0) / 2);
  CHECK(clocks.most_at_once == 2);
}

TEST_CASE("group clocks: a group that is held up between its reads of the clocks does not change the rate") {
  auto held_up = stamps();
  held_up[2].unit_begin += 150;
  held_up[3].unit_begin += 50;
  CHECK(reduce(held_up, device()).ticks_per_ns == 2);
  DeviceInfo info = device();
  info.unit_id.reset();  // any group may be the first of a unit
  CHECK(reduce(held_up, info).ticks_per_ns == doctest::Approx((2 + 1.5) / 2));
}

TEST_CASE("group clocks: a unit whose last end is no later than its first start by the device-wide clock has no rate") {
  auto held_up = stamps();
  held_up[0].device_begin = 100;
  held_up[0].device_end = 250;
  held_up[2].device_begin = 50;
  held_up[2].device_end = 100;
  CHECK(reduce(held_up, device()).ticks_per_ns == 300 / 150.0);  // of unit 9 alone
  held_up[2].device_end = 99;
  CHECK(reduce(held_up, device()).ticks_per_ns == 300 / 150.0);
}

TEST_CASE("group clocks: groups that follow each other do not overlap, whatever their order") {
  CHECK(reduce(std::vector<GroupStamp>{{100, 200, 0, 0, 1}, {0, 100, 0, 0, 1}, {200, 300, 0, 0, 1}}, device()).most_at_once == 1);
  CHECK(reduce(std::vector<GroupStamp>{{100, 201, 0, 0, 1}, {0, 101, 0, 0, 1}, {200, 300, 0, 0, 1}}, device()).most_at_once == 2);
  CHECK(reduce(std::vector<GroupStamp>{{0, 9, 0, 0, 1}, {1, 9, 0, 0, 1}, {2, 9, 0, 0, 1}, {3, 4, 0, 0, 2}}, device())
            .most_at_once == 3);
}

TEST_CASE("group clocks: without unit numbers each group counts alone") {
  DeviceInfo info = device();
  info.unit_id.reset();
  const GroupClocks clocks = reduce(stamps(), info);
  CHECK_FALSE(clocks.units);
  REQUIRE(clocks.ticks);
  CHECK(clocks.ticks->median == 300);
  CHECK(clocks.ticks->min == 100);
  CHECK(clocks.ticks->max == 400);
  CHECK(clocks.span_ns == 310);
  CHECK(clocks.ticks_per_ns == 2);
  CHECK_FALSE(clocks.groups_per_tick);
  CHECK_FALSE(clocks.groups_at_once);
}

TEST_CASE("group clocks: values that the device cannot read are absent") {
  DeviceInfo info = device();
  info.unit_clock.reset();
  GroupClocks clocks = reduce(stamps(), info);
  CHECK(clocks.units == 2);
  CHECK(clocks.span_ns == 310);
  CHECK_FALSE(clocks.ticks);
  CHECK_FALSE(clocks.ticks_per_ns);
  CHECK_FALSE(clocks.groups_per_tick);

  info = device();
  info.device_clock.reset();
  clocks = reduce(stamps(), info);
  CHECK(clocks.ticks);
  CHECK(clocks.groups_per_tick);
  CHECK_FALSE(clocks.span_ns);
  CHECK_FALSE(clocks.ticks_per_ns);

  info = device();
  info.device_clock->tick_ns.reset();  // a clock of unknown unit
  CHECK_FALSE(reduce(stamps(), info).span_ns);

  CHECK_THROWS_AS(reduce({}, device()), std::invalid_argument);
}

TEST_CASE("group clocks: a counter that wraps within the dispatch is the same one") {
  const GroupClocks plain = reduce(stamps(), device());
  for (const std::uint64_t before_wrap : {1100, 1300, 1500}) {
    CAPTURE(before_wrap);
    auto wrapped = stamps();
    for (auto& stamp : wrapped) {
      if (stamp.unit != 7) continue;
      for (auto* count : {&stamp.unit_begin, &stamp.unit_end}) *count = (*count - before_wrap) & 0xffffffffu;
    }
    const GroupClocks clocks = reduce(wrapped, device());
    REQUIRE(clocks.ticks);
    CHECK(clocks.ticks->max == plain.ticks->max);
    CHECK(clocks.groups_per_tick == plain.groups_per_tick);
    CHECK(clocks.groups_at_once == plain.groups_at_once);
  }
  auto wrapped = stamps();  // the device-wide clock wraps between the groups' begins
  for (auto& stamp : wrapped) {
    for (auto* count : {&stamp.device_begin, &stamp.device_end}) *count = (*count - 60) & 0xffffffffu;
  }
  CHECK(reduce(wrapped, device()).span_ns == 310);
}

TEST_CASE("group clocks: a counter that ran backwards is ignored, the other is not") {
  auto wrong = stamps();
  wrong[3].unit_begin = (std::uint64_t{1} << 40) + 5;
  wrong[3].unit_end = 7;
  GroupClocks clocks = reduce(wrong, device());
  CHECK_FALSE(clocks.ticks);
  CHECK_FALSE(clocks.groups_per_tick);
  CHECK_FALSE(clocks.groups_at_once);
  CHECK_FALSE(clocks.ticks_per_ns);
  CHECK(clocks.span_ns == 310);

  wrong = stamps();
  wrong[1].device_begin = (std::uint64_t{1} << 40) + 5;
  clocks = reduce(wrong, device());
  CHECK(clocks.ticks);
  CHECK_FALSE(clocks.span_ns);
  CHECK_FALSE(clocks.ticks_per_ns);
}

/// Units 7 and 9 at both ends of a dispatch, unit 5 at its start only, unit 3 at its end only.
/// Between their stamps, 7 counts 100 000 ticks in 50 000 ns and 9 counts 90 000 in 60 000 ns. The
/// second group of 7 paused between its two clocks.
std::vector<GroupStamp> stamps_of_ends() {
  return {{1000, 1400, 50, 150, 7},          {1200, 1700, 45, 160, 7},
          {5000, 5300, 40, 190, 9},          {8, 30, 55, 66, 5},
          {100300, 100900, 24800, 24990, 7}, {100500, 101000, 24850, 25050, 7},
          {94000, 95000, 29840, 30040, 9},   {77, 99, 30000, 30050, 3}};
}

TEST_CASE("group clocks of a dispatch's ends: each unit counts from its first group to its last") {
  const GroupClocks clocks = reduce_ends(stamps_of_ends(), device());
  CHECK(clocks.groups == 8);
  CHECK(clocks.units == 4);
  CHECK(clocks.span_ns == 2 * (30050 - 40));
  REQUIRE(clocks.ticks);
  CHECK(clocks.ticks->min == 90000);
  CHECK(clocks.ticks->max == 100000);
  CHECK(clocks.ticks->median == 95000);
  CHECK(clocks.ticks_per_ns == (100000 / 50000.0 + 90000 / 60000.0) / 2);
  CHECK_FALSE(clocks.groups_per_tick);  // the number of groups in between is unknown
  CHECK_FALSE(clocks.groups_at_once);
}

TEST_CASE("group clocks of a dispatch's ends: values that the device cannot read are absent") {
  DeviceInfo info = device();
  info.device_clock.reset();
  GroupClocks clocks = reduce_ends(stamps_of_ends(), info);
  CHECK(clocks.ticks->median == 95000);
  CHECK_FALSE(clocks.span_ns);
  CHECK_FALSE(clocks.ticks_per_ns);

  info = device();
  info.unit_clock.reset();
  clocks = reduce_ends(stamps_of_ends(), info);
  CHECK(clocks.units == 4);
  CHECK(clocks.span_ns == 60020);
  CHECK_FALSE(clocks.ticks);

  info = device();
  info.unit_id.reset();
  clocks = reduce_ends(stamps_of_ends(), info);
  CHECK_FALSE(clocks.units);
  CHECK_FALSE(clocks.ticks);
  CHECK_FALSE(clocks.ticks_per_ns);

  CHECK_THROWS_AS(reduce_ends({}, device()), std::invalid_argument);
}

TEST_CASE("group clocks of a dispatch's ends: no unit at both ends, or a counter that ran backwards, gives no ticks") {
  auto apart = stamps_of_ends();
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i].unit = i;
  CHECK(reduce_ends(apart, device()).units == 8);
  CHECK_FALSE(reduce_ends(apart, device()).ticks);
  CHECK_FALSE(reduce_ends(apart, device()).ticks_per_ns);

  auto wrong = stamps_of_ends();
  wrong[6].unit_begin = (std::uint64_t{1} << 40) + 5;
  CHECK_FALSE(reduce_ends(wrong, device()).ticks);
  CHECK(reduce_ends(wrong, device()).span_ns == 60020);

  auto standing = stamps_of_ends();
  for (auto& stamp : standing) stamp.unit_begin = stamp.unit_end = 5;
  CHECK_FALSE(reduce_ends(standing, device()).ticks);
  CHECK_FALSE(reduce_ends(standing, device()).ticks_per_ns);

  auto wrapped = stamps_of_ends();  // at 32 bits, between the ends
  for (auto& stamp : wrapped) {
    for (auto* count : {&stamp.unit_begin, &stamp.unit_end}) *count = (*count - 50000) & 0xffffffffu;
  }
  CHECK(reduce_ends(wrapped, device()).ticks->median == 95000);
}

TEST_CASE("group clocks: groups shorter than a step of the device-wide clock have no rate, and standing counters no span") {
  auto coarse = stamps();
  for (auto& stamp : coarse) stamp.device_begin = stamp.device_end = 45;
  coarse[2].device_end += 50;
  CHECK(reduce(coarse, device()).ticks_per_ns == 600 / 100.0);
  for (auto& stamp : coarse) stamp = {5, 5, 6, 6, stamp.unit};
  const GroupClocks standing = reduce(coarse, device());
  CHECK_FALSE(standing.ticks);
  CHECK_FALSE(standing.span_ns);
  CHECK_FALSE(standing.ticks_per_ns);
}

}  // namespace
}  // namespace percycle::group_clocks_test
