#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "device/info.hpp"
#include "presentation/presentation.hpp"
#include "report/report_data.hpp"
#include "report/run_spread.hpp"

namespace percycle {

/// The percentage from which two APIs of a card differ.
inline constexpr double kApiGapPercent = 5;

/// A card is the best of a row if it is better than every other by more than this percentage.
inline constexpr double kBestPercent = 2;

/// A key figure of a device.
struct KeyValue {
  double value = 0;
  std::optional<double> share_percent{};  ///< of its limit
  std::string unit{};                     ///< if the row has another one: ns among cycles
  bool is_vague = false;                  ///< a size known to no better than 10 %
  bool is_doubtful = false;               ///< a finding below kStatedConfidence
  const ReportDevice* device = nullptr;   ///< whose points say it
  const PointRow* row = nullptr;          ///< its point; nullptr for a finding from many points
  std::string experiment{};               ///< of its point
  std::optional<StatedRange> range{};     ///< stands for the value in texts
};

/// A card's value of a row.
struct KeyCell {
  std::optional<KeyValue> value{};  ///< through OpenCL; through Vulkan if OpenCL has none
  std::optional<KeyValue> other{};  ///< through Vulkan, if they differ by more than kApiGapPercent
  bool is_best = false;             ///< clearly better than every other card's
  std::string gap{};                ///< with KeyDepth::devices: why there is no value
};

/// A figure of all cards.
struct KeyRow {
  std::string name;    ///< "memory read"
  std::string figure;  ///< "gb_per_s"; "size_bytes", "load_latency" or "units" for findings
  std::string unit;    ///< "GB/s"; empty for sizes, which name theirs, and for counts
  Direction better = Direction::neither;
  std::vector<KeyCell> cells;            ///< by column
  std::string words{};                   ///< begins the title of a chart: "bandwidth of the L1"
  std::string experiment{};              ///< empty: a finding from many points
  const SummaryFigure* asked = nullptr;  ///< the points of the experiment that count
};

/// A card, with a device for each API that measured it.
struct KeyColumn {
  std::string title;
  std::vector<const ReportDevice*> devices;
};

/// The table of key figures: one row per figure in the order of the summary, one column per card.
struct KeyFigures {
  std::vector<std::string> columns;
  std::vector<KeyRow> rows;
};

/// The name of the figure of a cache's size, whose values are printed as bytes.
inline constexpr const char* kSizeFigure = "size_bytes";
// Names of figures in bytes that charts alone have.
inline constexpr const char* kLineFigure = "line_bytes";
inline constexpr const char* kFetchFigure = "load_granularity_bytes";
inline constexpr const char* kReachFigure = "reach_bytes";
inline constexpr const char* kPageFigure = "page_bytes";
/// The name of the number of units, which is no measurement.
inline constexpr const char* kUnitsFigure = "units";

/// The rows that are read.
enum class KeyDepth {
  table,  ///< those of one screen
  /// Further ones, with levels of all paths, lines and TLBs; rates and latencies per cycle and per
  /// second in two rows.
  devices,
};

/// Reads the table from the devices. Rows that no card has are left out.
KeyFigures key_figures(const std::vector<KeyColumn>& columns, KeyDepth depth = KeyDepth::table);

}  // namespace percycle
