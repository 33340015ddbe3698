#include "charts/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "charts/theme.hpp"

namespace percycle {
namespace {

using nlohmann::json;

double middle(std::vector<double>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

using Cells = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>>;

Cells cells_of(const std::vector<UnitPair>& pairs, std::uint32_t together) {
  Cells cells;
  for (const UnitPair& pair : pairs) {
    const std::uint32_t a = pair.first / together;
    const std::uint32_t b = pair.second / together;
    cells[{std::min(a, b), std::max(a, b)}].push_back(pair.ns);
  }
  return cells;
}

}  // namespace

Chart handover_heatmap(const std::string& name, const std::string& title, const std::vector<UnitPair>& pairs,
                       std::size_t most_cells) {
  std::uint32_t together = 1;
  Cells cells = cells_of(pairs, together);
  while (cells.size() > most_cells && together < (1u << 16u)) cells = cells_of(pairs, together *= 2);

  Chart chart{.name = name, .title = title, .description = {}, .spec = {}};
  std::vector<double> all;
  for (const UnitPair& pair : pairs) all.push_back(pair.ns);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  chart.description =
      fmt::format("Nanoseconds of a hand-over between {} pairs of units: {:.1f} to {:.1f}", pairs.size(), *least, *most);
  chart.description += fmt::format(", median {:.1f}.", middle(all));
  if (together > 1) chart.description += fmt::format(" A cell is the median of {} by {} units.", together, together);

  json values = json::array();
  for (auto& [place, ns] : cells) {
    values.push_back({{"a", place.first * together}, {"b", place.second * together}, {"ns", drawn(middle(ns))}});
  }
  chart.marks = values.size() * 2;
  chart.points = pairs.size();
  const auto unit = [&](const char* field, const char* words) {
    return json{{"field", field},
                {"type", "ordinal"},
                {"axis", {{"title", words}, {"labelOverlap", true}, {"labelAngle", 0}, {"grid", false}}}};
  };
  const json mark = {{"type", "rect"}};
  const auto layer = [&](const char* x, const char* y) {
    return json{
        {"mark", mark},
        {"encoding",
         {{"x", unit(x, "unit")},
          {"y", unit(y, "unit")},
          {"color",
           {{"field", "ns"},
            {"type", "quantitative"},
            {"scale", {{"scheme", "viridis"}, {"zero", false}}},
            {"legend",
             {{"title", "ns per hand-over"}, {"orient", "bottom"}, {"direction", "horizontal"}, {"gradientLength", 200}}}}},
          {"tooltip",
           {{{"field", "a"}, {"title", "unit"}},
            {{"field", "b"}, {"title", "and unit"}},
            {{"field", "ns"}, {"title", "ns per hand-over"}}}}}}};
  };
  chart.spec = chart_frame(title, chart.description);
  chart.spec["height"] = 360;
  chart.spec["data"] = {{"values", values}};
  chart.spec["layer"] = json::array({layer("a", "b"), layer("b", "a")});
  return chart;
}

}  // namespace percycle
