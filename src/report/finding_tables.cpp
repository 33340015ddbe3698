#include "report/finding_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "report/hierarchy_fields.hpp"

namespace percycle {
namespace {

std::string evidence_lines(const std::string& subject, const std::vector<std::string>& pieces) {
  std::string lines;
  for (const std::string& piece : pieces) lines += fmt::format("  {}: {}\n", subject, piece);
  return lines;
}

/// Makes a row of a table from the declaration of a finding.
class RowVisitor {
 public:
  RowVisitor(FindingTable& table, std::string& evidence)
      : table_(table), evidence_(evidence), first_value_(table.values.size()) {}

  template <typename T>
  void required(const char* name, const T& value, const Rule& rule = kNoRule) {
    if (name == std::string_view("confidence")) certainty(value);
    if (rule.title.empty()) return;
    constexpr bool is_text = Textual<T> || Worded<T> || std::same_as<T, bool>;
    const bool is_bytes = std::string_view(name).ends_with("bytes");
    if constexpr (std::is_arithmetic_v<T>) {
      if (rule.better != Better::unknown) {
        const auto number = static_cast<double>(value);
        table_.values.push_back({cells_, std::string(rule.title), number, number, number, is_bytes, rule.better});
      }
    }
    column(std::string(rule.title), cell(value, rule, is_bytes), is_text ? Align::left : Align::right);
  }
  template <typename T>
  void optional(const char* name, const T& value, const Rule& rule = kNoRule) {
    if constexpr (Optional<T>) {
      value ? required(name, *value, rule) : missing(rule);
    } else {
      required(name, value, rule);
    }
  }
  void where(bool, const char*, const auto&, const Rule& = kNoRule) {}
  void constant(const auto&...) {}
  void also(const auto&...) {}
  void shown(const auto& show) { show(*this); }

  // --- For shown() ---

  /// A cell; line ends begin further rows.
  void column(std::string title, std::string text, Align align = Align::left) {
    if (table_.table.columns.size() == cells_.size()) table_.table.columns.push_back({std::move(title), align});
    cells_.push_back(std::move(text));
  }
  /// The row's number.
  void number(std::string title) { column(std::move(title), fmt::format("{}", table_.table.rows.size() + 1)); }
  /// The bounds of the last value.
  void bounds(std::string title, std::uint64_t low, std::uint64_t high) {
    table_.values.back().low = static_cast<double>(low);
    table_.values.back().high = static_cast<double>(high);
    column(std::move(title), between(low, high), Align::right);
  }
  /// The number of a text that is too long for a column; empty without a text.
  void note(const std::string& text) {
    std::string mark;
    if (!text.empty()) {
      auto place = std::find(table_.notes.begin(), table_.notes.end(), text);
      if (place == table_.notes.end()) place = table_.notes.insert(place, text);
      mark = fmt::format("[{}]", place - table_.notes.begin() + 1);
    }
    column("", mark);
  }
  void evidence(const std::string& subject, const std::vector<std::string>& pieces) {
    evidence_ += evidence_lines(subject, pieces);
  }

  void finish() {
    while (!cells_.empty()) {
      std::vector<std::string> rest;
      for (std::string& cell : cells_) {
        const std::size_t end = std::min(cell.find('\n'), cell.size());
        rest.push_back(cell.substr(std::min(end + 1, cell.size())));
        cell.resize(end);
      }
      table_.table.rows.push_back({std::move(cells_), {}});
      const bool is_over = std::ranges::all_of(rest, [](const std::string& cell) { return cell.empty(); });
      cells_ = is_over ? std::vector<std::string>() : std::move(rest);
    }
  }

 private:
  template <typename T>
  static std::string cell(const T& value, const Rule& rule, bool is_bytes) {
    if constexpr (Worded<T>) return std::string(word_of(value));
    if constexpr (std::same_as<T, bool>) return value ? "yes" : "no";
    if constexpr (std::floating_point<T>) return fmt::format("{:.{}f}", value, rule.decimals);
    if constexpr (Whole<T>) return is_bytes ? format_bytes(value) : fmt::format("{}", value);
    if constexpr (Textual<T>) return std::string(value);
    return "";
  }
  void missing(const Rule& rule) {
    if (!rule.title.empty()) column(std::string(rule.title), "-", Align::right);
  }
  void certainty(const auto& value) {
    if constexpr (std::same_as<decltype(value), const double&>) {
      for (std::size_t i = first_value_; i < table_.values.size(); ++i) table_.values[i].confidence = value;
    }
  }

  FindingTable& table_;
  std::string& evidence_;
  std::size_t first_value_;
  std::vector<std::string> cells_;
};

/// Makes tables from the declarations of kinds of findings.
class KindVisitor {
 public:
  template <typename T>
  void required(const char*, const T& value, const Rule& rule = kNoRule) {
    if constexpr (List<T>) {
      table(std::string(rule.title), [&](KindVisitor& rows) {
        for (const auto& item : value) rows.row([&](RowVisitor& row) { declare(row, item); });
      });
    }
  }
  void optional(const char* name, const auto& value, const Rule& rule = kNoRule) { required(name, value, rule); }
  void where(bool, const char*, const auto&, const Rule& = kNoRule) {}
  void shown(const auto& show) { show(*this); }

  // --- For shown() ---

  /// `rows` calls row() for each of them.
  void table(std::string title, const auto& rows) {
    found_.tables.push_back({.title = std::move(title), .table = {}, .notes = {}, .values = {}});
    rows(*this);
    if (found_.tables.back().table.rows.empty()) found_.tables.pop_back();
  }
  void row(const auto& show) {
    RowVisitor row(found_.tables.back(), found_.evidence);
    show(row);
    row.finish();
  }
  void evidence(const std::string& subject, const std::vector<std::string>& pieces) {
    found_.evidence += evidence_lines(subject, pieces);
  }

  Findings take() && { return std::move(found_); }

 private:
  template <typename T>
  static void declare(RowVisitor& row, const T& item) {
    if constexpr (kIsVariant<T>) {
      std::visit([&](const auto& held) { fields(row, held); }, item);
    } else {
      fields(row, item);
    }
  }

  Findings found_;
};

}  // namespace

std::string between(std::uint64_t low, std::uint64_t high) {
  std::string from = format_bytes(low);
  const std::string to = format_bytes(high);
  const std::size_t unit = from.find(' ');
  if (to.ends_with(from.substr(unit))) from.erase(unit);
  return fmt::format("{} - {}", from, to);
}

Findings findings_of(const Hierarchy& hierarchy) {
  KindVisitor visitor;
  fields(visitor, hierarchy);
  return std::move(visitor).take();
}

Findings findings_of(const DeviceAnalysis& analysis) {
  KindVisitor visitor;
  findings_fields(visitor, analysis);
  return std::move(visitor).take();
}

std::string to_text(const std::vector<FindingTable>& tables) {
  std::string text;
  for (const FindingTable& each : tables) {
    text += fmt::format("\n{}\n{}", each.title, render(each.table, "  "));
    for (std::size_t i = 0; i < each.notes.size(); ++i) text += fmt::format("  [{}] {}\n", i + 1, each.notes[i]);
  }
  return text;
}

}  // namespace percycle
