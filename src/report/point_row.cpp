#include "report/point_row.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "presentation/configuration.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/clock_note.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

/// Collects the figures of one point.
class Figures {
 public:
  explicit Figures(Texts& texts) : texts_(texts) {}

  void add(std::string_view name, Cell cell) { cells_.push_back({texts_.keep(name), cell}); }
  void add(std::string_view name, std::string_view text) { add(name, Cell(texts_.keep(text))); }
  void add_if(std::string_view name, const std::optional<double>& value) {
    if (value) add(name, Cell(*value));
  }
  /// Of a figure that the point should have.
  void add_or_not_known(std::string_view name, const std::optional<double>& value) {
    add(name, value ? Cell(*value) : Cell(NotKnown{}));
  }

  std::vector<NamedCell> take() && {
    cells_.shrink_to_fit();
    return std::move(cells_);
  }

 private:
  Texts& texts_;
  std::vector<NamedCell> cells_;
};

const Summary* statistic(const Measurement& measurement, const std::string& name) {
  const auto found = measurement.statistics.find(name);
  return found == measurement.statistics.end() ? nullptr : &found->second;
}

/// The bandwidth or the rate of operations, where one was measured.
const Summary* rate(const Measurement& measurement) {
  const Summary* bandwidth = statistic(measurement, "gb_per_s");
  return bandwidth ? bandwidth : statistic(measurement, "gops_per_s");
}

/// What the experiment is about: a rate where it was measured, else time.
const Summary* main_statistic(const Measurement& measurement) {
  const Summary* main = rate(measurement);
  return main ? main : statistic(measurement, "ns_per_op");
}

/// How far the clocks that are known of a point lie apart, relative to the one that is used; absent where there is nothing to compare.
std::optional<double> clock_spread(const Measurement& measurement) {
  const auto& clocks = measurement.clocks_mhz;
  if (clocks.size() < 2) return std::nullopt;
  const auto [low, high] =
      std::minmax_element(clocks.begin(), clocks.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return (high->value - low->value) / clocks.front().value;
}

std::optional<double> percent(const std::optional<double>& share) { return share ? std::optional(100 * *share) : std::nullopt; }

void add_statistics(Figures& figures, const Measurement& measurement) {
  // The time of one of many operations at once says nothing that their rate does not; the raw time is what the first one is made of.
  const bool has_rate = rate(measurement) != nullptr;
  for (const auto& [name, summary] : measurement.statistics) {
    if ((has_rate && name.ends_with("_per_op")) || name == "bytes_per_unit_cycle" || name == "device_ns_per_op") continue;
    figures.add(name, Cell(summary.median));
  }
  if (const Summary* main = main_statistic(measurement)) {
    figures.add_if("least", main->min);
    figures.add_if("most", main->max);
    figures.add_if("mad_percent", percent(relative_mad(*main)));
    if (main->n) figures.add("n", Cell(static_cast<std::int64_t>(*main->n)));
  }
}

/// The note that the figures cannot all be right, where they cannot.
std::string add_bandwidth(Figures& figures, const NormalizedBandwidth& bandwidth) {
  figures.add_or_not_known("bytes_per_unit_cycle", bandwidth.bytes_per_unit_cycle);
  figures.add_or_not_known("limit_gb_per_s", bandwidth.limit_gb_s);
  figures.add_or_not_known("limit_bytes_per_unit_cycle", bandwidth.limit_bytes_per_unit_cycle);
  figures.add_or_not_known("efficiency_percent", percent(bandwidth.efficiency));
  if (bandwidth.limit_provenance) {
    figures.add("limit", to_string(*bandwidth.limit_provenance));
  } else {
    figures.add("limit", Cell(NotKnown{}));
  }
  return bandwidth.suspect.empty() ? std::string() : "suspect: " + bandwidth.suspect;
}

void add_clock(Figures& figures, const Measurement& measurement) {
  if (const auto& clock = measurement.clock_mhz) {
    figures.add("clock_mhz", Cell(clock->value));
    figures.add("clock", to_string(clock->provenance));
  }
  figures.add_if("clocks_differ_percent", percent(clock_spread(measurement)));
  if (!measurement.time_source.empty()) figures.add("time", measurement.time_source);
}

const Cell* find(const std::vector<NamedCell>& cells, std::string_view name) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const NamedCell& cell) { return *cell.name == name; });
  return found == cells.end() ? nullptr : &found->cell;
}

/// Whether the row has that role in a search for the best configuration; of any role where none is asked for.
bool has_role(const PointRow& row, std::string_view role = {}) {
  const Cell* cell = find_parameter(row, kRole);
  return cell && (role.empty() || exact_text_of(*cell) == role);
}

}  // namespace

PointRow point_row(const PointResult& result, const Header& header, const DeviceLimits& limits, Texts& texts) {
  PointRow row;
  row.about = &presentation_of(result.point.experiment);
  row.status = result.outcome.status;
  row.parameters.reserve(result.point.parameters.size());
  for (const auto& [name, value] : result.point.parameters) {
    const auto* number = std::get_if<std::int64_t>(&value);
    row.parameters.push_back({texts.keep(name), number ? Cell(*number) : Cell(texts.keep(std::get<std::string>(value)))});
  }
  if (row.status != Status::ok || !result.measurement) {
    const std::string& reason = result.outcome.reason;
    row.reason = texts.keep(std::string_view(reason).substr(0, reason.find('\n')));
  }
  if (!result.measurement) return row;
  const Measurement& measurement = *result.measurement;
  for (const std::string& warning : measurement.warnings) row.notes.push_back(texts.keep(warning));
  if (!row.is_ok()) return row;

  Figures figures(texts);
  add_statistics(figures, measurement);
  if (statistic(measurement, "gb_per_s") || (header.published() && statistic(measurement, "bytes_per_unit_cycle"))) {
    const std::string suspect = add_bandwidth(figures, hold_against_limit(result, header, limits));
    if (!suspect.empty()) row.notes.push_back(texts.keep(suspect));
  }
  add_clock(figures, measurement);
  row.figures = std::move(figures).take();
  if (const std::string note = clock_note(measurement); !note.empty()) row.notes.push_back(texts.keep(note));
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

std::string_view main_figure(const PointRow& row) {
  for (const std::string_view name : {"gb_per_s", "gops_per_s"}) {
    if (find_figure(row, name)) return name;
  }
  return "ns_per_op";
}

bool is_bytes(std::string_view parameter) { return parameter == "footprint" || parameter.ends_with("_bytes"); }

bool is_configuration(const PointRow& row, std::string_view parameter) {
  return row.about ? is_configuration(*row.about, parameter) : parameter == kRole;
}

void append_to_key(std::string& key, const NamedCell& parameter) {
  key += *parameter.name;
  key += '=';
  append_exact_text(key, parameter.cell);
  key += ' ';
}

std::string question_key(const PointRow& row) {
  std::string key;
  for (const NamedCell& parameter : row.parameters) {
    if (!is_configuration(row, *parameter.name)) append_to_key(key, parameter);
  }
  return key;
}

std::vector<const PointRow*> best_rows(const std::vector<const PointRow*>& rows) {
  std::map<std::pair<const std::string*, std::string>, const PointRow*> best;
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
