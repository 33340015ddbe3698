#include "report/chip_map_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/figures.hpp"
#include "core/parameters.hpp"
#include "report/unit_ranges.hpp"

namespace percycle {
namespace {

constexpr std::size_t kNamedGroups = 8;  // groups of units whose members are named

std::string grouping_words(const ChipMap& map, const ChipGrouping& grouping) {
  return fmt::format("{}: they differ by at most {:.1f} {} from the nearest of their group, groups by at least {:.1f}",
                     group_sizes(grouping), grouping.within, counter_unit(map.counts_cycles), grouping.between);
}

std::string map_text(const ChipMap& map) {
  std::string text = fmt::format(
      "  {}: {} lines from {} units: {:.1f} to {:.1f} {}, median {:.1f}; samples of a cell differ by {:.2f}\n", map.access,
      map.lines.size(), map.units, map.least, map.most, counter_unit(map.counts_cycles), map.median, map.noise);
  if (map.unit_groups.empty()) text += "  units: no group stands out\n";
  for (const ChipGrouping& grouping : map.unit_groups) {
    text += fmt::format("  units: {}\n", grouping_words(map, grouping));
    if (grouping.groups.size() > kNamedGroups) continue;
    for (const auto& units : grouping.groups) text += fmt::format("    {}\n", unit_ranges(units));
  }
  if (map.line_groups.empty()) text += "  lines: no group stands out\n";
  for (const ChipGrouping& grouping : map.line_groups) text += fmt::format("  lines: {}\n", grouping_words(map, grouping));
  return text;
}

}  // namespace

std::string group_sizes(const ChipGrouping& grouping) {
  const auto [least, most] = std::minmax_element(grouping.groups.begin(), grouping.groups.end(),
                                                 [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (least->size() == most->size()) return fmt::format("{} groups of {}", grouping.groups.size(), least->size());
  return fmt::format("{} groups of {} to {}", grouping.groups.size(), least->size(), most->size());
}

std::string chip_map_text(const std::string& experiment, const std::vector<const PointResult*>& results) {
  std::vector<PointResult> measured;
  std::map<std::string, std::size_t> others;
  for (const PointResult* result : results) {
    if (result->outcome.status == Status::ok && result->measurement) {
      measured.push_back(*result);
    } else {
      ++others[fmt::format("{}: {}", to_string(result->outcome.status), result->outcome.reason)];
    }
  }
  std::string text = experiment + '\n';
  for (const ChipMap& map : read_chip_maps(measured)) text += map_text(map);
  for (const auto& [outcome, count] : others)
    text += fmt::format("  {} {}\n", count == 1 ? "1 point" : fmt::format("{} points", count), outcome);
  return text;
}

}  // namespace percycle
