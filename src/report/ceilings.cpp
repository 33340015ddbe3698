#include "report/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/printable.hpp"
#include "core/version.hpp"
#include "report/efficiency.hpp"
#include "report/point_table.hpp"
#include "report/report_json.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr double kBeyond = 8;  // a roof goes on by this factor past the outermost crossing

bool has_any_word(const PointRow& row, const ParameterWords& words) {
  return std::ranges::any_of(words, [&](const auto& named) { return has_word(row, named.first, named.second); });
}

bool holds(const PointRow& row, const CeilingRule& rule) {
  const auto is_word = [&](const auto& named) { return has_word(row, named.first, named.second); };
  return std::ranges::all_of(rule.only, is_word) && (rule.without.empty() || !find_parameter(row, rule.without));
}

const CeilingRule* rule_of(const PointRow& row) {
  const auto found = std::ranges::find_if(row.about->ceilings, [&](const CeilingRule& rule) { return holds(row, rule); });
  return found == row.about->ceilings.end() ? nullptr : &*found;
}

bool is_shape(const PointRow& row, const std::string& parameter) {
  return is_configuration(row, parameter) || std::ranges::find(row.about->sizes, parameter) != row.about->sizes.end();
}

/// The question without sizes.
std::string ceiling_key(const PointRow& row) {
  std::string key;
  for (const auto& parameter : row.parameters) {
    if (!is_shape(row, parameter.first)) append_to_key(key, parameter);
  }
  return key;
}

std::optional<double> rate_of(const PointRow& row) {
  const auto bandwidth = figure(row, "gb_per_s");
  return bandwidth ? bandwidth : figure(row, "gops_per_s");
}

const ReportRun* run_of(const ReportDevice& device, const PointRow& row) {
  const auto found = std::ranges::find_if(device.runs, [&](const ReportRun& run) { return Cell(run.name) == row.run; });
  return found == device.runs.end() ? nullptr : &*found;
}

json ceiling_json(const Ceiling& ceiling) {
  json parameters = json::object();
  json configuration = json::object();
  for (const auto& [name, cell] : ceiling.row->parameters)
    (is_shape(*ceiling.row, name) ? configuration : parameters)[name] = to_json(cell);
  json figures = json::object();
  for (const auto& [name, cell] : ceiling.row->figures) figures[name] = to_json(cell);
  json object = {{"level", ceiling.rule->level},        {"kind", find_figure(*ceiling.row, "gb_per_s") ? "bandwidth" : "rate"},
                 {"experiment", ceiling.experiment},    {"operation", ceiling.row->about->operation},
                 {"parameters", std::move(parameters)}, {"configuration", std::move(configuration)},
                 {"figures", std::move(figures)},       {"notes", ceiling.row->notes}};
  if (ceiling.run) {
    object["record"] = {{"file", printable(ceiling.run->file)},
                        {"run", ceiling.run->header.id},
                        {"created", printable(ceiling.run->header.created)},
                        {"tool_commit", printable(ceiling.run->header.tool_commit)}};
  }
  return object;
}

json device_json(const ReportDevice& device, const std::vector<Ceiling>& ceilings) {
  const Header& header = device.header();
  json object = {{"name", printable(header.device.name)},
                 {"source", to_string(device.source)},
                 {"vendor", printable(header.device.vendor)},
                 {"identity", printable(header.identity)},
                 {"architecture", printable(header.architecture)},
                 {"api", to_string(header.device.api)},
                 {"driver", printable(header.device.driver)},
                 {"unit_name", device.unit_name},
                 {"ceilings", json::array()}};
  if (const auto& units = header.device.units)
    object["units"] = {{"value", units->value}, {"provenance", to_string(units->provenance)}};
  for (const Ceiling& ceiling : ceilings) object["ceilings"].push_back(ceiling_json(ceiling));
  return object;
}

/// The words that tell the ceilings of one experiment and level apart, or the row's own if there is
/// only one.
std::string question_words(const Ceiling& ceiling, const std::vector<Ceiling>& all) {
  std::vector<const PointRow*> rows;
  for (const Ceiling& other : all) {
    if (other.experiment == ceiling.experiment) rows.push_back(other.row);
  }
  std::set<std::string> shape;
  for (const auto& [name, cell] : ceiling.row->parameters) {
    if (is_shape(*ceiling.row, name)) shape.insert(name);
  }
  return parameter_words(*ceiling.row, varying_parameters(rows, shape));
}

std::string number(const PointRow& row, const char* name, const char* form) {
  const auto value = figure(row, name);
  return value ? fmt::format(fmt::runtime(form), *value) : "";
}

std::string device_text(const ReportDevice& device, const std::vector<Ceiling>& ceilings) {
  TextTable table{.columns = {{"level", Align::left},
                              {"of", Align::left},
                              {"measured"},
                              {"", Align::left},
                              {"per " + device.unit_name + " and cycle"},
                              {"% of limit"},
                              {"MHz"},
                              {"clock", Align::left}},
                  .rows = {}};
  for (const Ceiling& ceiling : ceilings) {
    const PointRow& row = *ceiling.row;
    const bool bytes = find_figure(row, "gb_per_s") != nullptr;
    const Cell* clock = find_figure(row, "clock");
    table.rows.push_back(
        {.cells = {ceiling.rule->level, question_words(ceiling, ceilings), format_quantity(rate_of(row).value()),
                   bytes ? "GB/s" : "Gop/s", number(row, bytes ? "bytes_per_unit_cycle" : "ops_per_unit_cycle", "{:.4g}"),
                   number(row, "efficiency_percent", "{:.1f}"), number(row, "clock_mhz", "{:.0f}"),
                   clock ? exact_text_of(*clock) : ""},
         .remark = {}});
  }
  std::string text = fmt::format("{} (driver {}){}\n", device.label, printable(device.header().device.driver),
                                 device.source == Source::simulated ? ", a model" : "");
  return text + render(table, "  ");
}

/// Calls `take` with each device that has ceilings, and with these.
template <typename Take>
void for_each_device(const ReportData& data, const Take& take) {
  for (const ReportDevice& device : data.devices) {
    const std::vector<Ceiling> ceilings = ceilings_of(device);
    if (!ceilings.empty()) take(device, ceilings);
  }
}

/// The highest rates or bandwidths by their roof, in the order of the ceilings.
std::vector<std::pair<std::string, double>> roofs(const std::vector<Ceiling>& ceilings, bool bandwidths) {
  std::vector<std::pair<std::string, double>> highest;
  for (const Ceiling& ceiling : ceilings) {
    const CeilingRule& rule = *ceiling.rule;
    const auto value = figure(*ceiling.row, bandwidths ? "gb_per_s" : "gops_per_s");
    if (rule.roof.empty() || !value) continue;
    auto found = std::ranges::find(highest, rule.roof, &std::pair<std::string, double>::first);
    if (found == highest.end()) found = highest.insert(found, {rule.roof, 0});
    found->second = std::max(found->second, bandwidths ? *value : *value * rule.flops_per_op);
  }
  return highest;
}

}  // namespace

std::vector<Ceiling> ceilings_of(const ReportDevice& device) {
  if (device.source == Source::published) return {};
  std::vector<Ceiling> ceilings;
  for (const auto& [experiment, rows] : device.experiments) {
    std::vector<const PointRow*> latest = latest_rows(rows);
    sort_rows(latest);
    std::map<std::string, std::size_t> place;
    for (const PointRow* row : latest) {
      const CeilingRule* rule = rule_of(*row);
      if (!rule || !rate_of(*row) || has_any_word(*row, row->about->below_full_rate)) continue;
      const auto [entry, is_new] = place.try_emplace(ceiling_key(*row), ceilings.size());
      if (is_new) {
        ceilings.push_back({experiment, rule, row, run_of(device, *row)});
      } else if (Ceiling& highest = ceilings[entry->second]; *rate_of(*row) > *rate_of(*highest.row)) {
        highest.row = row;
        highest.run = run_of(device, *row);
      }
    }
  }
  std::ranges::stable_sort(ceilings, {}, [](const Ceiling& ceiling) { return ceiling.row->about->order; });
  return ceilings;
}

std::vector<Roof> roofline(const std::vector<Ceiling>& ceilings) {
  const auto slopes = roofs(ceilings, true);
  const auto flats = roofs(ceilings, false);
  if (slopes.empty() || flats.empty()) return {};
  const auto value = &std::pair<std::string, double>::second;
  const auto [slowest, fastest] = std::ranges::minmax(slopes, {}, value);
  const auto [lowest, highest] = std::ranges::minmax(flats, {}, value);
  const double begin = lowest.second / fastest.second / kBeyond;
  const double end = highest.second / slowest.second * kBeyond;
  std::vector<Roof> lines;
  for (const auto& [name, bandwidth] : slopes)
    lines.push_back({name, {{begin, begin * bandwidth}, {highest.second / bandwidth, highest.second}}});
  for (const auto& [name, rate] : flats) lines.push_back({name, {{rate / fastest.second, rate}, {end, rate}}});
  return lines;
}

std::vector<Roof> intensity_lines(const ReportDevice& device) {
  const std::vector<Ceiling> ceilings = ceilings_of(device);
  const auto bandwidths = roofs(ceilings, true);
  const auto rates = roofs(ceilings, false);
  const auto value_of = [](const auto& all, const std::string& name) -> std::optional<double> {
    const auto found = std::ranges::find(all, name, &std::pair<std::string, double>::first);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<Roof> lines;
  for (const auto& [experiment, rows] : device.experiments) {
    const IntensityCurve& curve = presentation_of(experiment).intensity;
    for (const auto& [level, roof] : curve.bandwidths) {
      std::map<double, double> points;
      for (const PointRow* row : latest_rows(rows)) {
        const auto rate = figure(*row, "gops_per_s");
        const Cell* place = find_parameter(*row, curve.parameter);
        const auto value = place ? number_of(*place) : std::nullopt;
        if (!rate || !value || !has_word(*row, curve.level, level)) continue;
        double& highest = points[*value * curve.flops_per_byte];
        highest = std::max(highest, *rate * curve.flops_per_op);
      }
      if (points.empty()) continue;
      lines.push_back({"from " + level, {points.begin(), points.end()}});
      const auto bandwidth = value_of(bandwidths, roof);
      const auto rate = value_of(rates, curve.rate);
      if (!bandwidth || !rate) continue;
      Roof bound{"ceilings of " + roof, {}};
      const double knee = *rate / *bandwidth;
      for (const double x : {points.begin()->first, knee, points.rbegin()->first}) {
        if (bound.points.empty() || x > bound.points.back().first) bound.points.emplace_back(x, std::min(x * *bandwidth, *rate));
      }
      lines.push_back(std::move(bound));
    }
  }
  return lines;
}

std::string ceilings_text(const ReportData& data) {
  std::string text;
  for_each_device(data, [&](const ReportDevice& device, const std::vector<Ceiling>& ceilings) {
    text += (text.empty() ? "" : "\n") + device_text(device, ceilings);
  });
  return text;
}

json ceilings_json(const ReportData& data) {
  json devices = json::array();
  for_each_device(data, [&](const ReportDevice& device, const std::vector<Ceiling>& ceilings) {
    devices.push_back(device_json(device, ceilings));
  });
  return {{"schema", 1}, {"percycle", tool_version()}, {"devices", std::move(devices)}};
}

}  // namespace percycle
