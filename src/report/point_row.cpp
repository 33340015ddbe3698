#include "report/point_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/instruction_caches.hpp"
#include "core/figures.hpp"
#include "core/printable.hpp"
#include "presentation/configuration.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/clock_note.hpp"
#include "report/code_note.hpp"
#include "report/integer_mix.hpp"
#include "stats/summary.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

constexpr std::size_t kDrawnPositions = 256;
constexpr std::uint64_t kFewestSteadySamples = 3;

void add_if(Cells& figures, std::string_view name, const std::optional<double>& value) {
  if (value) figures.emplace(name, *value);
}

/// Adds a figure that the point should have.
void add_or_not_known(Cells& figures, std::string_view name, const std::optional<double>& value) {
  figures.emplace(name, value ? Cell(*value) : Cell(NotKnown{}));
}

bool has_limits(const Presentation& about) { return !about.limits.empty(); }

/// The bandwidth or the rate of operations, where one was measured.
bool has_rate(const Measurement& measurement) {
  return find_statistic(measurement, figures::kGbPerS) || find_statistic(measurement, figures::kGopsPerS);
}

/// The relative spread of a point's known clocks around the one used; empty if there is only one.
std::optional<double> clock_spread(const Measurement& measurement) {
  const auto& clocks = measurement.clocks_mhz;
  if (clocks.size() < 2) return std::nullopt;
  const auto [low, high] =
      std::minmax_element(clocks.begin(), clocks.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return (high->value - low->value) / clocks.front().value;
}

std::optional<double> percent(const std::optional<double>& share) { return share ? std::optional(100 * *share) : std::nullopt; }

void add_statistics(Cells& figures, const Measurement& measurement) {
  // The time of one of many simultaneous operations adds nothing to their rate; the raw time only
  // serves to derive the first.
  const bool is_rate = has_rate(measurement);
  for (const auto& [name, summary] : measurement.statistics) {
    if ((is_rate && name.ends_with("_per_op")) || name == figures::kBytesPerUnitCycle || name == figures::kDeviceNsPerOp)
      continue;
    figures.emplace(printable(name), summary.median);
  }
  if (const Summary* main = find_statistic(measurement, main_figure_of(measurement.statistics))) {
    add_if(figures, "least", main->min);
    add_if(figures, "most", main->max);
    add_if(figures, figures::kMadPercent, percent(relative_mad(*main)));
    if (main->n) figures.emplace("n", static_cast<std::int64_t>(*main->n));
  }
}

/// Adds a bandwidth or a rate of operations beside its limit. A note if the figures contradict each
/// other, else empty.
std::string add_limit(Cells& figures, bool is_bandwidth, const NormalizedBandwidth& rate) {
  if (is_bandwidth) {
    add_or_not_known(figures, figures::kBytesPerUnitCycle, rate.bytes_per_unit_cycle);
    add_or_not_known(figures, figure_called(figures::kGbPerS).limit, rate.limit_gb_s);
  }
  const char* per_cycle = is_bandwidth ? figures::kBytesPerUnitCycle : figures::kOpsPerUnitCycle;
  add_or_not_known(figures, figure_called(per_cycle).limit, rate.limit_bytes_per_unit_cycle);
  add_or_not_known(figures, figures::kEfficiency, percent(rate.efficiency));
  figures.emplace("limit", rate.limit_provenance ? Cell(std::string(to_string(*rate.limit_provenance))) : Cell(NotKnown{}));
  return rate.suspect.empty() ? "" : "suspect: " + rate.suspect;
}

void add_clock(Cells& figures, const Measurement& measurement) {
  if (const auto& clock = measurement.clock_mhz) {
    figures.emplace(figures::kClockMhz, clock->value);
    figures.emplace("clock", std::string(to_string(clock->provenance)));
  }
  add_if(figures, figures::kClocksDifferPercent, percent(clock_spread(measurement)));
  if (!measurement.time_source.empty()) figures.emplace("time", printable(measurement.time_source));
}

const Cell* find(const Cells& cells, std::string_view name) {
  const auto found = cells.find(name);
  return found == cells.end() ? nullptr : &found->second;
}

bool is_bound_by(const Point& point, const DeviceLimits& device_limits, Quantity quantity) {
  const auto limits = limits_of(point, device_limits);
  return std::any_of(limits.begin(), limits.end(), [&](const Limit& limit) { return limit.quantity == quantity; });
}

/// Whether the row has that role in a search for the best configuration; any role if `role` is
/// empty.
bool has_role(const PointRow& row, std::string_view role = {}) {
  const Cell* cell = find_parameter(row, kRole);
  return cell && (role.empty() || exact_text_of(*cell) == role);
}

std::optional<LoopCode> loop_code(const Measurement& measurement) {
  if (!measurement.codegen || !measurement.codegen->counts) return std::nullopt;
  const CodeCounts& counts = *measurement.codegen->counts;
  if (!counts.alu_per_access) return std::nullopt;
  LoopCode code{.accesses = 0, .alu_per_access = *counts.alu_per_access};
  for (const CodeAccess& access : counts.accesses) code.accesses += access.count;
  return code;
}

/// Empty unless the last third of a sustained load has few samples.
std::string steady_note(const Measurement& measurement) {
  for (const char* name : {figures::kSteadyGbPerS, figures::kSteadyGopsPerS}) {
    const Summary* steady = find_statistic(measurement, name);
    if (!steady || !steady->n || *steady->n >= kFewestSteadySamples) continue;
    return fmt::format("the steady rate comes from {} sample{}, too few to show a steady state; load the device for longer",
                       *steady->n, *steady->n == 1 ? "" : "s");
  }
  return "";
}

/// The first operations that the chart draws, from the series of a point that belongs to it.
std::vector<PositionValue> position_values(const PointResult& result, const PositionChart& chart) {
  const auto& measurement = *result.measurement;
  const auto series = measurement.series.find(chart.series);
  std::vector<PositionValue> values;
  if (series == measurement.series.end() || series->second.empty() || !has_words(result.point.parameters, chart.only))
    return values;
  std::size_t count = kDrawnPositions;
  for (const auto& sample : series->second) count = std::min(count, sample.size());
  std::vector<double> of_samples(series->second.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::transform(series->second, of_samples.begin(), [i](const std::vector<double>& sample) { return sample[i]; });
    const auto [low, high] = std::ranges::minmax(of_samples);
    values.push_back({percycle::median(of_samples), low, high});
  }
  return values;
}

}  // namespace

PointRow point_row(const PointResult& result, const Header& header, const DeviceLimits& limits) {
  PointRow row;
  row.about = &presentation_of(result.point.experiment);
  row.unit_name = header.shown_unit();
  row.status = result.outcome.status;
  for (const auto& [name, value] : result.point.parameters) {
    const auto* number = std::get_if<std::int64_t>(&value);
    row.parameters.emplace(printable(name), number ? Cell(*number) : Cell(printable(std::get<std::string>(value))));
  }
  if (row.status != Status::ok || !result.measurement) {
    const std::string& reason = result.outcome.reason;
    row.reason = printable(std::string_view(reason).substr(0, reason.find('\n')));
  }
  if (!result.measurement) return row;
  const Measurement& measurement = *result.measurement;
  const auto note = [&](const std::string& text, bool is_warning = true) {
    if (!text.empty()) row.notes.push_back({printable(text), is_warning});
  };
  for (const std::string& warning : measurement.warnings) note(warning);
  if (!row.is_ok()) return row;

  add_statistics(row.figures, measurement);
  std::string suspect;
  if (find_statistic(measurement, figures::kGbPerS) ||
      (header.published() && find_statistic(measurement, figures::kBytesPerUnitCycle))) {
    suspect = add_limit(row.figures, true, hold_against_limit(result, header, limits));
  } else if (!header.published() && find_statistic(measurement, figures::kGopsPerS) && has_limits(*row.about)) {
    suspect = add_limit(row.figures, false, hold_against_limit(result, header, limits));
    if (const auto mix = integer_mix(measurement); mix && is_bound_by(result.point, limits, Quantity::int32)) {
      note(to_text(*mix), false);
    }
  }
  add_if(row.figures, figures::kRunBytes, run_bytes(result));
  for (const std::string& text : code_notes(measurement)) note(text, false);
  note(suspect);
  add_clock(row.figures, measurement);
  row.loop = loop_code(measurement);
  row.load = load_curves(measurement);
  for (const PositionChart& chart : row.about->positions) {
    if (row.positions.empty()) row.positions = position_values(result, chart);
  }
  note(clock_note(measurement));
  note(steady_note(measurement));
  return row;
}

const Cell* find_parameter(const PointRow& row, std::string_view name) { return find(row.parameters, name); }

const Cell* find_figure(const PointRow& row, std::string_view name) { return find(row.figures, name); }

std::optional<double> figure(const PointRow& row, std::string_view name) {
  const Cell* cell = find_figure(row, name);
  return cell ? number_of(*cell) : std::nullopt;
}

bool has_word(const PointRow& row, std::string_view parameter, std::string_view word) {
  const Cell* cell = find_parameter(row, parameter);
  return cell && exact_text_of(*cell) == word;
}

bool has_words(const PointRow& row, const ParameterWords& words) {
  return std::all_of(words.begin(), words.end(), [&](const auto& named) { return has_word(row, named.first, named.second); });
}

bool has_any_word(const PointRow& row, const ParameterWords& words) {
  return std::any_of(words.begin(), words.end(), [&](const auto& named) { return has_word(row, named.first, named.second); });
}

UnitWords unit_words(const Presentation& about, std::span<const PointRow* const> rows) {
  UnitWords words{.op = about.operation};
  const auto is_other = [&](const PointRow* row) { return row->unit_name != rows.front()->unit_name; };
  if (!rows.empty() && std::ranges::none_of(rows, is_other)) words.unit = rows.front()->unit_name;
  return words;
}

std::string_view main_figure(const PointRow& row) { return main_figure_of(row.figures); }

bool is_bytes(std::string_view name) {
  return name == "footprint" || name == "bytes" || name == parameter::kSpan || name == parameter::kStep ||
         name.ends_with("_bytes");
}

bool is_configuration(const PointRow& row, std::string_view parameter) {
  return row.about ? is_configuration(*row.about, parameter) : parameter == kRole;
}

std::string key_of(const PointRow& row, const std::function<bool(const std::string& parameter)>& counts) {
  std::string key;
  for (const auto& [name, cell] : row.parameters) {
    if (!counts(name)) continue;
    key += name + '=';
    append_exact_text(key, cell);
    key += ' ';
  }
  return key;
}

std::string question_key(const PointRow& row) {
  return key_of(row, [&](const std::string& name) { return !is_configuration(row, name); });
}

std::string answer_key(const PointRow& row) {
  const std::string key = question_key(row);
  return has_role(row) ? key : key + key_of(row, [&](const std::string& name) { return is_configuration(row, name); });
}

std::vector<const PointRow*> best_rows(const std::vector<const PointRow*>& rows) {
  std::map<std::pair<Cell, std::string>, const PointRow*> best;
  const auto searched = [](const PointRow* row) { return row->is_ok() && has_role(*row); };
  for (const PointRow* row : rows) {
    if (!searched(row) || has_role(*row, kSearchRole)) continue;
    const PointRow*& answer = best[{row->run, question_key(*row)}];
    if (!answer || figure(*row, main_figure(*row)) > figure(*answer, main_figure(*answer))) answer = row;
  }
  std::vector<const PointRow*> kept;
  for (const PointRow* row : rows) {
    if (!searched(row) || best[{row->run, question_key(*row)}] == row) kept.push_back(row);
  }
  return kept;
}

}  // namespace percycle
