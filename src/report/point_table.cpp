#include "report/point_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/figures.hpp"
#include "presentation/presentation.hpp"

namespace percycle {
namespace {

using Rows = std::vector<const PointRow*>;

/// The names of the rows' cells, with whether any of them is a word.
std::map<std::string, bool> names_of(const Rows& rows, Cells PointRow::*cells) {
  std::map<std::string, bool> names;
  for (const PointRow* row : rows) {
    for (const auto& [name, cell] : row->*cells) names[name] |= std::holds_alternative<std::string>(cell);
  }
  return names;
}

/// The path first, then words before numbers, then the footprint; after the question the
/// configuration.
std::vector<std::string> parameter_names(const Rows& rows) {
  const std::map<std::string, bool> any_word = names_of(rows, &PointRow::parameters);
  std::set<std::tuple<bool, bool, bool, bool, std::string>> order;
  for (const auto& [name, word] : any_word)
    order.emplace(is_configuration(*rows.front(), name), name == "footprint", !word, name != "path", name);
  std::vector<std::string> names;
  for (const auto& [is_shape, is_footprint, is_number, is_no_path, name] : order) names.push_back(name);
  return names;
}

PointColumn parameter_column(const std::string& name, bool any_word) {
  return {.key = name,
          .title = name,
          .align = any_word ? Align::left : Align::right,
          .format = is_bytes(name) ? Format::bytes : Format::plain,
          .is_parameter = true,
          .for_programs = false};
}

PointColumn figure_column(const std::string& name, Format format, const Presentation& about, const UnitWords& words) {
  return {.key = name,
          .title = figure_title(name, words),
          .align = format == Format::words ? Align::left : Align::right,
          .format = format,
          .for_programs = (name == "least" || name == "most") && !about.shows_range};
}

/// The figures that any row has, in their order; those that the catalogue lacks come last.
std::vector<PointColumn> figure_columns(const Rows& rows, const Presentation& about) {
  std::map<std::string, bool> names = names_of(rows, &PointRow::figures);
  const UnitWords words = unit_words(about, rows);
  std::vector<PointColumn> columns;
  for (const Figure& figure : all_figures()) {
    const std::string name(figure.name);
    if (names.erase(name) > 0) columns.push_back(figure_column(name, figure.format, about, words));
  }
  for (const auto& [name, word] : names)
    columns.push_back(figure_column(name, is_bytes(name) ? Format::bytes : Format::quantity, about, words));
  return columns;
}

/// Sorts by these parameters, the first one first: absent ones before numbers, numbers before
/// words.
void sort(Rows& rows, const std::vector<std::string>& names) {
  std::stable_sort(rows.begin(), rows.end(), [&](const PointRow* a, const PointRow* b) {
    for (const std::string& name : names) {
      const Cell* left = find_parameter(*a, name);
      const Cell* right = find_parameter(*b, name);
      if (left && right ? *left == *right : left == right) continue;
      return left && right ? *left < *right : left == nullptr;
    }
    return false;
  });
}

/// The text of all lines with a value in that column, if they agree.
std::optional<std::string> shared_text(const PointTable& table, const PointColumn& column) {
  std::optional<std::string> shared;
  const Cell* last = nullptr;
  for (const TableLine& line : table.lines) {
    if (!column.is_parameter && !line.row->is_ok()) continue;
    const Cell& cell = cell_of(*line.row, column);
    if (last && *last == cell) continue;
    last = &cell;
    std::string text = text_of(cell, column.format);
    if (shared && *shared != text) return std::nullopt;
    shared = std::move(text);
  }
  return shared;
}

/// Whether no line has a known value there.
bool is_unknown(const PointTable& table, const PointColumn& column) {
  return std::ranges::all_of(table.lines, [&](const TableLine& line) {
    return !line.row->is_ok() || std::holds_alternative<NotKnown>(cell_of(*line.row, column));
  });
}

/// Numbers notes from the first on.
class Notes {
 public:
  std::size_t number(const std::string& text) {
    const auto [place, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  std::vector<std::string> take() && { return std::move(texts_); }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace

void sort_rows(Rows& rows) { sort(rows, parameter_names(rows)); }

std::string remark_of(const PointRow& row) { return fmt::format("{}: {}", to_string(row.status), *row.reason); }

PointTable point_table(const std::string& experiment, const Rows& unsorted) {
  Rows rows = unsorted;
  PointTable table;
  table.experiment = experiment;
  const std::vector<std::string> names = parameter_names(rows);
  sort(rows, names);
  const std::map<std::string, bool> any_word = names_of(rows, &PointRow::parameters);
  for (const std::string& name : names) table.columns.push_back(parameter_column(name, any_word.at(name)));
  if (std::any_of(rows.begin(), rows.end(), [&](const PointRow* row) { return row->run != rows.front()->run; })) {
    table.columns.push_back({.key = "run", .title = "run", .align = Align::left, .is_parameter = true, .is_run = true});
  }
  for (PointColumn& column : figure_columns(rows, presentation_of(experiment))) table.columns.push_back(std::move(column));

  Notes notes;
  for (const PointRow* row : rows) {
    TableLine& line = table.lines.emplace_back(TableLine{.row = row, .notes = {}});
    for (const Note& note : row->notes) line.notes.push_back(notes.number(note.text));
  }
  table.notes = std::move(notes).take();
  for (PointColumn& column : table.columns) {
    if (column.is_parameter || column.align == Align::left || is_unknown(table, column))
      column.alike = shared_text(table, column);
  }
  return table;
}

void say_numbers_once(PointTable& table) {
  const auto ok = std::count_if(table.lines.begin(), table.lines.end(), [](const TableLine& line) { return line.row->is_ok(); });
  if (ok < 2) return;
  bool is_first = true;
  for (PointColumn& column : table.columns) {
    if (column.is_parameter || column.for_programs) continue;
    if (!std::exchange(is_first, false)) column.alike = shared_text(table, column);
  }
}

const Cell& cell_of(const PointRow& row, const PointColumn& column) {
  static const Cell none;
  if (column.is_run) return row.run;
  const Cell* cell = column.is_parameter ? find_parameter(row, column.key) : find_figure(row, column.key);
  return cell ? *cell : none;
}

std::string PointTable::title() const {
  std::string text = experiment + ':';
  std::string unknown;
  for (const PointColumn& column : columns) {
    if (!column.alike) continue;
    if (!column.is_parameter && *column.alike == text_of(NotKnown{}, column.format)) {
      unknown += (unknown.empty() ? "" : ", ") + column.title;
      continue;
    }
    text += column.is_parameter ? fmt::format(" {}={}", column.key, *column.alike)
                                : fmt::format("{} {}: {}", text.back() == ':' ? "" : ",", column.title, *column.alike);
  }
  if (!unknown.empty()) text += fmt::format("{} unknown: {}", text.back() == ':' ? "" : ",", unknown);
  if (text.back() == ':') text.pop_back();
  return text;
}

std::vector<std::size_t> PointTable::shown() const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].alike && !columns[i].for_programs) shown.push_back(i);
  }
  return shown;
}

}  // namespace percycle
