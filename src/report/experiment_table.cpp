#include "report/experiment_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/units.hpp"
#include "report/table.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

using Results = std::vector<const PointResult*>;

/// What an experiment's operation is called.
std::string_view op_name(std::string_view experiment) { return experiment == "latency" ? "load" : "op"; }

bool is_ok(const PointResult& result) { return result.outcome.status == Status::ok && result.measurement; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// At least four significant digits, never an exponent for what a point can take.
std::string format_quantity(double value) {
  const double size = value < 0 ? -value : value;
  return size >= 1000  ? fmt::format("{:.0f}", value)
         : size >= 100 ? fmt::format("{:.1f}", value)
         : size >= 10  ? fmt::format("{:.2f}", value)
         : size >= 1   ? fmt::format("{:.3f}", value)
                       : fmt::format("{:.4g}", value);
}

bool is_bytes(std::string_view parameter) { return parameter == "footprint" || parameter.ends_with("_bytes"); }

std::string format_parameter(const std::string& name, const ParameterValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number && *number >= 0 && is_bytes(name)) return format_bytes(static_cast<std::uint64_t>(*number));
  return to_string(value);
}

const ParameterValue* find(const PointResult& result, const std::string& name) {
  const auto found = result.point.parameters.find(name);
  return found == result.point.parameters.end() ? nullptr : &found->second;
}

/// One column: its title and each row's cell, of ok points only unless it is a parameter.
struct Field {
  using Cell = std::function<std::string(const PointResult&)>;

  Field(std::string title, Align align, Cell of) : column{std::move(title), align}, cell(std::move(of)) {}

  Column column;
  Cell cell;
};

/// The path first, then words before numbers, the footprint last.
std::vector<std::string> parameter_names(const Results& results) {
  std::set<std::tuple<bool, bool, bool, std::string>> order;
  for (const PointResult* result : results) {
    for (const auto& [name, value] : result->point.parameters) {
      const bool is_number = std::all_of(results.begin(), results.end(), [&, &key = name](const PointResult* other) {
        const ParameterValue* its = find(*other, key);
        return !its || std::holds_alternative<std::int64_t>(*its);
      });
      order.emplace(name == "footprint", is_number, name != "path", name);
    }
  }
  std::vector<std::string> names;
  for (const auto& [is_footprint, is_number, is_no_path, name] : order) names.push_back(name);
  return names;
}

Field parameter_field(const std::string& name, const Results& results) {
  const bool any_word = std::any_of(results.begin(), results.end(), [&](const PointResult* result) {
    const ParameterValue* value = find(*result, name);
    return value && std::holds_alternative<std::string>(*value);
  });
  return {name, any_word ? Align::left : Align::right, [name](const PointResult& result) {
            const ParameterValue* value = find(result, name);
            return value ? format_parameter(name, *value) : std::string();
          }};
}

const Summary* statistic(const PointResult& result, const std::string& name) {
  const auto found = result.measurement->statistics.find(name);
  return found == result.measurement->statistics.end() ? nullptr : &found->second;
}

/// "control_ns_per_op" to "control ns/load".
std::string statistic_title(std::string name, std::string_view op) {
  static constexpr std::string_view kSuffix = "_per_op";
  const bool per_op = name.ends_with(kSuffix);
  if (per_op) name.erase(name.size() - kSuffix.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return per_op ? fmt::format("{}/{}", name, op) : name;
}

Field statistic_field(const std::string& name, std::string_view op) {
  return {statistic_title(name, op), Align::right, [name](const PointResult& result) {
            const Summary* summary = statistic(result, name);
            return summary ? format_quantity(summary->median) : std::string();
          }};
}

/// Time with its spread first, then cycles and their clock, then everything else but the raw time that the first is made of.
std::vector<Field> measured_fields(const Results& results, std::string_view op) {
  std::set<std::string> names;
  for (const PointResult* result : results) {
    if (!is_ok(*result)) continue;
    for (const auto& [name, summary] : result->measurement->statistics) names.insert(name);
  }

  std::vector<Field> fields;
  const auto add_statistic = [&](const std::string& name) {
    if (names.erase(name) > 0) fields.push_back(statistic_field(name, op));
  };
  const std::string kMain = "ns_per_op";
  add_statistic(kMain);
  fields.emplace_back("MAD %", Align::right, [kMain](const PointResult& result) {
    const Summary* summary = statistic(result, kMain);
    const auto share = summary ? relative_mad(*summary) : std::nullopt;
    return share ? fmt::format("{:.2f}", *share * 100) : std::string();
  });
  fields.emplace_back("n", Align::right, [kMain](const PointResult& result) {
    const Summary* summary = statistic(result, kMain);
    return summary ? std::to_string(summary->n) : std::string();
  });
  add_statistic("cycles_per_op");
  fields.emplace_back("clock MHz", Align::right, [](const PointResult& result) {
    const auto& clock = result.measurement->clock_mhz;
    return clock ? fmt::format("{:.0f}", clock->value) : std::string();
  });
  fields.emplace_back("clock", Align::left, [](const PointResult& result) {
    const auto& clock = result.measurement->clock_mhz;
    return clock ? std::string(to_string(clock->provenance)) : std::string();
  });
  fields.emplace_back("time", Align::left, [](const PointResult& result) { return result.measurement->time_source; });
  names.erase("device_ns_per_op");
  for (const std::string& name : names) fields.push_back(statistic_field(name, op));
  return fields;
}

/// The cell that all of the results share, if there is one.
std::optional<std::string> shared_cell(const Field& field, const Results& results) {
  std::optional<std::string> shared;
  for (const PointResult* result : results) {
    std::string cell = field.cell(*result);
    if (shared && *shared != cell) return std::nullopt;
    shared = std::move(cell);
  }
  return shared;
}

/// Warnings below the table, each text once.
class Footnotes {
 public:
  /// " [1] [3]"
  std::string marks(const std::vector<std::string>& warnings) {
    std::string marks;
    for (const std::string& warning : warnings) {
      const auto found = std::find(texts_.begin(), texts_.end(), warning);
      marks += fmt::format("{}[{}]", marks.empty() ? "" : " ", found - texts_.begin() + 1);
      if (found == texts_.end()) texts_.push_back(warning);
    }
    return marks;
  }

  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < texts_.size(); ++i) text += fmt::format("  [{}] {}\n", i + 1, texts_[i]);
    return text;
  }

 private:
  std::vector<std::string> texts_;
};

std::string remark(const PointResult& result) {
  return fmt::format("{}: {}", to_string(result.outcome.status), first_line(result.outcome.reason));
}

}  // namespace

std::string experiment_table(const std::string& experiment, Results results) {
  const std::vector<std::string> names = parameter_names(results);
  std::sort(results.begin(), results.end(), [&](const PointResult* a, const PointResult* b) {
    for (const std::string& name : names) {
      const ParameterValue* left = find(*a, name);
      const ParameterValue* right = find(*b, name);
      if (!left || !right) {
        if (left != right) return !left;
      } else if (*left != *right) {
        return *left < *right;
      }
    }
    return false;
  });

  std::string title = experiment + ':';
  std::vector<Field> parameters;
  for (const std::string& name : names) {
    Field field = parameter_field(name, results);
    if (const auto shared = shared_cell(field, results)) {
      title += fmt::format(" {}={}", name, *shared);
    } else {
      parameters.push_back(std::move(field));
    }
  }

  Results good;
  std::copy_if(results.begin(), results.end(), std::back_inserter(good),
               [](const PointResult* result) { return is_ok(*result); });
  std::vector<Field> measured;
  for (Field& field : measured_fields(results, op_name(experiment))) {
    const auto shared = shared_cell(field, good);
    if (shared && shared->empty()) continue;  // known for no point
    if (shared && field.column.align == Align::left) {
      title += fmt::format("{} {}: {}", title.back() == ':' ? "" : ",", field.column.title, *shared);
    } else {
      measured.push_back(std::move(field));
    }
  }
  if (title.back() == ':') title.pop_back();

  Table table;
  for (const auto* fields : {&parameters, &measured}) {
    for (const Field& field : *fields) table.columns.push_back(field.column);
  }
  table.columns.push_back({"", Align::left});
  Footnotes footnotes;
  for (const PointResult* result : results) {
    Row row;
    for (const Field& field : parameters) row.cells.push_back(field.cell(*result));
    const std::string marks = result->measurement ? footnotes.marks(result->measurement->warnings) : std::string();
    if (is_ok(*result)) {
      for (const Field& field : measured) row.cells.push_back(field.cell(*result));
      row.cells.push_back(marks);
    } else {
      row.remark = marks.empty() ? remark(*result) : remark(*result) + ' ' + marks;
    }
    table.rows.push_back(std::move(row));
  }
  return title + '\n' + render(table, "  ") + footnotes.text();
}

}  // namespace percycle
