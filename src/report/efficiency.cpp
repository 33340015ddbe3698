#include "report/efficiency.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "core/configuration.hpp"
#include "core/figures.hpp"
#include "core/printable.hpp"
#include "presentation/presentation.hpp"

namespace percycle {
namespace {

bool was_searched(const PointRow& row) { return find_parameter(row, kRole) != nullptr; }

/// The question of the point without its footprint.
std::string key_without_footprint(const PointRow& row) {
  return key_of(
      row, [&](const std::string& name) { return name != "footprint" && !(was_searched(row) && is_configuration(row, name)); });
}

}  // namespace

std::string parameter_words(const PointRow& row, const std::string& name) {
  const Cell* cell = find_parameter(row, name);
  if (!cell) return {};
  const std::string text = text_of(*cell, is_bytes(name) ? Format::bytes : Format::plain);
  const bool is_word =
      std::holds_alternative<std::string>(*cell) && !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
  return is_word ? text : name + ' ' + text;
}

std::string parameter_words(const PointRow& row, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const std::string words = parameter_words(row, name);
    if (!words.empty()) text += (text.empty() ? "" : ", ") + words;
  }
  return text;
}

std::vector<std::string> varying_parameters(const std::vector<const PointRow*>& rows, const std::set<std::string>& without) {
  struct Values {
    const Cell* first = nullptr;
    bool vary = false;
    std::size_t rows = 0;
  };
  std::map<std::string, Values> values_of;
  for (const PointRow* row : rows) {
    const bool searched = was_searched(*row);
    for (const auto& [name, cell] : row->parameters) {
      if (without.contains(name) || (searched && is_configuration(*row, name))) continue;
      Values& values = values_of[name];
      if (values.first == nullptr) values.first = &cell;
      if (!values.vary && *values.first != cell) values.vary = exact_text_of(*values.first) != exact_text_of(cell);
      ++values.rows;
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, values] : values_of) {
    if (values.vary || values.rows < rows.size()) names.push_back(name);
  }
  return names;
}

std::vector<const PointRow*> best_of_footprints(const std::vector<const PointRow*>& rows, std::string_view figure_name) {
  std::map<std::string, std::size_t> place;
  std::vector<const PointRow*> best;
  for (const PointRow* row : rows) {
    const auto value = figure(*row, figure_name);
    if (!value) continue;
    const auto [entry, is_new] = place.try_emplace(key_without_footprint(*row), best.size());
    if (is_new) {
      best.push_back(row);
      continue;
    }
    const double earlier = figure(*best[entry->second], figure_name).value();
    if (is_better(figure_name, *value, earlier)) best[entry->second] = row;
  }
  return best;
}

EfficiencyTable efficiency_table(const ReportDevice& device) {
  EfficiencyTable efficiency;
  for (const auto& [experiment, rows] : device.experiments) {
    auto latest = latest_rows(rows);
    const ParameterWords& below_full_rate = presentation_of(experiment).below_full_rate;
    std::erase_if(latest, [&](const PointRow* row) { return has_any_word(*row, below_full_rate); });
    const bool is_arithmetic = std::any_of(latest.begin(), latest.end(), [](const PointRow* row) {
      return find_figure(*row, figures::kLimitOpsPerUnitCycle) != nullptr;
    });
    const auto best = best_of_footprints(latest, is_arithmetic ? figures::kGopsPerS : figures::kGbPerS);
    if (best.empty()) continue;
    std::set<std::string> fixed;
    for (const auto& [name, word] : below_full_rate) fixed.insert(name);
    const auto names = varying_parameters(best, fixed);
    for (const PointRow* row : best) {
      if (!figure(*row, figures::kEfficiency)) continue;
      PointRow line{.parameters = {{"experiment", experiment}, {"point", printable(parameter_words(*row, names))}},
                    .figures = {},
                    .notes = row->notes,
                    .unit_name = row->unit_name};
      for (const char* name : {figures::kGbPerS, figures::kLimitGbPerS, figures::kBytesPerUnitCycle,
                               figures::kLimitBytesPerUnitCycle, figures::kGopsPerS, figures::kOpsPerUnitCycle,
                               figures::kLimitOpsPerUnitCycle, figures::kEfficiency, "limit", figures::kClockMhz, "clock"}) {
        if (const Cell* cell = find_figure(*row, name)) line.figures.emplace(name, *cell);
      }
      efficiency.rows.push_back(std::move(line));
    }
  }
  std::vector<const PointRow*> rows;
  for (const PointRow& row : efficiency.rows) rows.push_back(&row);
  efficiency.table = point_table("efficiency", rows);
  // Its point comes first: the share of the limit follows the name of the measurement.
  auto& columns = efficiency.table.columns;
  const auto first_figure =
      std::find_if(columns.begin(), columns.end(), [](const PointColumn& column) { return !column.is_parameter; });
  const auto share =
      std::find_if(first_figure, columns.end(), [](const PointColumn& column) { return column.key == figures::kEfficiency; });
  if (share != columns.end()) std::rotate(first_figure, share, share + 1);
  return efficiency;
}

}  // namespace percycle
