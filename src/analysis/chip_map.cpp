#include "analysis/chip_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/thresholds.hpp"
#include "vocabulary/l2_map.hpp"

namespace percycle {
namespace {

using Vectors = std::vector<std::vector<double>>;

double middle(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// A connection of the shortest tree that connects all vectors.
struct TreeEdge {
  double length = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// Prim's algorithm; ascending in length.
std::vector<TreeEdge> shortest_tree(const Vectors& vectors) {
  const auto count = static_cast<std::uint32_t>(vectors.size());
  std::vector<TreeEdge> nearest(count, {std::numeric_limits<double>::infinity(), 0, 0});
  std::vector<bool> taken(count, false);
  std::vector<TreeEdge> tree;
  for (std::uint32_t added = 0, step = 1; step < count; ++step) {
    taken[added] = true;
    for (std::uint32_t other = 0; other < count; ++other) {
      if (taken[other]) continue;
      const double length = difference(vectors[added], vectors[other]);
      if (length < nearest[other].length) nearest[other] = {length, added, other};
    }
    std::uint32_t next = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t other = 0; other < count; ++other) {
      if (!taken[other] && nearest[other].length < least) least = nearest[next = other].length;
    }
    tree.push_back(nearest[next]);
    added = next;
  }
  std::sort(tree.begin(), tree.end(), [](const TreeEdge& a, const TreeEdge& b) { return a.length < b.length; });
  return tree;
}

std::vector<std::vector<std::uint32_t>> connected(std::uint32_t count, std::span<const TreeEdge> edges) {
  std::vector<std::uint32_t> root(count);
  std::iota(root.begin(), root.end(), 0);
  for (const TreeEdge& edge : edges) {
    const std::uint32_t from = std::max(root[edge.first], root[edge.second]);
    const std::uint32_t to = std::min(root[edge.first], root[edge.second]);
    for (auto& each : root) each = each == from ? to : each;
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < count; ++i) groups[root[i]].push_back(i);
  std::vector<std::vector<std::uint32_t>> all;
  for (auto& [first, members] : groups) all.push_back(std::move(members));
  return all;
}

/// Groupings at the gaps between the lengths of the shortest tree's connections. Those below
/// `noise` are all alike.
std::vector<ChipGrouping> groupings(const Vectors& vectors, double noise) {
  const std::vector<TreeEdge> tree = shortest_tree(vectors);
  std::vector<ChipGrouping> found;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    if (tree[i].length < chip_thresholds.gap_factor * std::max(tree[i - 1].length, noise)) continue;
    found.push_back(
        {connected(static_cast<std::uint32_t>(vectors.size()), std::span(tree).first(i)), tree[i - 1].length, tree[i].length});
  }
  return found;
}

Vectors by_unit(const ChipMap& map) {
  Vectors units(map.units, std::vector<double>(map.lines.size()));
  for (std::size_t line = 0; line < map.lines.size(); ++line) {
    for (std::uint32_t unit = 0; unit < map.units; ++unit) units[unit][line] = map.lines[line][unit];
  }
  return units;
}

void add_lines(ChipMap& map, std::vector<double>& ranges, const Measurement& measurement, std::size_t lines) {
  const auto rows = measurement.series.find(series::kTicks);
  if (rows == measurement.series.end() || rows->second.empty() || rows->second.size() != measurement.samples.size()) return;
  const std::size_t cells = rows->second.front().size();
  if (lines == 0 || cells == 0 || cells % lines != 0) return;
  const auto units = static_cast<std::uint32_t>(cells / lines);
  if (map.units != 0 && map.units != units) return;
  for (const auto& row : rows->second) {
    if (row.size() != cells) return;
  }
  for (const Sample& sample : measurement.samples) {
    if (sample.ops == 0) return;
  }
  map.units = units;
  map.counts_cycles = map.counts_cycles && !measurement.counter_mhz;
  for (std::size_t line = 0; line < lines; ++line) {
    auto& from_units = map.lines.emplace_back();
    for (std::uint32_t unit = 0; unit < units; ++unit) {
      std::vector<double> values;
      for (std::size_t i = 0; i < rows->second.size(); ++i) {
        values.push_back(rows->second[i][unit * lines + line] * static_cast<double>(cells) /
                         static_cast<double>(measurement.samples[i].ops));
      }
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      ranges.push_back(*high - *low);
      from_units.push_back(middle(values));
    }
  }
}

/// The coarsest group of each unit.
std::vector<std::size_t> partition_of_units(const ChipMap& map) {
  std::vector<std::size_t> partition(map.units, 0);
  if (map.unit_groups.empty()) return partition;
  const auto& groups = map.unit_groups.back().groups;
  if (static_cast<double>(groups.size()) > chip_thresholds.most_partitions) return partition;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::uint32_t unit : groups[i]) partition[unit] = i;
  }
  return partition;
}

/// Each line minus its mean in each partition, scaled to 1. Lines without differences are left
/// out.
Vectors normalised_lines(const ChipMap& map, const std::vector<std::size_t>& partition) {
  Vectors all;
  for (std::vector<double> line : map.lines) {
    std::map<std::size_t, std::pair<double, double>> sums;
    for (std::uint32_t unit = 0; unit < map.units; ++unit) {
      auto& [sum, count] = sums[partition[unit]];
      sum += line[unit];
      count += 1;
    }
    double square = 0;
    for (std::uint32_t unit = 0; unit < map.units; ++unit) {
      const auto& [sum, count] = sums[partition[unit]];
      line[unit] -= sum / count;
      square += line[unit] * line[unit];
    }
    if (std::sqrt(square / map.units) <= std::max(map.noise, chip_thresholds.least_difference)) continue;
    for (double& value : line) value /= std::sqrt(square);
    all.push_back(std::move(line));
  }
  return all;
}

/// The median of the best correlations of lines of `from` with lines of `to`.
double best_correlation(const Vectors& from, const Vectors& to) {
  std::vector<double> best;
  for (const auto& line : from) {
    double most = -1;
    for (const auto& other : to) most = std::max(most, std::inner_product(line.begin(), line.end(), other.begin(), 0.0));
    best.push_back(most);
  }
  return middle(std::move(best));
}

}  // namespace

bool shows_chip_map(std::string_view experiment) { return experiment == experiment::kL2Map; }

std::vector<ChipMap> read_chip_maps(std::span<const PointResult> results) {
  std::map<std::string, std::map<std::int64_t, const PointResult*>> parts;
  for (const PointResult& result : results) {
    if (!shows_chip_map(result.point.experiment) || !result.measurement) continue;
    parts[word(result.point.parameters, parameter::kAccess)][integer(result.point.parameters, parameter::kPart)] = &result;
  }
  std::vector<ChipMap> maps;
  for (const auto& [access, of_access] : parts) {
    ChipMap map{.access = access, .lines = {}, .unit_groups = {}, .line_groups = {}};
    std::vector<double> ranges;
    for (const auto& [part, result] : of_access) {
      const auto lines = integer(result->point.parameters, parameter::kLines);
      if (lines > 0) add_lines(map, ranges, *result->measurement, static_cast<std::size_t>(lines));
    }
    if (map.lines.empty()) continue;
    std::vector<double> cells;
    for (const auto& line : map.lines) cells.insert(cells.end(), line.begin(), line.end());
    const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
    map.least = *low;
    map.most = *high;
    map.median = middle(std::move(cells));
    map.noise = middle(std::move(ranges));
    const double alike = std::max(map.noise, chip_thresholds.least_difference);
    map.unit_groups = groupings(by_unit(map), alike);
    map.line_groups = groupings(map.lines, alike);
    maps.push_back(std::move(map));
  }
  return maps;
}

std::span<const Word<SameCard>> words(SameCard) {
  static constexpr Word<SameCard> kWords[]{{SameCard::yes, "yes"}, {SameCard::no, "no"}, {SameCard::unclear, "unclear"}};
  return kWords;
}

std::optional<MapAgreement> compare_maps(const ChipMap& first, const ChipMap& second) {
  if (first.units != second.units || first.units < 2) return std::nullopt;
  // Units that are together on both sides.
  std::vector<std::size_t> partition = partition_of_units(first);
  const std::vector<std::size_t> others = partition_of_units(second);
  for (std::uint32_t unit = 0; unit < first.units; ++unit) partition[unit] = partition[unit] * second.units + others[unit];
  const Vectors a = normalised_lines(first, partition);
  const Vectors b = normalised_lines(second, partition);
  if (a.empty() || b.empty()) return std::nullopt;
  MapAgreement agreement;
  agreement.correlation = std::min(best_correlation(a, b), best_correlation(b, a));
  agreement.verdict = agreement.correlation >= chip_thresholds.same_card   ? SameCard::yes
                      : agreement.correlation < chip_thresholds.other_card ? SameCard::no
                                                                           : SameCard::unclear;
  return agreement;
}

}  // namespace percycle
