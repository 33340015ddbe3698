#include "charts/pair_heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/unit_groups.hpp"
#include "charts/theme.hpp"
#include "core/figures.hpp"

namespace percycle {
namespace {

using nlohmann::json;

// Rounds measure each unit with some others; with more empty cells the map is stripes.
constexpr double kMostEmpty = 0.1;
constexpr int kSide = 480;  // pixels; the page fits it to its width

using CellTimes = std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>;

/// The place of each unit that has a value.
std::map<std::uint32_t, std::size_t> places_of(const std::vector<UnitPairTime>& pairs, const std::vector<std::uint32_t>& order) {
  std::set<std::uint32_t> units;
  for (const UnitPairTime& pair : pairs) units.insert({pair.first, pair.second});
  std::map<std::uint32_t, std::size_t> places;
  for (const std::uint32_t unit : order) {
    if (units.contains(unit)) places.try_emplace(unit, places.size());
  }
  for (const std::uint32_t unit : units) places.try_emplace(unit, places.size());
  return places;
}

CellTimes cells_of(const std::vector<UnitPairTime>& pairs, const std::map<std::uint32_t, std::size_t>& places,
                   std::size_t together) {
  CellTimes cells;
  for (const UnitPairTime& pair : pairs) {
    const std::size_t a = places.at(pair.first) / together;
    const std::size_t b = places.at(pair.second) / together;
    cells[{std::min(a, b), std::max(a, b)}].push_back(pair.ns);
  }
  return cells;
}

/// Whether too many cells beside the diagonal are empty.
bool has_gaps(const CellTimes& cells, std::size_t units, std::size_t together) {
  const std::size_t side = (units + together - 1) / together;
  const auto all = static_cast<double>(side * (side - 1)) / 2;
  const auto full =
      std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return cell.first.first != cell.first.second; });
  return static_cast<double>(full) < (1 - kMostEmpty) * all;
}

/// The mean time within each group of units, and between each two.
std::vector<std::string> group_remarks(const std::vector<UnitGroup>& groups, const std::vector<UnitPairTime>& pairs) {
  if (groups.size() < 2) return {"No groups of units stand out: units are in the order of their numbers."};
  std::map<std::uint32_t, std::size_t> group_of;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::uint32_t unit : groups[i].units) group_of[unit] = i;
  }
  std::map<std::pair<std::size_t, std::size_t>, std::pair<double, std::size_t>> sums;
  for (const UnitPairTime& pair : pairs) {
    const auto [low, high] = std::minmax(group_of.at(pair.first), group_of.at(pair.second));
    auto& [ns, count] = sums[{low, high}];
    ns += pair.ns;
    ++count;
  }
  std::vector<std::string> remarks;
  for (const auto& [between, sum] : sums) {
    const auto& [a, b] = between;
    const double mean = sum.first / static_cast<double>(sum.second);
    const std::string units = fmt::format("group {} ({} units)", a + 1, groups[a].units.size());
    remarks.push_back(a == b ? fmt::format("Within {}: {} on average.", units, in_unit(mean, 1, unit_text::kNs))
                             : fmt::format("From {} to group {} ({} units): {} on average.", units, b + 1, groups[b].units.size(),
                                           in_unit(mean, 1, unit_text::kNs)));
  }
  return remarks;
}

/// The pairs that a chart draws.
std::vector<UnitPairTime> pairs_of(const std::vector<const PointRow*>& rows, const PairChart& plan) {
  std::vector<UnitPairTime> pairs;
  for (const PointRow* row : rows) {
    const auto ns = figure(*row, plan.figure);
    const Cell* first = find_parameter(*row, plan.first);
    const Cell* second = find_parameter(*row, plan.second);
    const auto* a = first ? std::get_if<std::int64_t>(first) : nullptr;
    const auto* b = second ? std::get_if<std::int64_t>(second) : nullptr;
    constexpr std::int64_t kMostUnits = 1 << 20;
    if (!ns || !a || !b || *a < 0 || *b < 0 || *a > kMostUnits || *b > kMostUnits) continue;
    pairs.push_back({static_cast<std::uint32_t>(*a), static_cast<std::uint32_t>(*b), *ns});
  }
  return pairs;
}

std::string describe(const std::string& operation, const std::vector<UnitPairTime>& pairs, std::size_t together) {
  std::vector<double> all;
  for (const UnitPairTime& pair : pairs) all.push_back(pair.ns);
  const auto [least, most] = std::ranges::minmax(all);
  return fmt::format(
      "Nanoseconds of a {} between {} pairs of units: {:.1f} to {:.1f}, median {:.1f}.{} Cells without a colour "
      "have no measured pair.",
      operation, pairs.size(), least, most, middle(all),
      together > 1 ? fmt::format(" A cell is the median of {0} by {0} units.", together) : "");
}

}  // namespace

Chart pair_heatmap(const ChartName& name, const std::string& operation, const std::vector<UnitPairTime>& pairs,
                   const std::vector<std::uint32_t>& order, std::size_t most_cells) {
  const auto places = places_of(pairs, order);
  std::size_t together = 1;
  CellTimes cells = cells_of(pairs, places, together);
  while (together < places.size() && (cells.size() > most_cells || has_gaps(cells, places.size(), together)))
    cells = cells_of(pairs, places, together *= 2);
  // The first unit of each cell.
  std::vector<std::uint32_t> shown((places.size() + together - 1) / together);
  for (const auto& [unit, place] : places) {
    if (place % together == 0) shown[place / together] = unit;
  }
  json values = json::array();
  for (auto& [place, ns] : cells)
    values.push_back({{"a", shown[place.first]}, {"b", shown[place.second]}, {"ns", drawn(middle(ns))}});
  Chart chart = chart_frame(name, describe(operation, pairs, together), std::move(values));
  chart.marks *= 2;
  chart.points = chart.marks;  // cells have the median of all pairs
  chart.spec["width"] = chart.spec["height"] = kSide;
  const std::string ns = "ns per " + operation;
  for (const auto& [x, y] : {std::pair{"a", "b"}, std::pair{"b", "a"}}) {
    json encoding = {{"x", cell_axis(x, "unit")},
                     {"y", cell_axis(y, "unit")},
                     {"color", cell_color("ns", ns)},
                     {"tooltip", tooltip({{"a", "unit"}, {"b", "and unit"}, {"ns", ns}})}};
    encoding["x"]["scale"]["domain"] = encoding["y"]["scale"]["domain"] = shown;
    chart.spec["layer"].push_back({{"mark", {{"type", "rect"}}}, {"encoding", std::move(encoding)}});
  }
  return chart;
}

Chart pair_histogram(const ChartName& name, const std::string& operation, const std::vector<UnitPairTime>& pairs) {
  constexpr std::size_t kBins = 40;
  const auto [first, last] = std::ranges::minmax_element(pairs, {}, &UnitPairTime::ns);
  const double least = first->ns;
  const double width = std::max((last->ns - least) / kBins, 0.1);
  std::vector<std::size_t> counts(kBins);
  for (const UnitPairTime& pair : pairs) ++counts[std::min(kBins - 1, static_cast<std::size_t>((pair.ns - least) / width))];

  json values = json::array();
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const double low = least + static_cast<double>(bin) * width;
    if (counts[bin] > 0) values.push_back({{"low", drawn(low)}, {"high", drawn(low + width)}, {"pairs", counts[bin]}});
  }
  Chart chart = chart_frame(
      name, fmt::format("Pairs of units by the nanoseconds of their {}, {} pairs.", operation, pairs.size()), std::move(values));
  chart.spec["height"] = kSide / 3;
  chart.spec["layer"] = json::array(
      {{{"mark", {{"type", "bar"}}},
        {"encoding",
         {{"x",
           {{"field", "low"},
            {"type", "quantitative"},
            {"scale", {{"zero", false}, {"nice", false}}},
            {"axis", {{"title", "ns per " + operation}}}}},
          {"x2", {{"field", "high"}}},
          {"y", {{"field", "pairs"}, {"type", "quantitative"}, {"axis", {{"title", "pairs of units"}, {"tickMinStep", 1}}}}},
          {"y2", {{"datum", 0}}},  // else Vega takes the bar for a horizontal one
          {"tooltip", tooltip({{"low", "from ns"}, {"high", "to ns"}, {"pairs", ""}})}}}}});
  return chart;
}

void add_pair_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                     const PairChart& plan) {
  const std::string& operation = presentation_of(experiment).operation;
  for (const auto& [device, rows] : devices) {
    const std::vector<UnitPairTime> pairs = pairs_of(rows, plan);
    if (pairs.empty()) continue;
    const std::vector<UnitGroup> groups = unit_groups(pairs);
    std::vector<std::uint32_t> order;
    for (const UnitGroup& group : groups) order.insert(order.end(), group.units.begin(), group.units.end());
    const ChartName name = ChartName{plan.name, plan.title} + of_device(*device);
    Chart map = pair_heatmap(name, operation, pairs, order);
    map.remarks = group_remarks(groups, pairs);
    Chart histogram = pair_histogram(name + ChartName{"-histogram", ", how many pairs take how long"}, operation, pairs);
    map.devices = histogram.devices = {device->label};
    charts.push_back(std::move(map));
    charts.push_back(std::move(histogram));
  }
}

}  // namespace percycle
