#include "html/html_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "html/escape.hpp"

namespace percycle {
namespace {

std::optional<double> main_value(const TableLine& line) { return figure(*line.row, main_figure(*line.row)); }

/// The lines by how much the figure changes there, the most first.
std::vector<std::size_t> by_change(const PointTable& table) {
  std::vector<std::pair<double, std::size_t>> changes;
  for (std::size_t i = 1; i < table.lines.size(); ++i) {
    const auto before = main_value(table.lines[i - 1]);
    const auto here = main_value(table.lines[i]);
    if (before && here && *before > 0 && *here > 0) changes.emplace_back(-std::abs(std::log(*here / *before)), i);
  }
  std::stable_sort(changes.begin(), changes.end());
  std::vector<std::size_t> order;
  for (const auto& [change, i] : changes) order.push_back(i);
  return order;
}

std::string notes_of(const std::vector<std::size_t>& notes) {
  std::string text;
  for (const std::size_t note : notes) text += fmt::format(" ({})", note + 1);
  return text;
}

}  // namespace

std::vector<std::size_t> lines_to_show(const PointTable& table, std::size_t most) {
  const std::size_t count = table.lines.size();
  if (count <= most) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  std::set<std::size_t> kept;
  const auto keep = [&](std::size_t line) {
    if (kept.size() < most) kept.insert(line);
  };
  std::optional<std::size_t> least;
  std::optional<std::size_t> greatest;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = main_value(table.lines[i]);
    if (!value) continue;
    if (!least || *value < *main_value(table.lines[*least])) least = i;
    if (!greatest || *value > *main_value(table.lines[*greatest])) greatest = i;
  }
  if (greatest) keep(*greatest);
  if (least) keep(*least);
  keep(0);
  keep(count - 1);
  for (const std::size_t i : by_change(table)) {
    if (kept.size() + 2 > most / 2 + 1) break;
    keep(i - 1);
    keep(i);
  }
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < count; ++i) {
    if (!kept.contains(i)) others.push_back(i);
  }
  const std::size_t rest = most - std::min(most, kept.size());
  for (std::size_t i = 0; i < rest; ++i) kept.insert(others[i * others.size() / rest]);
  return {kept.begin(), kept.end()};
}

std::string html_table(const PointTable& table, const std::vector<std::size_t>& lines, const std::string& caption) {
  const std::vector<std::size_t> shown = table.shown();
  std::string text = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><thead><tr>",
                                 html_text(caption));
  const auto left = [&](std::size_t i) { return table.columns[i].align == Align::left ? " class=\"l\"" : ""; };
  for (const std::size_t i : shown)
    text += fmt::format("<th scope=\"col\"{}>{}</th>", left(i), html_text(table.columns[i].title));
  bool any_note = false;
  for (const std::size_t number : lines) any_note |= !table.lines[number].notes.empty() || !table.lines[number].row->is_ok();
  text += any_note ? "<th scope=\"col\" class=\"l\">notes</th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n";
  std::set<std::size_t> notes;
  for (const std::size_t number : lines) {
    const TableLine& line = table.lines[number];
    text += "<tr>";
    for (const std::size_t i : shown) {
      const PointColumn& column = table.columns[i];
      const bool has = column.is_parameter || line.row->is_ok();
      text += fmt::format("<td{}>{}", left(i), has ? html_text(text_of(line.cells[i], column.format)) : "");
    }
    if (any_note) {
      const std::string note = (line.row->is_ok() ? "" : html_text(remark_of(*line.row))) + notes_of(line.notes);
      text += note.empty() ? "<td>" : "<td class=\"w\">" + note;
    }
    text += "\n";
    notes.insert(line.notes.begin(), line.notes.end());
  }
  text += "</tbody></table></div>\n";
  if (notes.empty()) return text;
  text += "<ul class=\"faint notes\">";
  for (const std::size_t note : notes) text += fmt::format("<li>({}) {}</li>", note + 1, html_text(table.notes[note]));
  return text + "</ul>\n";
}

}  // namespace percycle
