#include "charts/api_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "charts/theme.hpp"
#include "core/configuration.hpp"
#include "core/figures.hpp"
#include "report/comparison_edges.hpp"
#include "report/efficiency.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr double kNamed = 5;  // percent: larger gaps are marked

constexpr std::size_t kRemarks = 5;

/// Above one where Vulkan is faster.
double ratio(const ApiPair& pair) { return pair.is_rate ? pair.vulkan / pair.opencl : pair.opencl / pair.vulkan; }

/// As a percentage of OpenCL's speed.
double gap(const ApiPair& pair) { return 100 * (ratio(pair) - 1); }

bool is_named(const ApiPair& pair) { return std::abs(drawn(gap(pair))) > kNamed; }

/// The farthest apart first.
void sort_by_gap(std::vector<ApiPair>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const ApiPair& a, const ApiPair& b) {
    return std::abs(std::log(ratio(a))) > std::abs(std::log(ratio(b)));
  });
}

/// "12.3 % slower", "44.9 times as fast"
std::string gap_words(const ApiPair& pair) {
  if (ratio(pair) >= 2) return fmt::format("{:.3g} times as fast", ratio(pair));
  return fmt::format("{:.3g} % {}", std::abs(gap(pair)), gap(pair) > 0 ? "faster" : "slower");
}

/// "latency, footprint 1 KiB: Vulkan 12.3 % slower (100 against 114 ns/load)"
std::string remark(const ApiPair& pair) {
  return fmt::format("{}{}{}: Vulkan {} ({} against {} {}){}{}", pair.experiment, pair.question.empty() ? "" : ", ",
                     pair.question, gap_words(pair), digits(pair.vulkan), digits(pair.opencl), pair.unit,
                     pair.code.empty() ? "" : "; ", pair.code);
}

std::string rise_remark(std::ptrdiff_t count) {
  return fmt::format("{} of more than {} % {} on the rise behind a cache. A shifted edge is no difference in speed.",
                     count == 1 ? "1 difference" : fmt::format("{} differences", count), kNamed, count == 1 ? "lies" : "lie");
}

std::vector<ApiPair> fewer(std::vector<ApiPair> pairs, std::size_t most) {
  if (pairs.size() <= most) return pairs;
  std::vector<ApiPair> kept(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(most / 2));
  const std::size_t rest = most - kept.size();
  const std::size_t others = pairs.size() - kept.size();
  for (std::size_t i = 0; i < rest; ++i) kept.push_back(pairs[most / 2 + i * others / rest]);
  return kept;
}

std::string describe(const std::vector<ApiPair>& pairs) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const ApiPair& pair : pairs) {
    auto& [all, beyond] = counts[pair.experiment];
    ++all;
    if (is_named(pair)) ++beyond;
  }
  std::string text = "Speed of Vulkan against OpenCL.";
  for (const auto& [experiment, count] : counts) {
    text += fmt::format(" {}: {} of {} points differ by more than {} %.", experiment, count.second, count.first, kNamed);
  }
  return text;
}

/// "footprint 64 MiB, pointer, global": all parameters, after a search without the configuration.
std::string pair_words(const PointRow& row) {
  const bool was_searched = find_parameter(row, kRole) != nullptr;
  std::vector<std::string> names;
  for (const auto& [name, cell] : row.parameters) {
    if (!was_searched || !is_configuration(row, name)) names.push_back(name);
  }
  return parameter_words(row, names);
}

std::string loop_words(const LoopCode& loop) {
  return fmt::format("{} accesses with {:.2f} operations each", loop.accesses, loop.alu_per_access);
}

/// "timed loops: 31 accesses with 2.06 operations each against 62 accesses with 1.03 operations
/// each"; empty if they are alike or unknown.
std::string loop_difference(const std::optional<LoopCode>& opencl, const std::optional<LoopCode>& vulkan) {
  if (!opencl || !vulkan) return "";
  const std::string words = loop_words(*vulkan);
  const std::string others = loop_words(*opencl);
  return words == others ? "" : fmt::format("timed loops: {} against {}", words, others);
}

bool is_on_rise(const ReportDevice& device, const PointRow& row) {
  const Cell* footprint = find_parameter(row, "footprint");
  const Cell* path = find_parameter(row, "path");
  const auto bytes = footprint ? number_of(*footprint) : std::nullopt;
  return device.analysis && bytes && path && is_on_rise(device.analysis->hierarchy, exact_text_of(*path), *bytes);
}

/// Compares the main figure of each question with answers from both APIs.
std::vector<ApiPair> pairs_of(const std::string& experiment, const DeviceRows& opencl, const DeviceRows& vulkan) {
  std::map<std::string, const PointRow*> answers;
  for (const PointRow* row : opencl.second) answers[answer_key(*row)] = row;
  std::vector<ApiPair> pairs;
  for (const PointRow* row : vulkan.second) {
    const auto answer = answers.find(answer_key(*row));
    if (answer == answers.end()) continue;
    const std::string_view name = main_figure(*row);
    const auto a = figure(*answer->second, name);
    const auto b = figure(*row, name);
    if (!a || !b || *a <= 0 || *b <= 0) continue;
    pairs.push_back({experiment, pair_words(*row), *a, *b, figure_words(experiment, {DeviceRows(vulkan.first, {row})}, name),
                     figure_called(name).better == Direction::higher, loop_difference(answer->second->loop, row->loop),
                     is_on_rise(*opencl.first, *row) || is_on_rise(*vulkan.first, *row)});
  }
  return pairs;
}

bool is_measured(const ReportDevice& device, Api api) {
  return device.source == Source::measured && device.header().device.api == api;
}

json values_of(const std::vector<ApiPair>& pairs) {
  json values = json::array();
  for (const ApiPair& pair : pairs) {
    values.push_back({{"experiment", pair.experiment},
                      {"question", pair.question},
                      {"opencl", drawn(pair.opencl)},
                      {"vulkan", drawn(pair.vulkan)},
                      {"unit", pair.unit},
                      {"ratio", drawn(ratio(pair))},
                      {"gap", drawn(gap(pair))},
                      {"size", is_named(pair) ? "more than 5 %" : "up to 5 %"}});
  }
  return values;
}

/// The points, behind them the stretch without names.
json layers_of(const json& data) {
  const json x = {
      {"field", "ratio"},
      {"type", "quantitative"},
      {"scale", {{"type", "log"}, {"base", 2}, {"nice", false}, {"padding", 12}}},
      {"axis", {{"title", "Vulkan slower  |  Vulkan faster"}, {"labelOverlap", true}, {"tickCount", 6}, {"format", "~g"}}}};
  const json color = {{"field", "size"},
                      {"type", "nominal"},
                      {"scale", {{"domain", {"up to 5 %", "more than 5 %"}}}},
                      {"legend", {{"title", nullptr}}}};
  json shape = color;
  shape["scale"]["range"] = {"circle", "diamond"};
  return json::array({{{"data", {{"values", json::array({{{"low", 1 - kNamed / 100}, {"high", 1 + kNamed / 100}}})}}},
                       {"mark", {{"type", "rect"}, {"opacity", 0.12}}},
                       {"encoding", {{"x", {{"field", "low"}, {"type", "quantitative"}}}, {"x2", {{"field", "high"}}}}}},
                      {{"data", data},
                       {"mark", {{"type", "point"}, {"size", 34}, {"strokeWidth", 1.5}}},
                       {"params", json::array({zoom_selection({"x"})})},
                       {"encoding",
                        {{"x", x},
                         {"y", {{"field", "experiment"}, {"type", "nominal"}, {"axis", {{"title", nullptr}}}}},
                         {"color", color},
                         {"shape", shape},
                         {"tooltip", tooltip({{"experiment", ""},
                                              {"question", ""},
                                              {"opencl", "OpenCL"},
                                              {"vulkan", "Vulkan"},
                                              {"unit", "unit"},
                                              {"gap", "%"}})}}}}});
}

}  // namespace

Chart api_pairs(const ChartName& name, std::vector<ApiPair> pairs, std::size_t most_points) {
  std::vector<ApiPair> far;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(far), is_named);
  const auto on_rise = std::erase_if(far, [](const ApiPair& pair) { return pair.on_rise; });
  sort_by_gap(far);
  std::set<std::string> experiments;
  for (const ApiPair& pair : pairs) experiments.insert(pair.experiment);
  const std::size_t points = pairs.size();
  if (points > most_points) sort_by_gap(pairs);
  std::string description = describe(pairs);
  Chart chart = chart_frame(name, std::move(description), values_of(fewer(std::move(pairs), most_points)));
  chart.points = points;
  for (std::size_t i = 0; i < std::min(kRemarks, far.size()); ++i) chart.remarks.push_back(remark(far[i]));
  if (on_rise > 0) chart.remarks.push_back(rise_remark(static_cast<std::ptrdiff_t>(on_rise)));
  chart.spec["height"] = 26 * experiments.size();
  chart.spec["layer"] = layers_of(chart.spec["data"]);
  chart.spec.erase("data");
  return chart;
}

std::vector<Chart> api_charts(const std::vector<ReportDevice>& all,
                              const std::map<std::string, std::vector<DeviceRows>>& rows_by_experiment) {
  std::vector<Chart> charts;
  for (const ReportDevice& opencl : all) {
    if (!is_measured(opencl, Api::opencl)) continue;
    for (const ReportDevice& vulkan : all) {
      if (!is_measured(vulkan, Api::vulkan) || vulkan.header().identity != opencl.header().identity) continue;
      std::vector<ApiPair> pairs;
      for (const auto& [experiment, drawn] : rows_by_experiment) {
        const auto of_opencl = std::ranges::find(drawn, &opencl, &DeviceRows::first);
        const auto of_vulkan = std::ranges::find(drawn, &vulkan, &DeviceRows::first);
        if (of_opencl != drawn.end() && of_vulkan != drawn.end())
          std::ranges::move(pairs_of(experiment, *of_opencl, *of_vulkan), std::back_inserter(pairs));
      }
      if (pairs.empty()) continue;
      charts.push_back(
          api_pairs({"apis-" + opencl.slug, fmt::format("{} and {}", opencl.label, vulkan.label)}, std::move(pairs)));
      charts.back().devices = {opencl.label, vulkan.label};
    }
  }
  return charts;
}

}  // namespace percycle
