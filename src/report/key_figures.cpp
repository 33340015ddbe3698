#include "report/key_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/seen_level.hpp"
#include "presentation/presentation.hpp"
#include "report/hierarchy_text.hpp"
#include "report/key_gaps.hpp"
#include "report/summary_figures.hpp"
#include "vocabulary/geometry.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/optimization.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

/// The order of a row: its section, its cache, and its position there.
using KeyPlace = std::tuple<int, std::string, std::size_t>;

/// The findings of a hierarchy stand before the sections of experiments.
enum KeySection : int { kUnits = -3, kLevels = -2, kMemory = -1, kFurtherLevels = 1'000'000, kTlbs };

struct FoundFigure {
  KeyRow row;  ///< without cells
  KeyValue value;
};

using FoundFigures = std::map<KeyPlace, FoundFigure>;

/// The first device wins, and so does the first figure of a device.
void add_figure(FoundFigures& figures, KeyPlace place, KeyRow row, KeyValue value) {
  figures.try_emplace(std::move(place), FoundFigure{std::move(row), std::move(value)});
}

constexpr const char* kLatencyFigure = "load_latency";
constexpr const char* kLatencyNsFigure = "load_latency_ns";
constexpr const char* kLocalPath = "local";  // the path and its row

/// A latency, with what a finding is known by.
struct KeyLatency {
  std::optional<double> cycles;
  double ns = 0;  ///< 0: unknown
  bool is_doubtful = false;
};

/// A card with two parts of its L2 has their name beside the L2 of others.
std::string level_name(const std::string& name) { return name.ends_with(" near") ? name.substr(0, name.find(' ')) : name; }

void add_size(FoundFigures& figures, const std::string& level, KeyValue value) {
  add_figure(figures, {kLevels, level, 0}, {level + " size", kSizeFigure, "", Direction::neither, {}, "size of the " + level},
             std::move(value));
}

/// The row in cycles. The table of one screen has a latency without cycles there, in ns; with
/// KeyDepth::devices ns have their own row.
void add_latency(FoundFigures& figures, int section, const std::string& name, const KeyLatency& latency, KeyDepth depth) {
  const bool is_level = section == kLevels;
  const std::size_t place = name == kLocalPath ? 4 : 2;
  const std::string cache = is_level || section == kFurtherLevels ? name : "";
  const std::string words = "latency of " + (is_level || section == kFurtherLevels ? "the " + name
                                             : name == kLocalPath                  ? "local memory"
                                                                                   : name);
  if (latency.cycles || depth == KeyDepth::table) {
    KeyValue value{.value = latency.cycles.value_or(latency.ns), .is_doubtful = latency.is_doubtful};
    if (!latency.cycles) value.unit = unit_text::kNs;
    add_figure(figures, {section, cache, place},
               {name + " latency", kLatencyFigure, unit_text::kCycles, Direction::lower, {}, words}, std::move(value));
  }
  if (depth == KeyDepth::devices && latency.ns > 0)
    add_figure(figures, {section, cache, place + 1},
               {name + " latency", kLatencyNsFigure, unit_text::kNs, Direction::lower, {}, words},
               {.value = latency.ns, .is_doubtful = latency.is_doubtful});
}

/// "texture L1", "constant L1.5": a level that another path than the closest one shows.
std::string further_name(const std::string& path, const std::string& level) {
  return level.starts_with(path) ? level : path + ' ' + level;
}

/// The position of a level's figure among its rows.
enum KeyPosition : std::size_t { kSizePlace, kLatencyPlace = 2, kLinePlace = 6, kFetchPlace };

/// A number of bytes that a level has or fetches; charts alone show it.
void add_bytes(FoundFigures& figures, KeyPlace place, const std::string& name, const char* figure, const std::string& words,
               std::optional<double> bytes) {
  if (!bytes || *bytes <= 0) return;
  add_figure(figures, std::move(place), {name, figure, "", Direction::neither, {}, words}, {.value = *bytes});
}

/// Figures that charts alone show: of a level of the closest path all but size and latency.
struct FurtherLevel {
  std::string name;
  bool is_closest = false;
  std::optional<double> size;
  std::optional<double> line;
  std::optional<double> fetch;
};

void add_further(FoundFigures& figures, const FurtherLevel& level) {
  const int section = level.is_closest ? kLevels : kFurtherLevels;
  if (!level.is_closest)
    add_bytes(figures, {section, level.name, kSizePlace}, level.name + " size", kSizeFigure, "size of the " + level.name,
              level.size);
  add_bytes(figures, {section, level.name, kLinePlace}, level.name + " line", kLineFigure, "line of the " + level.name,
            level.line);
  add_bytes(figures, {section, level.name, kFetchPlace}, level.name + " fetch", kFetchFigure,
            "bytes that a miss of the " + level.name + " fetches", level.fetch);
}

std::optional<double> as_number(const auto& whole) { return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt; }

void add_tlb(FoundFigures& figures, std::string name, std::optional<double> reach, std::optional<double> page) {
  add_bytes(figures, {kTlbs, name, 0}, name + " reach", kReachFigure, "reach of the " + name, reach);
  add_bytes(figures, {kTlbs, name, 1}, name + " page", kPageFigure, "page of the " + name, page);
}

std::string tlb_name(std::size_t number) { return fmt::format("TLB of level {}", number); }

/// Rows of charts alone: levels of other paths, lines and fetches of all levels, and TLBs.
void add_further_levels(FoundFigures& figures, const Hierarchy& hierarchy) {
  const std::string path = main_path(hierarchy);
  for (const HierarchyLevel& level : hierarchy.levels) {
    const bool is_closest = level.path == path;
    const std::string name = is_closest ? level_name(level.name) : further_name(level.path, level_name(level.name));
    if (level.confidence >= kStatedConfidence)
      add_further(figures, {name, is_closest, static_cast<double>(level.size_bytes),
                            level.line_confidence >= kStatedConfidence ? as_number(level.line_bytes) : std::nullopt,
                            level.sector_confidence >= kStatedConfidence ? as_number(level.sector_bytes) : std::nullopt});
    if (!is_closest)
      add_latency(figures, kFurtherLevels, name,
                  {level.latency_cycles, level.latency_ns, level.latency_confidence < kStatedConfidence}, KeyDepth::devices);
  }
  for (std::size_t i = 0; i < hierarchy.tlbs.size(); ++i) {
    const HierarchyTlb& tlb = hierarchy.tlbs[i];
    if (tlb.confidence >= kStatedConfidence)
      add_tlb(figures, tlb_name(i + 1), static_cast<double>(tlb.reach_bytes), as_number(tlb.page_bytes));
  }
}

void add_hierarchy(FoundFigures& figures, const Hierarchy& hierarchy, KeyDepth depth) {
  const std::string path = main_path(hierarchy);
  for (const HierarchyLevel& level : hierarchy.levels) {
    if (level.path != path) continue;
    const std::string name = level_name(level.name);
    const bool is_doubtful = level.confidence < kStatedConfidence;
    add_size(figures, name,
             {.value = static_cast<double>(level.size_bytes),
              .is_vague = is_vague(level),
              .is_doubtful = is_doubtful,
              .range = stated_range(static_cast<double>(level.size_low), static_cast<double>(level.size_high))});
    add_latency(figures, kLevels, name, {level.latency_cycles, level.latency_ns, level.latency_confidence < kStatedConfidence},
                depth);
  }
  for (const HierarchyMemory& memory : hierarchy.memory) {
    const bool is_local = memory.path == kLocalPath;
    if (!is_local && (memory.path != path || !memory.reached)) continue;
    add_latency(figures, kMemory, is_local ? kLocalPath : "memory",
                {memory.stated_cycles(), memory.stated_ns(), memory.confidence < kStatedConfidence}, depth);
  }
}

/// A document's levels: it states sizes and latencies where a run has curves.
void add_stated_levels(FoundFigures& figures, const ReportDevice& device, KeyDepth depth) {
  const auto each_row = [&](const char* experiment, const auto& take) {
    const auto rows = device.experiments.find(experiment);
    if (rows == device.experiments.end()) return;
    for (const PointRow& row : rows->second) {
      const Cell* level = find_parameter(row, parameter::kLevel);
      if (row.is_ok() && !find_parameter(row, parameter::kOptimization) && !find_parameter(row, parameter::kLocalBytes))
        take(row, level ? exact_text_of(*level) : std::string());
    }
  };
  each_row(experiment::kGeometry, [&](const PointRow& row, const std::string& level) {
    const auto size = figure(row, kSizeFigure);
    if (size && has_word(row, parameter::kPath, kClosestPath)) add_size(figures, level, {.value = *size});
  });
  each_row(experiment::kLatency, [&](const PointRow& row, const std::string& level) {
    const auto cycles = figure(row, figures::kCyclesPerOp);
    const auto ns = figure(row, figures::kNsPerOp);
    if (!cycles && !ns) return;
    const KeyLatency latency{cycles, ns.value_or(0)};
    if (has_word(row, parameter::kPath, kLocalPath))
      add_latency(figures, kMemory, kLocalPath, latency, depth);
    else if (has_word(row, parameter::kPath, kClosestPath) && !level.empty())
      add_latency(figures, level == "memory" ? kMemory : kLevels, level, latency, depth);
  });
}

/// A document's levels of other paths, lines, fetches and TLBs.
void add_stated_further(FoundFigures& figures, const ReportDevice& device) {
  const auto each_row = [&](const char* experiment, const auto& take) {
    const auto rows = device.experiments.find(experiment);
    if (rows == device.experiments.end()) return;
    for (const PointRow& row : rows->second) {
      const Cell* level = find_parameter(row, parameter::kLevel);
      const Cell* path = find_parameter(row, parameter::kPath);
      if (row.is_ok() && level && path && !find_parameter(row, parameter::kOptimization) &&
          !find_parameter(row, parameter::kLocalBytes))
        take(row, exact_text_of(*path), exact_text_of(*level));
    }
  };
  each_row(experiment::kGeometry, [&](const PointRow& row, const std::string& path, const std::string& level) {
    const bool is_closest = path == kClosestPath;
    add_further(figures, {is_closest ? level : further_name(path, level), is_closest, figure(row, kSizeFigure),
                          figure(row, kLineFigure), figure(row, kFetchFigure)});
  });
  each_row(experiment::kLatency, [&](const PointRow& row, const std::string& path, const std::string& level) {
    if (path == kClosestPath) return;
    const auto cycles = figure(row, figures::kCyclesPerOp);
    const auto ns = figure(row, figures::kNsPerOp);
    if (cycles || ns)
      add_latency(figures, kFurtherLevels, further_name(path, level), {cycles, ns.value_or(0)}, KeyDepth::devices);
  });
  each_row(experiment::kTlb, [&](const PointRow& row, const std::string&, const std::string& level) {
    if (level.size() == 2 && level.front() == 'L' && level.back() >= '1' && level.back() <= '9')
      add_tlb(figures, tlb_name(static_cast<std::size_t>(level.back() - '0')), figure(row, kReachFigure),
              figure(row, kPageFigure));
  });
}

/// The same figure in cycles of a unit, or in ns if it is in cycles; empty if there is none.
std::string_view other_form(std::string_view name) {
  if (const Figure figure = figure_called(name); !figure.in_cycles.empty()) return figure.in_cycles;
  const auto found = std::ranges::find(all_figures(), name, &Figure::in_cycles);
  return found == all_figures().end() ? std::string_view() : found->name;
}

/// Whether the figure is the middle one of several points, which differs less than each of them.
bool is_middle_of_many(const SummarySection& section, SummaryFigure wanted, std::string_view name) {
  if (wanted.pick != SummaryFigure::Pick::median) return false;
  wanted.pick = SummaryFigure::Pick::lowest;
  const PointRow* lowest = summary_row(section.rows, wanted, name);
  wanted.pick = SummaryFigure::Pick::highest;
  return summary_row(section.rows, wanted, name) != lowest;
}

/// The row of one figure of a presentation, as that figure or in its other form.
void add_key_row(FoundFigures& figures, const ReportDevice& device, const SummarySection& section, const SummaryFigure& wanted,
                 std::size_t i, std::string_view name) {
  const PointRow* row = summary_row(section.rows, wanted, name);
  if (!row) return;
  std::string unit = figure_unit(name);
  const bool is_time = unit.starts_with(unit_text::kNs) || unit.starts_with(unit_text::kCycles);
  if (is_time) unit = unit.substr(0, unit.find('/'));
  KeyValue value{.value = figure(*row, name).value(), .row = row, .experiment = section.experiment};
  if (!is_middle_of_many(section, wanted, name)) value.range = stated_range(device, section.experiment, *row, value.value);
  const std::string_view main = main_figure(*row);
  if (main == name || figure_called(main).in_cycles == name) value.share_percent = figure(*row, figures::kEfficiency);
  add_figure(
      figures, {section.about->order, {}, 2 * i + (name == wanted.figure ? 0 : 1)},
      {wanted.key, std::string(name), std::move(unit), figure_called(name).better, {}, wanted.words, section.experiment, &wanted},
      std::move(value));
}

void add_section(FoundFigures& figures, const ReportDevice& device, const SummarySection& section, KeyDepth depth) {
  std::size_t i = 0;
  const auto add = [&](const SummaryFigure& wanted) {
    const std::size_t place = i++;
    add_key_row(figures, device, section, wanted, place, wanted.figure);
    if (const std::string_view other = other_form(wanted.figure);
        !other.empty() && (wanted.per_unit || depth == KeyDepth::devices))
      add_key_row(figures, device, section, wanted, place, other);
  };
  for (const SummaryFigure& wanted : section.about->summary) add(wanted);
  if (depth == KeyDepth::table) return;
  for (const SummaryFigure& wanted : section.about->further) add(wanted);
}

FoundFigures key_figures_of(const ReportDevice& device, KeyDepth depth) {
  FoundFigures figures;
  if (const auto& units = device.header().device.units)
    add_figure(figures, {kUnits, {}, 0}, {"units", kUnitsFigure, "", Direction::neither, {}, "number of units"},
               {.value = static_cast<double>(units->value)});
  if (device.analysis) add_hierarchy(figures, device.analysis->hierarchy, depth);
  if (device.source == Source::published) add_stated_levels(figures, device, depth);
  if (depth == KeyDepth::devices) {
    if (device.analysis) add_further_levels(figures, device.analysis->hierarchy);
    if (device.source == Source::published) add_stated_further(figures, device);
  }
  for (const SummarySection& section : summary_sections(device)) add_section(figures, device, section, depth);
  return figures;
}

bool are_apart(const KeyValue& a, const KeyValue& b, double percent) {
  return a.unit != b.unit || std::abs(a.value / b.value - 1) * 100 > percent;
}

/// Marks the best card of a row if it is better than every other by more than noise.
void mark_best(KeyRow& row) {
  if (row.better == Direction::neither) return;
  std::vector<KeyCell*> cells;
  for (KeyCell& cell : row.cells) {
    if (cell.value && cell.value->unit.empty()) cells.push_back(&cell);
  }
  if (cells.size() < 2) return;
  std::ranges::sort(cells, [&](const KeyCell* a, const KeyCell* b) {
    return row.better == Direction::lower ? a->value->value < b->value->value : a->value->value > b->value->value;
  });
  cells[0]->is_best = are_apart(*cells[0]->value, *cells[1]->value, kBestPercent);
}

}  // namespace

KeyFigures key_figures(const std::vector<KeyColumn>& columns, KeyDepth depth) {
  KeyFigures table;
  std::map<KeyPlace, KeyRow> rows;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    table.columns.push_back(columns[column].title);
    for (const ReportDevice* device : columns[column].devices) {
      for (auto& [place, found] : key_figures_of(*device, depth)) {
        KeyRow& row = rows.try_emplace(place, found.row).first->second;
        row.cells.resize(columns.size());
        KeyCell& cell = row.cells[column];
        found.value.device = device;
        if (!cell.value)
          cell.value = found.value;
        else if (are_apart(*cell.value, found.value, kApiGapPercent))
          cell.other = found.value;
      }
    }
  }
  for (auto& [place, row] : rows) {
    mark_best(row);
    for (std::size_t column = 0; column < columns.size() && depth == KeyDepth::devices; ++column) {
      if (!row.cells[column].value) row.cells[column].gap = gap_words(row, columns[column]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace percycle
