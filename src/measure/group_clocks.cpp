#include "measure/group_clocks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "measure/counter.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

/// A group's readings of a counter, relative to another reading of the counter.
struct Stretch {
  double begin;
  double ticks;
  double end() const { return begin + ticks; }
};

/// The distance of `reading` from `origin`, positive or negative: the shorter way if the counter
/// may have wrapped at 32 bits.
double distance(std::uint64_t origin, std::uint64_t reading) {
  const bool narrow = std::max(origin, reading) <= std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t ahead = reading - origin;
  return narrow ? static_cast<double>(static_cast<std::int32_t>(ahead)) : static_cast<double>(static_cast<std::int64_t>(ahead));
}

/// All groups' stretches of one counter; empty if it ran backwards in one of them.
std::vector<Stretch> stretches(std::span<const GroupStamp> stamps, std::uint64_t GroupStamp::*begin,
                               std::uint64_t GroupStamp::*end) {
  std::vector<Stretch> all;
  for (const auto& stamp : stamps) {
    const auto ticks = elapsed_ticks(stamp.*begin, stamp.*end);
    if (!ticks) return {};
    all.push_back({distance(stamps.front().*begin, stamp.*begin), static_cast<double>(*ticks)});
  }
  return all;
}

/// The groups that began first and ended last; indices.
struct Ends {
  std::size_t first;
  std::size_t last;
};

Ends ends_of(std::span<const Stretch> all) {
  const auto first = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  const auto last = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.end() < b.end(); });
  return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

double span_of(std::span<const Stretch> all, const Ends& ends) { return all[ends.last].end() - all[ends.first].begin; }

double span_of(std::span<const Stretch> all) { return span_of(all, ends_of(all)); }

GroupClocks::Range range_of(const std::vector<double>& values) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  return {median(values), *min, *max};
}

/// The most stretches that contain one moment. If one ends as another begins, they do not overlap.
std::uint64_t most_together(std::span<const Stretch> all) {
  std::vector<std::pair<double, bool>> events;  // ends before begins
  for (const auto& stretch : all) {
    events.emplace_back(stretch.begin, true);
    events.emplace_back(stretch.end(), false);
  }
  std::sort(events.begin(), events.end());
  std::uint64_t most = 0;
  std::uint64_t running = 0;
  for (const auto& [when, begins] : events) {
    if (begins) {
      most = std::max(most, ++running);
    } else {
      --running;
    }
  }
  return most;
}

/// All groups' stretches of the device-wide clock; empty if it has no known unit, ran backwards or
/// stood still.
std::vector<Stretch> device_stretches(std::span<const GroupStamp> stamps, const DeviceInfo& device) {
  if (!device.device_clock || !device.device_clock->tick_ns) return {};
  auto all = stretches(stamps, &GroupStamp::device_begin, &GroupStamp::device_end);
  if (!all.empty() && span_of(all) <= 0) all.clear();
  return all;
}

/// The rate of a unit's counter from its first start to its last end; empty if these are no longer
/// than a step of the device-wide clock. The start of a later group is no measure: other groups may
/// hold it up between its reads of the two clocks, by 78 us in FP32 multiply-adds on an H100.
std::optional<double> unit_rate(std::span<const Stretch> by_unit, std::span<const Stretch> by_device, double tick_ns) {
  if (by_device.empty()) return std::nullopt;
  const Ends ends = ends_of(by_unit);
  const double ns = span_of(by_device, ends) * tick_ns;
  return ns > 0 ? std::optional(span_of(by_unit, ends) / ns) : std::nullopt;
}

/// Reduces the units' counters, unit by unit.
void reduce_units(GroupClocks& clocks, const std::map<std::uint64_t, std::vector<GroupStamp>>& units) {
  std::vector<double> ticks;
  std::vector<double> at_once;
  double rates = 0;
  std::uint64_t most = 0;
  for (const auto& [unit, stamps] : units) {
    const auto groups = stretches(stamps, &GroupStamp::unit_begin, &GroupStamp::unit_end);
    if (groups.empty()) return;
    const double span = span_of(groups);
    if (span <= 0) return;
    double together = 0;
    for (const auto& group : groups) together += group.ticks;
    ticks.push_back(span);
    at_once.push_back(together / span);
    most = std::max(most, most_together(groups));
    rates += static_cast<double>(groups.size()) / span;
  }
  clocks.ticks = range_of(ticks);
  clocks.groups_at_once = median(at_once);
  clocks.most_at_once = most;
  clocks.groups_per_tick = rates / static_cast<double>(units.size());
}

void reduce_groups(GroupClocks& clocks, std::span<const GroupStamp> stamps) {
  std::vector<double> ticks;
  for (const auto& stamp : stamps) {
    const auto own = elapsed_ticks(stamp.unit_begin, stamp.unit_end);
    if (!own || *own == 0) return;
    ticks.push_back(static_cast<double>(*own));
  }
  clocks.ticks = range_of(ticks);
}

/// The notes of a unit's groups at both ends of a dispatch.
struct UnitEnds {
  std::vector<GroupStamp> stamps;
  std::vector<Stretch> by_device;  ///< of `stamps`; empty: no clock of this kind
  bool has_first = false;
  bool has_last = false;
};

}  // namespace

GroupClocks reduce(std::span<const GroupStamp> stamps, const DeviceInfo& device) {
  if (stamps.empty()) throw std::invalid_argument("a dispatch without work-groups has no clocks");
  GroupClocks clocks;
  clocks.groups = stamps.size();
  std::map<std::uint64_t, std::vector<GroupStamp>> units;
  if (device.unit_id) {
    for (const auto& stamp : stamps) units[stamp.unit].push_back(stamp);
    clocks.units = units.size();
    if (device.unit_clock) reduce_units(clocks, units);
  } else if (device.unit_clock) {
    reduce_groups(clocks, stamps);
  }
  const auto by_device = device_stretches(stamps, device);
  if (by_device.empty()) return clocks;
  const double tick_ns = *device.device_clock->tick_ns;
  clocks.span_ns = span_of(by_device) * tick_ns;
  if (!clocks.ticks) return clocks;
  std::vector<double> rates;
  const auto add_rate = [&](std::span<const GroupStamp> together) {
    const auto by_unit = stretches(together, &GroupStamp::unit_begin, &GroupStamp::unit_end);
    const auto rate = unit_rate(by_unit, device_stretches(together, device), tick_ns);
    if (rate) rates.push_back(*rate);
  };
  for (const auto& [number, unit] : units) add_rate(unit);
  for (std::size_t i = 0; units.empty() && i < stamps.size(); ++i) add_rate(stamps.subspan(i, 1));
  if (!rates.empty()) clocks.ticks_per_ns = median(rates);
  return clocks;
}

GroupClocks reduce_ends(std::span<const GroupStamp> stamps, const DeviceInfo& device) {
  if (stamps.empty()) throw std::invalid_argument("a dispatch without work-groups has no clocks");
  GroupClocks clocks;
  clocks.groups = stamps.size();
  const auto by_device = device_stretches(stamps, device);
  if (!by_device.empty()) clocks.span_ns = span_of(by_device) * *device.device_clock->tick_ns;
  if (!device.unit_id) return clocks;
  std::map<std::uint64_t, UnitEnds> units;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    UnitEnds& unit = units[stamps[i].unit];
    unit.stamps.push_back(stamps[i]);
    if (!by_device.empty()) unit.by_device.push_back(by_device[i]);
    (i < stamps.size() / 2 ? unit.has_first : unit.has_last) = true;
  }
  clocks.units = units.size();
  if (!device.unit_clock) return clocks;
  std::vector<double> ticks;
  std::vector<double> rates;
  for (const auto& [number, unit] : units) {
    if (!unit.has_first || !unit.has_last) continue;
    const auto groups = stretches(unit.stamps, &GroupStamp::unit_begin, &GroupStamp::unit_end);
    if (groups.empty()) return clocks;
    const double span = span_of(groups);
    if (span <= 0) return clocks;
    ticks.push_back(span);
    if (const auto rate = unit_rate(groups, unit.by_device, *device.device_clock->tick_ns)) rates.push_back(*rate);
  }
  if (!ticks.empty()) clocks.ticks = range_of(ticks);
  if (!rates.empty()) clocks.ticks_per_ns = median(rates);
  return clocks;
}

}  // namespace percycle
