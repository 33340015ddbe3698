#include "report/experiment_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/configuration.hpp"
#include "core/units.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/clock_note.hpp"
#include "report/table.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

using Results = std::vector<const PointResult*>;

constexpr std::string_view kHandOver = "hand-over";

/// What an experiment's operation is called.
std::string_view op_name(std::string_view experiment) {
  if (experiment == "atomic-handover") return kHandOver;
  return experiment == "latency" || experiment.ends_with("-bandwidth") ? "load" : "op";
}

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

/// The path first, then words before numbers, then the footprint; behind the question the configuration.
std::vector<std::string> parameter_names(const Results& results) {
  std::set<std::tuple<bool, bool, bool, bool, std::string>> order;
  for (const PointResult* result : results) {
    for (const auto& [name, value] : result->point.parameters) {
      const bool is_number = std::all_of(results.begin(), results.end(), [&, &key = name](const PointResult* other) {
        const ParameterValue* its = find(*other, key);
        return !its || std::holds_alternative<std::int64_t>(*its);
      });
      order.emplace(is_configuration(name), name == "footprint", is_number, name != "path", name);
    }
  }
  std::vector<std::string> names;
  for (const auto& [is_shape, is_footprint, is_number, is_no_path, name] : order) names.push_back(name);
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
  if (name == "gb_per_s") return "GB/s";
  if (name == "gops_per_s") return "Gops/s";
  if (name == "ops_per_unit_cycle") return "ops/unit/cycle";
  static constexpr std::string_view kSuffix = "_per_op";
  const bool per_op = name.ends_with(kSuffix);
  if (per_op) name.erase(name.size() - kSuffix.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return per_op ? fmt::format("{}/{}", name, op) : name;
}

/// The bandwidth or the rate of operations, where one was measured.
const Summary* rate(const PointResult& result) {
  const Summary* bandwidth = statistic(result, "gb_per_s");
  return bandwidth ? bandwidth : statistic(result, "gops_per_s");
}

/// What the experiment is about: a rate where it was measured, else time.
const Summary* main_statistic(const PointResult& result) {
  const Summary* main = rate(result);
  return main ? main : statistic(result, "ns_per_op");
}

/// The time of one of many operations at once says nothing that their rate does not.
bool is_hidden(const PointResult& result, const std::string& name) {
  return name.ends_with("_per_op") && rate(result) != nullptr;
}

Field statistic_field(const std::string& name, std::string_view op) {
  return {statistic_title(name, op), Align::right, [name](const PointResult& result) {
            const Summary* summary = is_hidden(result, name) ? nullptr : statistic(result, name);
            if (!summary) return std::string();
            return is_bytes(name) ? format_bytes(static_cast<std::uint64_t>(summary->median)) : format_quantity(summary->median);
          }};
}

/// A bandwidth as it stands against its limit, by the point that it is of.
using Bandwidths = std::map<const PointResult*, NormalizedBandwidth>;

/// A column of what is made from the bandwidth: empty for what is none, "unknown" where something that it is made from is not known.
Field bandwidth_field(std::string title, Align align, const Bandwidths& bandwidths,
                      const std::function<std::optional<std::string>(const NormalizedBandwidth&)>& text) {
  return {std::move(title), align, [&bandwidths, text](const PointResult& result) {
            const auto found = bandwidths.find(&result);
            return found == bandwidths.end() ? std::string() : text(found->second).value_or("unknown");
          }};
}

Field bandwidth_field(std::string title, const Bandwidths& bandwidths, std::optional<double> NormalizedBandwidth::*figure) {
  return bandwidth_field(std::move(title), Align::right, bandwidths, [figure](const NormalizedBandwidth& bandwidth) {
    const auto& value = bandwidth.*figure;
    return value ? std::optional(format_quantity(*value)) : std::nullopt;
  });
}

Bandwidths bandwidths_of(const Results& results, const Header& header, const DeviceLimits& limits) {
  Bandwidths bandwidths;
  for (const PointResult* result : results) {
    if (!is_ok(*result)) continue;
    const bool is_bandwidth =
        statistic(*result, "gb_per_s") || (header.published() && statistic(*result, "bytes_per_unit_cycle"));
    if (is_bandwidth) bandwidths[result] = hold_against_limit(*result, header, limits);
  }
  return bandwidths;
}

/// How far the clocks that are known of a point lie apart, relative to the one that is used; absent where there is nothing to compare.
std::optional<double> clock_spread(const Measurement& measurement) {
  const auto& clocks = measurement.clocks_mhz;
  if (clocks.size() < 2) return std::nullopt;
  const auto [low, high] =
      std::minmax_element(clocks.begin(), clocks.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return (high->value - low->value) / clocks.front().value;
}

/// Bandwidth, rate of operations or time with its spread first, then what a rate is in cycles and a bandwidth's limit, then cycles and their clock, then everything else but the raw time that the first is made of.
std::vector<Field> measured_fields(const Results& results, const Bandwidths& bandwidths, std::string_view op) {
  std::set<std::string> names;
  for (const PointResult* result : results) {
    if (!is_ok(*result)) continue;
    for (const auto& [name, summary] : result->measurement->statistics) names.insert(name);
  }

  std::vector<Field> fields;
  const auto add_statistic = [&](const std::string& name) {
    if (names.erase(name) > 0) fields.push_back(statistic_field(name, op));
  };
  add_statistic("gb_per_s");
  add_statistic("gops_per_s");
  add_statistic("ns_per_op");
  if (op == kHandOver) {  // falls into step in more ways than one: a median hides them
    for (const auto& [title, end] : {std::pair{"least", &Summary::min}, {"most", &Summary::max}}) {
      fields.emplace_back(title, Align::right, [end = end](const PointResult& result) {
        const Summary* summary = main_statistic(result);
        return summary && summary->*end ? format_quantity(*(summary->*end)) : std::string();
      });
    }
  }
  fields.emplace_back("MAD %", Align::right, [](const PointResult& result) {
    const Summary* summary = main_statistic(result);
    const auto share = summary ? relative_mad(*summary) : std::nullopt;
    return share ? fmt::format("{:.2f}", *share * 100) : std::string();
  });
  fields.emplace_back("n", Align::right, [](const PointResult& result) {
    const Summary* summary = main_statistic(result);
    return summary && summary->n ? std::to_string(*summary->n) : std::string();
  });
  add_statistic("ops_per_unit_cycle");
  names.erase("bytes_per_unit_cycle");
  if (!bandwidths.empty()) {
    fields.push_back(bandwidth_field("B/unit/cycle", bandwidths, &NormalizedBandwidth::bytes_per_unit_cycle));
    fields.push_back(bandwidth_field("limit GB/s", bandwidths, &NormalizedBandwidth::limit_gb_s));
    fields.push_back(bandwidth_field("limit B/unit/cycle", bandwidths, &NormalizedBandwidth::limit_bytes_per_unit_cycle));
    fields.push_back(bandwidth_field("% of limit", Align::right, bandwidths, [](const NormalizedBandwidth& bandwidth) {
      return bandwidth.efficiency ? std::optional(fmt::format("{:.2f}", 100 * *bandwidth.efficiency)) : std::nullopt;
    }));
    fields.push_back(bandwidth_field("limit", Align::left, bandwidths, [](const NormalizedBandwidth& bandwidth) {
      const auto& provenance = bandwidth.limit_provenance;
      return provenance ? std::optional(std::string(to_string(*provenance))) : std::nullopt;
    }));
  }
  add_statistic("cycles_per_op");
  fields.emplace_back("clock MHz", Align::right, [](const PointResult& result) {
    const auto& clock = result.measurement->clock_mhz;
    return clock ? fmt::format("{:.0f}", clock->value) : std::string();
  });
  fields.emplace_back("clock", Align::left, [](const PointResult& result) {
    const auto& clock = result.measurement->clock_mhz;
    return clock ? std::string(to_string(clock->provenance)) : std::string();
  });
  fields.emplace_back("clocks differ %", Align::right, [](const PointResult& result) {
    const auto spread = clock_spread(*result.measurement);
    return spread ? fmt::format("{:.2f}", 100 * *spread) : std::string();
  });
  fields.emplace_back("time", Align::left, [](const PointResult& result) { return result.measurement->time_source; });
  names.erase("device_ns_per_op");
  for (const std::string& name : names) fields.push_back(statistic_field(name, op));
  return fields;
}

/// Leaves of each question that a search answered only the best configuration's result, and what did not end well; how many it took out.
std::size_t keep_best(Results& results) {
  std::map<Parameters, const PointResult*> best;
  const auto searched = [](const PointResult* result) { return is_ok(*result) && find(*result, kRole) != nullptr; };
  for (const PointResult* result : results) {
    if (!searched(result) || is_search(result->point)) continue;
    const PointResult*& answer = best[question_of(result->point)];
    if (!answer || main_statistic(*result)->median > main_statistic(*answer)->median) answer = result;
  }
  return std::erase_if(results,
                       [&](const PointResult* result) { return searched(result) && best[question_of(result->point)] != result; });
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

std::string experiment_table(const std::string& experiment, Results results, const Header& header, const DeviceLimits& limits) {
  const std::size_t left_out = keep_best(results);
  const Bandwidths bandwidths = bandwidths_of(results, header, limits);
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
  for (Field& field : measured_fields(results, bandwidths, op_name(experiment))) {
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
    std::vector<std::string> notes = result->measurement ? result->measurement->warnings : std::vector<std::string>();
    if (const auto found = bandwidths.find(result); found != bandwidths.end() && !found->second.suspect.empty()) {
      notes.push_back("suspect: " + found->second.suspect);
    }
    if (is_ok(*result)) {
      if (std::string note = clock_note(*result->measurement); !note.empty()) notes.push_back(std::move(note));
    }
    const std::string marks = footnotes.marks(notes);
    if (is_ok(*result)) {
      for (const Field& field : measured) row.cells.push_back(field.cell(*result));
      row.cells.push_back(marks);
    } else {
      row.remark = marks.empty() ? remark(*result) : remark(*result) + ' ' + marks;
    }
    table.rows.push_back(std::move(row));
  }
  std::string text = title + '\n' + render(table, "  ") + footnotes.text();
  if (left_out > 0) text += fmt::format("  not shown: {} points of other configurations\n", left_out);
  return text;
}

}  // namespace percycle
