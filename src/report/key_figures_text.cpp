#include "report/key_figures_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/units.hpp"
#include "report/markdown_table.hpp"
#include "report/table_files.hpp"
#include "report/text_table.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr std::size_t kCellWidth = 13;  // "33.43* 100 %" after a blank
constexpr std::size_t kShareWidth = 6;  // " 100 %"
constexpr std::size_t kMostTitleLines = 3;
constexpr const char* kOtherApi = "  through Vulkan";

/// Large rates of a row are printed in T instead of G, long times in us.
double divisor_of(const KeyRow& row) {
  double most = 0;
  for (const KeyCell& cell : row.cells) {
    if (cell.value) most = std::max(most, cell.value->value);
  }
  const bool is_rate = row.unit.starts_with('G') && row.unit.ends_with("/s");
  return (is_rate || row.unit == unit_text::kNs) && most >= 10000 ? 1000 : 1;
}

std::string key_number_words(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

bool has_shares(const KeyRow& row) {
  return std::ranges::any_of(row.cells, [](const KeyCell& cell) {
    return (cell.value && cell.value->share_percent) || (cell.other && cell.other->share_percent);
  });
}

/// "560-622"; a bound has three digits.
std::string range_words(const KeyRow& row, const StatedRange& range) {
  if (row.figure == kSizeFigure) {
    const std::string low = format_bytes(static_cast<std::uint64_t>(range.low));
    const std::string high = format_bytes(static_cast<std::uint64_t>(range.high));
    const std::size_t unit = low.find(' ');
    return (high.ends_with(low.substr(unit)) ? low.substr(0, unit) : low) + '-' + high;
  }
  const auto bound = [&](double value) {
    const double scaled = value / divisor_of(row);
    return scaled >= 1000 ? fmt::format("{:.0f}", scaled) : fmt::format("{:.3g}", scaled);
  };
  return fmt::format("{}-{}", bound(range.low), bound(range.high));
}

/// "3352* 96 %", with values below values. A range that is too wide becomes "~".
std::string key_cell_words(const KeyRow& row, const std::optional<KeyValue>& value, bool is_best, std::size_t width) {
  if (!value) return {};
  const std::string words = key_value_words(row, *value) + (is_best ? "*" : "");
  const std::string all = has_shares(row) ? fmt::format("{}{:>{}}", words, key_share_words(*value), kShareWidth) : words;
  if (!value->range || display_width(all) <= width) return all;
  KeyValue single = *value;
  single.range.reset();
  return "~" + key_cell_words(row, single, is_best, width);
}

bool has_other(const KeyRow& row) {
  return std::ranges::any_of(row.cells, [](const KeyCell& cell) { return cell.other.has_value(); });
}

/// The largest ratio between the APIs of a card.
double api_gap(const KeyRow& row) {
  double gap = 0;
  for (const KeyCell& cell : row.cells) {
    if (cell.other) gap = std::max(gap, std::abs(std::log(cell.other->value / cell.value->value)));
  }
  return gap;
}

/// The gap from which second lines fit into `room` lines.
double least_gap(const KeyFigures& figures, std::size_t room) {
  std::vector<double> gaps;
  for (const KeyRow& row : figures.rows) {
    if (has_other(row)) gaps.push_back(api_gap(row));
  }
  if (gaps.size() <= room) return 0;
  std::ranges::sort(gaps, std::greater<>());
  return room == 0 ? std::numeric_limits<double>::infinity() : gaps[room - 1];
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// A title in lines of this width; a longer word breaks.
std::vector<std::string> title_lines(const std::string& title, std::size_t width) {
  std::vector<std::string> lines;
  for (std::string line : split_lines(wrap_lines(title, width))) {
    line.erase(0, line.find_first_not_of(' '));
    for (; line.size() > width; line.erase(0, width)) lines.push_back(line.substr(0, width));
    lines.push_back(line);
  }
  if (lines.size() > kMostTitleLines) lines.resize(kMostTitleLines);
  return lines;
}

std::size_t label_width(const KeyFigures& figures) {
  std::size_t width = std::string_view(kOtherApi).size();
  for (const KeyRow& row : figures.rows) width = std::max(width, key_label(row).size());
  return width;
}

std::string title_rows(const KeyFigures& figures, std::size_t label, std::size_t cell) {
  std::vector<std::vector<std::string>> titles;
  std::size_t height = 0;
  for (const std::string& title : figures.columns) {
    titles.push_back(title_lines(title, cell - 1));
    height = std::max(height, titles.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string words(label, ' ');
    for (const auto& title : titles) words += fmt::format("{:>{}}", line < title.size() ? title[line] : "", cell);
    text += words.substr(0, words.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace

std::string key_label(const KeyRow& row) {
  if (row.unit.empty()) return row.name;
  std::string unit = row.unit;
  if (divisor_of(row) > 1) unit = unit == unit_text::kNs ? unit_text::kUs : 'T' + unit.substr(1);
  return fmt::format("{}, {}", row.name, unit);
}

std::string key_value_words(const KeyRow& row, const KeyValue& value) {
  std::string text = value.range                 ? range_words(row, *value.range)
                     : row.figure == kSizeFigure ? format_bytes(static_cast<std::uint64_t>(value.value))
                                                 : key_number_words(value.value / divisor_of(row));
  if (!value.unit.empty()) text += ' ' + value.unit;
  return text + (value.is_doubtful ? "?" : "");
}

std::string key_share_words(const KeyValue& value) {
  return value.share_percent ? fmt::format("{:.0f} %", *value.share_percent) : std::string();
}

std::size_t cards_within(const KeyFigures& figures, std::size_t columns) {
  const std::size_t label = label_width(figures);
  return columns < label + kCellWidth ? 1 : (columns - label) / kCellWidth;
}

KeyFigures with_columns(const KeyFigures& figures, const std::vector<std::size_t>& columns) {
  KeyFigures part;
  for (const std::size_t column : columns) part.columns.push_back(figures.columns[column]);
  for (const KeyRow& row : figures.rows) {
    KeyRow kept = row;
    kept.cells.clear();
    for (const std::size_t column : columns) kept.cells.push_back(row.cells[column]);
    if (std::ranges::any_of(kept.cells, [](const KeyCell& cell) { return cell.value.has_value(); }))
      part.rows.push_back(std::move(kept));
  }
  return part;
}

std::string to_text(const KeyFigures& figures, std::size_t columns, std::size_t most_lines) {
  const std::size_t label = label_width(figures);
  const std::size_t count = std::max<std::size_t>(figures.columns.size(), 1);
  const std::size_t cell = std::clamp(columns > label ? (columns - label) / count : kCellWidth, kCellWidth, 2 * kCellWidth);
  std::string text = title_rows(figures, label, cell);
  const auto height = static_cast<std::size_t>(std::ranges::count(text, '\n')) + figures.rows.size();
  const double gap = least_gap(figures, most_lines > height ? most_lines - height : 0);
  const auto add_row_line = [&](const std::string& name, const std::vector<std::string>& cells) {
    std::string line = fmt::format("{:<{}}", name, label);
    for (const std::string& words : cells) line += std::string(cell - std::min(cell, display_width(words)), ' ') + words;
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  };
  for (const KeyRow& row : figures.rows) {
    std::vector<std::string> cells;
    std::vector<std::string> others;
    for (const KeyCell& each : row.cells) {
      cells.push_back(key_cell_words(row, each.value, each.is_best, cell - 1));
      others.push_back(key_cell_words(row, each.other, false, cell - 1));
    }
    add_row_line(key_label(row), cells);
    if (has_other(row) && api_gap(row) >= gap) add_row_line(kOtherApi, others);
  }
  return text;
}

std::string marks_of(const KeyFigures& figures) {
  bool has_best = false;
  bool has_range = false;
  bool has_doubtful = false;
  for (const KeyRow& row : figures.rows) {
    for (const KeyCell& cell : row.cells) {
      has_best |= cell.is_best;
      has_range |= cell.value && cell.value->range;
      has_doubtful |= cell.value && cell.value->is_doubtful;
    }
  }
  std::string marks;
  const auto add = [&](bool has, const char* words) {
    if (has) marks += fmt::format("{}{}", marks.empty() ? "" : "; ", words);
  };
  add(has_best, "* the best");
  add(std::ranges::any_of(figures.rows, has_shares), "% of the limit");
  add(has_range, "a-b, ~ known to a range");
  add(has_doubtful, "? perhaps");
  return marks;
}

std::string to_markdown(const KeyFigures& figures) {
  TextTable table{.columns = {{"figure", Align::left}}, .rows = {}};
  for (const std::string& column : figures.columns) table.columns.push_back({column});
  const auto words = [](const KeyRow& row, const std::optional<KeyValue>& value) {
    if (!value) return std::string();
    const std::string share = key_share_words(*value);
    return key_value_words(row, *value) + (share.empty() ? "" : fmt::format(" ({})", share));
  };
  for (const KeyRow& row : figures.rows) {
    TextRow cells{{key_label(row)}, {}};
    TextRow others{{key_label(row) + (kOtherApi + 1)}, {}};
    for (const KeyCell& cell : row.cells) {
      cells.cells.push_back(words(row, cell.value) + (cell.is_best ? "*" : ""));
      others.cells.push_back(words(row, cell.other));
    }
    table.rows.push_back(std::move(cells));
    if (has_other(row)) table.rows.push_back(std::move(others));
  }
  return markdown_table(table);
}

std::string to_csv(const KeyFigures& figures) {
  std::string text = "figure,unit,api";
  for (const std::string& column : figures.columns)
    text += fmt::format(",{},{}", csv_field(column), csv_field(column + ", % of limit"));
  text += '\n';
  const auto add_row_line = [&](const KeyRow& row, const char* api, const auto& value_of) {
    text += fmt::format("{},{},{}", csv_field(row.name), csv_field(row.unit), api);
    for (const KeyCell& cell : row.cells) {
      const std::optional<KeyValue>& value = value_of(cell);
      // A value in another unit is none of this row.
      const bool counts = value && value->unit.empty();
      text += fmt::format(",{},{}", counts ? fmt::format("{}", value->value) : "",
                          counts && value->share_percent ? fmt::format("{}", *value->share_percent) : "");
    }
    text += '\n';
  };
  for (const KeyRow& row : figures.rows) {
    add_row_line(
        row, "", [](const KeyCell& cell) -> const auto& { return cell.value; });
    if (has_other(row))
      add_row_line(
          row, "Vulkan", [](const KeyCell& cell) -> const auto& { return cell.other; });
  }
  return text;
}

}  // namespace percycle
